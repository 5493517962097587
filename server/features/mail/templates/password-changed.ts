import * as z from 'zod/mini';
import { defineMail } from '../kind.ts';
import { LINK_DAYS, toLifetime } from './lifetime.ts';
import { toTimeText } from './time-text.ts';

/** Tells a person that their password was changed, so that they notice if somebody else did it. */
export const PASSWORD_CHANGED = defineMail({
  name: 'password.changed',
  params: z.object({ at: z.string() }),
  link: { purpose: 'secure', page: '/secure', lifetimeMs: toLifetime(LINK_DAYS) },
  compose: ({ at }, { name, url }) => ({
    subject: 'Your password was changed',
    blocks: [
      `Hello ${name},`,
      `your password for Callboard was changed on ${toTimeText(at)}. Your other devices were signed out.`,
      'If that was you, there is nothing to do. If not, sign out all devices now and choose a new password.',
      { label: 'It wasn’t me', url },
    ],
  }),
});
