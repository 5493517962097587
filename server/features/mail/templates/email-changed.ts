import * as z from 'zod/mini';
import { defineMail } from '../kind.ts';
import { LINK_DAYS, toLifetime } from './lifetime.ts';
import { toTimeText } from './time-text.ts';

/** Tells the old address that another one replaced it, with a link that takes the change back. */
export const EMAIL_CHANGED = defineMail({
  name: 'email.changed',
  params: z.object({ at: z.string(), to: z.string() }),
  link: { purpose: 'restore-email', page: '/secure', lifetimeMs: toLifetime(LINK_DAYS) },
  compose: ({ at, to }, { name, url }) => ({
    subject: 'Your e-mail was changed',
    blocks: [
      `Hello ${name},`,
      `the e-mail of your Callboard account was changed to ${to} on ${toTimeText(at)}.`,
      `If that was you, there is nothing to do. If not, take the change back and sign out all devices. This works for ${LINK_DAYS} days.`,
      { label: 'It wasn’t me', url },
    ],
  }),
});
