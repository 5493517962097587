import * as z from 'zod/mini';
import { defineMail } from '../kind.ts';

/** How long a link for a new password works. */
export const RESET_MINUTES = 30;

/** The link for somebody who forgot their password. */
export const RESET = defineMail({
  name: 'reset',
  params: z.object({}),
  link: { purpose: 'reset', page: '/reset', lifetimeMs: RESET_MINUTES * 60_000 },
  compose: (_params, { name, url }) => ({
    subject: 'Choose a new password',
    blocks: [
      `Hello ${name},`,
      'you asked for a new password for Callboard.',
      { label: 'Choose a new password', url },
      `The link works once, within ${RESET_MINUTES} minutes. If you didn’t ask for it, ignore this e-mail: your password stays as it is.`,
    ],
  }),
});
