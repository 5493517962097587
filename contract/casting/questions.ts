import type { Answer } from '../records/casting.ts';

/** How long people who are not connected can write to each other about an audition after its end. */
export const QUESTION_DAYS = 30;
const DAY_MS = 86_400_000;

interface Ended {
  answers: readonly Pick<Answer, 'at'>[];
  withdrawn_at: string | null;
}

/**
 * After which time nothing more is asked about an audition: some days after its last answer or its withdrawal, or else after the end of its role.
 * @param roleEndedAt since when the role is not open, as ISO text; null while it is open or not known
 * @returns ISO text; null while nothing has ended it
 */
export function getQuestionsEnd({ answers, withdrawn_at }: Ended, roleEndedAt: string | null): string | null {
  const ends = [answers.at(-1)?.at ?? null, withdrawn_at].filter((time) => time !== null);
  const last = ends.length === 0 ? roleEndedAt : ends.reduce((one, other) => (one > other ? one : other));
  return last === null ? null : new Date(Date.parse(last) + QUESTION_DAYS * DAY_MS).toISOString();
}
