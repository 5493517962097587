import * as z from 'zod/mini';
import { defineMail } from '../kind.ts';

/** Tells a person who has come of age that they may open up now. */
export const AGE_TURNED = defineMail({
  name: 'age.turned',
  params: z.object({}),
  compose: (_params, { name, home }) => ({
    subject: 'You are 18 now',
    blocks: [
      `Hello ${name},`,
      'happy birthday. From now on you decide yourself who sees your page and who can write to you. Nothing has changed by itself: Callboard asks you the next time you open it.',
      { label: 'Open Callboard', url: home },
    ],
  }),
});

/** Tells the guardian that their part is over. */
export const AGE_TURNED_GUARDIAN = defineMail({
  name: 'age.turned.guardian',
  params: z.object({}),
  compose: (_params, { name }) => ({
    subject: `${name} is 18 now`,
    blocks: [
      'Hello,',
      `${name} is 18 and decides alone about the page on Callboard from now on. We won’t write to you again. Thank you.`,
    ],
  }),
});
