import * as z from 'zod/mini';
import { defineMail } from '../kind.ts';
import { LINK_DAYS, toLifetime } from './lifetime.ts';
import { toTimeText } from './time-text.ts';

/** Tells a person that a passkey was refused because somebody may have a copy of it. */
export const PASSKEY_REFUSED = defineMail({
  name: 'passkey.refused',
  params: z.object({ at: z.string(), name: z.string() }),
  link: { purpose: 'secure', page: '/secure', lifetimeMs: toLifetime(LINK_DAYS) },
  compose: ({ at, name: passkey }, { name, url }) => ({
    subject: 'We refused one of your passkeys',
    blocks: [
      `Hello ${name},`,
      `on ${toTimeText(at)} somebody tried to sign in to your Callboard account with the passkey “${passkey}”. Its counter had gone back, which can mean that there is a copy of it, so we refused it.`,
      'Sign in another way, remove this passkey in Settings and add a new one. If you did not try to sign in, sign out all devices now.',
      { label: 'It wasn’t me', url },
    ],
  }),
});
