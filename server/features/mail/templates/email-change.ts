import * as z from 'zod/mini';
import { defineMail } from '../kind.ts';
import { toLifetime } from './lifetime.ts';

/** Asks the owner of a new address to confirm it. */
export const EMAIL_CHANGE = defineMail({
  name: 'email.change',
  params: z.object({}),
  link: { purpose: 'change-email', page: '/confirm', lifetimeMs: toLifetime(1) },
  compose: (_params, { name, address, url }) => ({
    subject: 'Confirm your new e-mail',
    blocks: [
      `Hello ${name},`,
      `you want to use ${address} for your Callboard account. Please confirm that it is your address.`,
      { label: 'Confirm e-mail', url },
      'The link works for 24 hours. Until you open it, you sign in with your present e-mail. If you didn’t ask for this, you can ignore this e-mail.',
    ],
  }),
});
