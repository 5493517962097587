import * as z from 'zod/mini';
import { defineMail } from '../kind.ts';
import { toTimeText } from './time-text.ts';

/** Tells a person that their account is not removed after all, while a suspension from before goes on. */
export const MODERATION_KEPT = defineMail({
  name: 'moderation.kept',
  params: z.object({ until: z.nullable(z.string()) }),
  compose: ({ until }, { name, home }) => ({
    subject: 'Your account is not being removed',
    blocks: [
      `Hello ${name},`,
      'we have taken back the removal of your account. You can sign in again, and nothing is deleted.',
      `Your account is still suspended${until === null ? '.' : ` until ${toTimeText(until)}.`} You can read, but not write, and nobody else sees your profile.`,
      'If you see it differently, answer in the app. A person reads it.',
      { label: 'Read and answer', url: `${home}/decisions` },
    ],
  }),
});
