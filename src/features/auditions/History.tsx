import {
  CalendarCheck,
  CheckCheck,
  CircleSlash,
  Eye,
  Inbox,
  Reply,
  TriangleAlert,
  Undo2,
  type LucideIcon,
} from 'lucide-react';
import { ANSWER_KINDS } from '#contract/casting/state.ts';
import type { Audition } from '#contract/records/casting.ts';
import { momentText } from '#lib/deadline.ts';
import { Card } from '#ui/Card.tsx';

interface Entry {
  icon: LucideIcon;
  words: string;
  at: string;
  text?: string | null;
}

/** Everything that happened with a request, oldest first. */
function listEntries(body: Audition): Entry[] {
  const entries: (Entry | null)[] = [
    { icon: Inbox, words: 'Asked', at: body.asked_at },
    body.confirmed_at === null ? null : { icon: CalendarCheck, words: 'You confirmed', at: body.confirmed_at },
    body.declined_at === null
      ? null
      : { icon: CircleSlash, words: 'You declined', at: body.declined_at, text: body.decline_text },
    body.arrived_at === null ? null : { icon: CheckCheck, words: 'Tape arrived', at: body.arrived_at },
    body.watched_at === null ? null : { icon: Eye, words: 'Watched', at: body.watched_at },
    ...body.notice_changes.flatMap(({ at, confirmed_at }) => [
      { icon: TriangleAlert, words: 'Notices changed', at },
      ...(confirmed_at === null
        ? []
        : [{ icon: CalendarCheck, words: 'You said yes to the new words', at: confirmed_at }]),
    ]),
    ...body.answers.map(({ kind, at, text }) => ({ icon: Reply, words: ANSWER_KINDS[kind], at, text })),
    body.withdrawn_at === null
      ? null
      : { icon: Undo2, words: 'Withdrawn', at: body.withdrawn_at, text: body.withdraw_text },
  ];
  return entries.filter((entry) => entry !== null).sort((a, b) => Date.parse(a.at) - Date.parse(b.at));
}

/** What happened with a request. The one who asked sees the same times. */
export function History({ body, now }: { body: Audition; now: number }) {
  return (
    <Card title="What happened">
      <ol>
        {listEntries(body).map(({ icon: Icon, words, at, text }) => (
          <li key={`${words} ${at}`} className="flex gap-3 pb-3 last:pb-0">
            <span className="grid size-8 shrink-0 place-items-center rounded-full bg-base-200 text-muted">
              <Icon className="ic" aria-hidden />
            </span>
            <div className="min-w-0 grow pt-1">
              <p className="flex items-baseline gap-2">
                <b className="grow leading-snug font-semibold">{words}</b>
                <span className="num text-sm whitespace-nowrap text-muted">{momentText(Date.parse(at), now)}</span>
              </p>
              {text && <p className="text-sm leading-snug break-words whitespace-pre-line">“{text}”</p>}
            </div>
          </li>
        ))}
      </ol>
    </Card>
  );
}
