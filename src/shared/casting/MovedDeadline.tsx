import type { Audition } from '#contract/records/casting.ts';
import { momentText } from '#lib/deadline.ts';

interface MovedDeadlineProps {
  body: Pick<Audition, 'deadline_before'>;
  now: number;
  /** The time zone in which the deadline beside it is shown; absent: that of the device. */
  zone?: string;
}

/** The deadline before its sender moved it, struck out; nothing if it never moved. */
export function MovedDeadline({ body, now, zone }: MovedDeadlineProps) {
  if (body.deadline_before === null) return null;
  return (
    <span className="block text-sm font-normal text-muted">
      <span className="sr-only">Moved, it was due </span>
      <del>{momentText(Date.parse(body.deadline_before), now, zone)}</del>
    </span>
  );
}
