import * as z from 'zod/mini';
import { defineMail } from '../kind.ts';

/** Tells a person that the desk has hidden something of theirs, and why. */
export const MODERATION_HIDDEN = defineMail({
  name: 'moderation.hidden',
  params: z.object({ noun: z.string(), words: z.string() }),
  compose: ({ noun, words }, { name, home }) => ({
    subject: `Your ${noun} was hidden`,
    blocks: [
      `Hello ${name},`,
      `a person at Callboard has hidden your ${noun}. Nobody but you sees it now. They wrote:`,
      words,
      'If you see it differently, answer in the app. A person reads it.',
      { label: 'Read and answer', url: `${home}/decisions` },
    ],
  }),
});
