import { isAnsweredFinally, isDeclined, isOver } from '#contract/casting/state.ts';
import type { AuditionView } from '#db/casting.ts';

/** Whether a tape was sent that counts. One that was refused does not: another one can be sent, also after the deadline. */
export const hasTape = ({ tapes }: Pick<AuditionView, 'tapes'>): boolean =>
  tapes.some(({ body }) => body.state !== 'refused');

/** Why an audition takes no tape, or no other one, in words for its performer; null if it takes one. */
export function whyNoTape({ body, tapes }: Pick<AuditionView, 'body' | 'tapes'>, now: number): string | null {
  if (body.withdrawn_at !== null) return 'This request was withdrawn.';
  if (isOver(body, body.role.status)) return 'This role is no longer open.';
  if (isDeclined(body)) return 'You declined. Say yes on the page of the audition first.';
  // While none has arrived, the bytes of an earlier one may never come: decision 047.
  const hasArrived = tapes.some((tape) => tape.body.state === 'arrived');
  const isTooLate = hasArrived && now > Date.parse(body.deadline_at);
  return isTooLate || isAnsweredFinally(body.answers) ? 'This audition takes no more tapes.' : null;
}
