import * as z from 'zod/mini';
import { defineMail } from '../kind.ts';
import { LINK_DAYS, toLifetime } from './lifetime.ts';

/** Asks a new person to confirm that the address is theirs. */
export const VERIFY = defineMail({
  name: 'verify',
  params: z.object({}),
  link: { purpose: 'verify', page: '/confirm', lifetimeMs: toLifetime(LINK_DAYS) },
  compose: (_params, { name, address, url }) => ({
    subject: 'Confirm your e-mail',
    blocks: [
      `Hello ${name},`,
      `welcome to Callboard. Please confirm that ${address} is your address.`,
      { label: 'Confirm e-mail', url },
      `The link works for ${LINK_DAYS} days. If you didn’t sign up for Callboard, you can ignore this e-mail.`,
    ],
  }),
});
