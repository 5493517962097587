import * as z from 'zod/mini';
import { defineMail } from '../kind.ts';

/** Tells a person that a decision of the desk about them has ended. */
export const MODERATION_LIFTED = defineMail({
  name: 'moderation.lifted',
  params: z.object({}),
  compose: (_params, { name, home }) => ({
    subject: 'A decision about your account has ended',
    blocks: [
      `Hello ${name},`,
      'what we had restricted in your account is open again: others see what they saw before, and what waited on your devices is sent.',
      { label: 'Open Callboard', url: home },
    ],
  }),
});
