import * as z from 'zod/mini';
import { defineMail } from '../kind.ts';
import { toTimeText } from './time-text.ts';

/** Tells a person that their account is suspended, why, until when, and how to answer. */
export const MODERATION_SUSPENDED = defineMail({
  name: 'moderation.suspended',
  params: z.object({ words: z.string(), until: z.nullable(z.string()) }),
  compose: ({ words, until }, { name, home }) => ({
    subject: 'Your account is suspended',
    blocks: [
      `Hello ${name},`,
      'a person at Callboard has suspended your account. They wrote:',
      words,
      `You can read, but not write, and nobody else sees your profile${until === null ? '.' : `, until ${toTimeText(until)}.`} What you have written on your devices stays there and is sent when this ends.`,
      'If you see it differently, answer in the app. A person reads it. You can save your data there too.',
      { label: 'Read and answer', url: `${home}/decisions` },
    ],
  }),
});
