import { TriangleAlert } from 'lucide-react';
import { NOTICE_LABELS, NOTICE_KINDS } from '#shared/casting/Notices.tsx';
import type { NoticeChange } from '#contract/records/casting.ts';
import { lowerFirst, momentText } from '#lib/deadline.ts';
import { Button } from '#ui/Button.tsx';

interface NoticeChangesProps {
  change: NoticeChange;
  now: number;
  /** Who changed them. */
  sender: string;
  /** Whether they have sent a tape, after which nothing can be declined. */
  hasTape: boolean;
  /** Whether the performer has said yes, so that they are asked to say it again. */
  hasConfirmed: boolean;
  /** Undefined where nothing more can be said. */
  onConfirm: (() => void) | undefined;
}

/** Notices that changed after the performer was asked: the old and the new words, and the question whether they still say yes. */
export function NoticeChanges({ change, now, sender, hasTape, hasConfirmed, onConfirm }: NoticeChangesProps) {
  const changed = NOTICE_KINDS.filter((kind) => (change.before[kind] ?? null) !== (change.after[kind] ?? null));
  return (
    <section className="rounded-box bg-phone-tint p-4" aria-labelledby="changed-notices">
      <h2 id="changed-notices" className="flex items-center gap-2 font-bold">
        <TriangleAlert className="ic text-phone" aria-hidden />
        What you have to know has changed
      </h2>
      <p className="text-sm">
        {sender} changed it {lowerFirst(momentText(Date.parse(change.at), now))}.{' '}
        {hasConfirmed ? 'Your yes was to the old words. Read the new ones before you say yes to them.' : ''}
      </p>
      <dl className="mt-2 space-y-2">
        {changed.map((kind) => (
          <div key={kind}>
            <dt className="font-semibold">{NOTICE_LABELS[kind]}</dt>
            <dd className="text-sm break-words whitespace-pre-line">
              <del>
                <span className="sr-only">Before: </span>
                {change.before[kind] ?? 'Nothing was said'}
              </del>
            </dd>
            <dd className="break-words whitespace-pre-line">
              <ins className="no-underline">
                <span className="sr-only">Now: </span>
                {change.after[kind] ?? 'Nothing is said'}
              </ins>
            </dd>
          </div>
        ))}
      </dl>
      {onConfirm && hasTape && (
        <p className="mt-3 text-sm">If you do not agree, tell {sender} with “Ask a question” below.</p>
      )}
      {onConfirm && (
        <Button className="mt-3" onClick={onConfirm}>
          {hasConfirmed ? 'Say yes to the new words' : 'Confirm with the new words'}
        </Button>
      )}
    </section>
  );
}
