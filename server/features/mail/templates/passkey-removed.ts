import * as z from 'zod/mini';
import { defineMail } from '../kind.ts';
import { LINK_DAYS, toLifetime } from './lifetime.ts';
import { toTimeText } from './time-text.ts';

/** Tells a person that a passkey no longer opens their account. */
export const PASSKEY_REMOVED = defineMail({
  name: 'passkey.removed',
  params: z.object({ at: z.string(), name: z.string() }),
  link: { purpose: 'secure', page: '/secure', lifetimeMs: toLifetime(LINK_DAYS) },
  compose: ({ at, name: passkey }, { name, url }) => ({
    subject: 'A passkey was removed from your account',
    blocks: [
      `Hello ${name},`,
      `the passkey “${passkey}” was removed from your Callboard account on ${toTimeText(at)}. It no longer signs you in.`,
      'If that was you, there is nothing to do. If not, sign out all devices now and choose a new password.',
      { label: 'It wasn’t me', url },
    ],
  }),
});
