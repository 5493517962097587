import * as z from 'zod/mini';
import { defineMail } from '../kind.ts';
import { LINK_DAYS, toLifetime } from './lifetime.ts';
import { toTimeText } from './time-text.ts';

/** Tells a person that their account has new recovery codes. The link ends them, since a new password alone would not keep their owner out. */
export const RECOVERY_MADE = defineMail({
  name: 'recovery.made',
  params: z.object({ at: z.string() }),
  link: { purpose: 'secure', page: '/secure', lifetimeMs: toLifetime(LINK_DAYS) },
  compose: ({ at }, { name, url }) => ({
    subject: 'New recovery codes were made for your account',
    blocks: [
      `Hello ${name},`,
      `new recovery codes were made for your Callboard account on ${toTimeText(at)}. Each signs you in once. Older codes no longer work.`,
      'If that was you, there is nothing to do. If not, end these codes now, sign out all devices and choose a new password.',
      { label: 'It wasn’t me', url },
    ],
  }),
});
