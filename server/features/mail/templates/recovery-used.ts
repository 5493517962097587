import * as z from 'zod/mini';
import { defineMail } from '../kind.ts';
import { LINK_DAYS, toLifetime } from './lifetime.ts';
import { toTimeText } from './time-text.ts';

const toLeftText = (left: number) => {
  if (left === 0) return 'That was your last code. Make new ones in Settings.';
  return left === 1 ? 'You have one code left. Make new ones in Settings.' : `You have ${left} codes left.`;
};

/** Tells a person that somebody signed in with one of their recovery codes. */
export const RECOVERY_USED = defineMail({
  name: 'recovery.used',
  params: z.object({ at: z.string(), device: z.string(), left: z.int() }),
  link: { purpose: 'secure', page: '/secure', lifetimeMs: toLifetime(LINK_DAYS) },
  compose: ({ at, device, left }, { name, url }) => ({
    subject: 'A recovery code was used to sign in',
    blocks: [
      `Hello ${name},`,
      `a device signed in to your Callboard account with one of your recovery codes: ${device}, on ${toTimeText(at)}. ${toLeftText(left)}`,
      'If that was you, there is nothing to do. If not, sign out all devices now and choose a new password.',
      { label: 'It wasn’t me', url },
    ],
  }),
});
