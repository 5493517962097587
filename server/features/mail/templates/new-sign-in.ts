import * as z from 'zod/mini';
import { defineMail } from '../kind.ts';
import { LINK_DAYS, toLifetime } from './lifetime.ts';
import { toTimeText } from './time-text.ts';

/** Tells a person that a device signed in that has not before. */
export const NEW_SIGN_IN = defineMail({
  name: 'signin.new',
  params: z.object({
    at: z.string(),
    device: z.string(),
    timeZone: z.nullable(z.string()),
    /** Absent in mails that an earlier release queued. */
    place: z.optional(z.nullable(z.string())),
  }),
  link: { purpose: 'secure', page: '/secure', lifetimeMs: toLifetime(LINK_DAYS) },
  switchedBy: 'signInMail',
  compose: ({ at, device, timeZone, place = null }, { name, url }) => ({
    subject: 'New sign-in to your account',
    blocks: [
      `Hello ${name},`,
      `a new device signed in to your Callboard account: ${device}, on ${toTimeText(at, timeZone)}.` +
        (place === null ? '' : ` By its settings, it is probably in ${place}.`) +
        (timeZone === null ? '' : ` Its clock is set to the time of ${toCity(timeZone)}.`),
      'If that was you, there is nothing to do. If not, sign out all devices now and choose a new password.',
      { label: 'It wasn’t me', url },
      'You can switch off these e-mails in Settings.',
    ],
  }),
});

/** 'Asia/Kolkata' → 'Kolkata'. */
const toCity = (timeZone: string) => timeZone.replace(/^.*\//, '').replaceAll('_', ' ');
