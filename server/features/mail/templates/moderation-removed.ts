import * as z from 'zod/mini';
import { defineMail } from '../kind.ts';
import { toTimeText } from './time-text.ts';

/** Tells a person that their account is being removed, why, when it is deleted, and how to answer. */
export const MODERATION_REMOVED = defineMail({
  name: 'moderation.removed',
  params: z.object({ words: z.string(), at: z.string() }),
  compose: ({ words, at }, { name }) => ({
    subject: 'Your account is being removed',
    blocks: [
      `Hello ${name},`,
      'a person at Callboard has closed your account. They wrote:',
      words,
      `Nobody sees it any more, and you are signed out. It is deleted on ${toTimeText(at)}.`,
      'If you think that this is a mistake, answer this e-mail before then.',
    ],
  }),
});
