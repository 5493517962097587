import type { AuditionView, CastingItem } from '#db/casting.ts';
import { lowerFirst, momentText } from '#lib/deadline.ts';
import { getFinished, lateText } from '#shared/casting/tape-text.ts';
import { confirm } from '#ui/confirm.tsx';

/** The tape on its way and in time that a tape finished now would replace; undefined if there is none, or this one is in time, too. */
export function findGivenUp(
  { body, tapes }: Pick<AuditionView, 'body' | 'tapes'>,
  now: number,
): CastingItem<'tape'> | undefined {
  const isInTime = (finishedAt: number) => lateText(finishedAt, body.deadline_at) === '';
  const newest = tapes.find((tape) => tape.body.state !== 'refused');
  const isOnItsWay = newest?.body.state === 'announced' && newest.state !== 'needs';
  return isOnItsWay && isInTime(getFinished(newest)) && !isInTime(now) ? newest : undefined;
}

/** Asks before a late tape takes the place of one that is in time. */
export async function confirmLate(item: Pick<AuditionView, 'body' | 'tapes'>): Promise<boolean> {
  const now = Date.now();
  const tape = findGivenUp(item, now);
  if (tape === undefined) return true;
  const finished = lowerFirst(momentText(getFinished(tape), now));
  return confirm({
    title: 'Send this one instead?',
    text: `Your tape, finished ${finished}, is still on its way and counts as in time. This one would take its place and be late.`,
    yes: 'Send this one',
    no: 'Keep waiting',
  });
}
