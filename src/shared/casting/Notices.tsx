import { HeartHandshake, ShieldAlert, TriangleAlert, type LucideIcon, Baby, Info } from 'lucide-react';

type Kind = 'nudity' | 'intimacy' | 'stunts' | 'minors' | 'other';

const KINDS: Record<Kind, { icon: LucideIcon; label: string }> = {
  nudity: { icon: ShieldAlert, label: 'Nudity' },
  intimacy: { icon: HeartHandshake, label: 'Intimacy' },
  stunts: { icon: TriangleAlert, label: 'Stunts' },
  minors: { icon: Baby, label: 'For minors' },
  other: { icon: Info, label: 'Also' },
};

export const NOTICE_KINDS = Object.keys(KINDS) as Kind[];
export const NOTICE_LABELS = Object.fromEntries(NOTICE_KINDS.map((kind) => [kind, KINDS[kind].label])) as Record<
  Kind,
  string
>;

interface NoticesProps {
  title: string;
  notices: Partial<Record<Kind, string | null>>;
  /** Shown if nothing was said; without it, nothing is shown then. */
  emptyText?: string;
}

/** What a performer must know before saying yes. */
export function Notices({ title, notices, emptyText }: NoticesProps) {
  const said = NOTICE_KINDS.filter((kind) => notices[kind]);
  if (said.length === 0 && emptyText === undefined) return null;
  return (
    <div className="mt-4">
      <h2 className="font-bold">{title}</h2>
      {said.length === 0 && <p className="text-sm text-muted">{emptyText}</p>}
      <ul>
        {said.map((kind) => {
          const { icon: Icon, label } = KINDS[kind];
          return (
            <li key={kind} className="flex gap-3 border-t border-base-300 py-2.5 first:border-t-0">
              <Icon className="ic mt-0.5 text-muted" aria-hidden />
              <span className="min-w-0">
                <b className="block font-semibold">{label}</b>
                <span className="block text-sm leading-snug break-words whitespace-pre-line text-muted">
                  {notices[kind]}
                </span>
              </span>
            </li>
          );
        })}
      </ul>
    </div>
  );
}
