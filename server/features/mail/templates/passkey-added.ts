import * as z from 'zod/mini';
import { defineMail } from '../kind.ts';
import { LINK_DAYS, toLifetime } from './lifetime.ts';
import { toTimeText } from './time-text.ts';

/** Tells a person that their account has a new passkey. The link removes it, since a new password alone would not keep its owner out. */
export const PASSKEY_ADDED = defineMail({
  name: 'passkey.added',
  params: z.object({ at: z.string(), name: z.string(), passkey: z.string() }),
  link: { purpose: 'secure', page: '/secure', lifetimeMs: toLifetime(LINK_DAYS) },
  compose: ({ at, name: passkey }, { name, url }) => ({
    subject: 'A passkey was added to your account',
    blocks: [
      `Hello ${name},`,
      `the passkey “${passkey}” was added to your Callboard account on ${toTimeText(at)}. You can sign in with it from now on.`,
      'If that was you, there is nothing to do. If not, remove it now, sign out all devices and choose a new password.',
      { label: 'It wasn’t me', url },
    ],
  }),
});
