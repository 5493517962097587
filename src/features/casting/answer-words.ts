import type { AnswerKind } from '#contract/casting/state.ts';
import type { AuditionRequest } from '#contract/records/casting.ts';

/** What an answer says until its sender writes something else: kind and short, with a word of thanks. */
export const ANSWER_WORDS: Record<AnswerKind, (role: string) => string> = {
  callback: (role) => `Thank you. We would like to see you again for ${role}, and will write with a time.`,
  pencil: (role) =>
    `Thank you. Please keep the shoot days for ${role} free if you can. We will say as soon as we know.`,
  cast: (role) => `We would love you to play ${role}. We will call with everything else.`,
  no_thank_you: (role) =>
    `Thank you for the time and care that you gave ${role}. The role has gone to somebody else. We hope to see you again.`,
};

/** Whether somebody was ever told that they are cast. No later answer takes that back: the request stays, and a no needs a reason. */
export const wasCast = ({ answers }: Pick<AuditionRequest, 'answers'>): boolean =>
  answers.some(({ kind }) => kind === 'cast');
