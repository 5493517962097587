import * as z from 'zod/mini';
import { LIMITS } from '../limits.ts';
import { boundedText, calendarDay } from '../schema.ts';
import { availabilityFor } from './availability.ts';
import { changePushSettings, pushSettings } from './push.ts';
import { codePoints } from '../text.ts';

export const email = z.string().check(
  z.trim(),
  z.toLowerCase(),
  // `abort` reports one error at a time: an empty field is not also reported as malformed.
  z.minLength(1, { error: 'Enter your e-mail', abort: true }),
  z.maxLength(254, { error: 'Check the e-mail address', abort: true }),
  z.email({ error: 'Check the e-mail address' }),
);
const newPassword = z.string().check(
  z.refine((value) => codePoints(value) >= LIMITS.passwordMin, {
    error: `Use at least ${LIMITS.passwordMin} characters`,
  }),
  z.refine((value) => codePoints(value) <= LIMITS.passwordMax, {
    error: `Keep it to ${LIMITS.passwordMax} characters`,
  }),
);

const personName = boundedText(100, { missing: 'Enter your name' });

/** IANA name of the device's time zone. It tells the person where a new device probably is; only the name of that country is kept. */
const timeZone = z.optional(z.string().check(z.maxLength(64)));

/** A version of a text that people agree to. */
export const legalVersion = z
  .string({ error: 'Say which version' })
  .check(z.minLength(1, { error: 'Say which version' }), z.maxLength(20, { error: 'Say which version' }));

/** Older apps send neither age nor agreements: their people count as under 18 until they say otherwise. */
export const registerBody = z.object({
  name: personName,
  email,
  password: newPassword,
  time_zone: timeZone,
  /** The solution of a challenge, where the server asks for one: JSON of `solvedChallenge`. Older apps send none. */
  challenge: z.optional(
    z
      .string({ error: 'Something went wrong. Try again.' })
      .check(z.maxLength(4000, { error: 'Something went wrong. Try again.' })),
  ),
  born_on: z.optional(calendarDay),
  /** The versions of the texts that the person agrees to. */
  terms: z.optional(legalVersion),
  privacy: z.optional(legalVersion),
  /** Of somebody under 18: who is asked whether their page may be public. */
  guardian_email: z.optional(email),
});
export const loginBody = z.object({
  email: z.string().check(z.trim(), z.toLowerCase(), z.minLength(1, { error: 'Enter your e-mail' }), z.maxLength(254)),
  password: z.string().check(z.minLength(1, { error: 'Enter your password' }), z.maxLength(1000)),
  time_zone: timeZone,
});
export const presentPassword = z.string().check(z.minLength(1, { error: 'Enter your password' }), z.maxLength(1000));
/** Changing the password ends the account's other sessions. */
export const changePasswordBody = z.object({
  current_password: presentPassword,
  password: newPassword,
  /** Whether the response may have a new token for this device. Older apps would not store it, and be signed out. */
  renew_token: z.optional(z.boolean({ error: 'Use true or false' })),
});
export const passwordChanged = z.object({ message: z.string(), token: z.optional(z.string()) });
/** The name of the person. The addresses of their pages stay as they are. */
export const changeNameBody = z.object({ name: personName });
/**
 * The new address counts once its owner has opened the link that is sent there. The present address takes a change back that is not
 * confirmed yet.
 */
export const changeEmailBody = z.object({ email });
/** Deleting the account deletes all of its data, so it needs a fresh sign-in. Older apps send the password instead. */
export const deleteAccountBody = z.object({ password: z.optional(presentPassword) });

/** The token of a link in a mail. */
export const linkToken = z.string().check(z.minLength(1, { error: 'The link is incomplete' }), z.maxLength(200));
export const forgotPasswordBody = z.object({ email });
/** Setting a new password ends all sessions of the account and signs this device in. */
export const resetPasswordBody = z.object({ token: linkToken, password: newPassword, time_zone: timeZone });
export const linkBody = z.object({ token: linkToken });
/** Asks whether a link works before the page shows its form. */
export const checkLinkBody = z.object({
  token: linkToken,
  purpose: z.enum(['verify', 'reset', 'secure', 'guardian'], { error: 'Use verify, reset, secure or guardian' }),
});
/** Whom a link is for, and until when it works. */
export const linkRecord = z.object({
  email: z.string(),
  expires_at: z.string(),
  /** Of a guardian's link: whose guardian, and what the guardian has said so far. */
  child: z.optional(z.object({ name: z.string(), state: z.string() })),
});
export type LinkRecord = z.infer<typeof linkRecord>;

const yesOrNo = z.boolean({ error: 'Use true or false' });
/** What people without a connection may see of a person, beside their page. */
export const privacyRecord = z.object({
  /** Phone numbers of public contacts. */
  phone: yesOrNo,
  /** E-mail addresses of public contacts. */
  email: yesOrNo,
  /** The day rate, for people who are signed in. */
  day_rate: yesOrNo,
  /** Whether search engines may list the page. */
  search_engines: yesOrNo,
});
export type Privacy = z.infer<typeof privacyRecord>;
export const settingsRecord = z.object({
  read_receipts: yesOrNo,
  /** Whether those who ask the person to audition learn that they have seen it. Absent on servers where `read_receipts` decides that. */
  audition_receipts: z.optional(yesOrNo),
  /** Whether a new device that signs in is reported by e-mail. */
  sign_in_mail: yesOrNo,
  /** Whether news that reached none of the person's devices is told by e-mail, and whether messages count too. Absent on servers without it. */
  news_mail: z.optional(yesOrNo),
  message_mail: z.optional(yesOrNo),
  /** Absent on servers without these switches. */
  privacy: z.optional(privacyRecord),
  /** Which notifications reach the devices. Absent on servers that send none. */
  push: z.optional(pushSettings),
  /** Who sees on which days the person is free. Absent on servers without availability. */
  availability_for: z.optional(availabilityFor),
});
export type SettingsRecord = z.infer<typeof settingsRecord>;
/** Settings that are absent stay as they are. */
export const changeSettingsBody = z.extend(z.partial(settingsRecord), {
  privacy: z.optional(z.partial(privacyRecord)),
  push: z.optional(changePushSettings),
});

export const userRecord = z.object({
  id: z.string(),
  name: z.string(),
  email: z.string(),
  /** Whether the person has confirmed the address. Absent on servers that do not ask. */
  email_verified: z.optional(z.boolean()),
  /** Whether others see the person, and hear from them, only once the address is confirmed. Absent: no. */
  must_confirm_email: z.optional(z.boolean()),
  /** The address that replaces `email` once it is confirmed. */
  pending_email: z.optional(z.nullable(z.string())),
  /** One of the two addresses, if mail could not be delivered to it. It counts as not confirmed until a link that is sent there is opened. */
  unreachable_email: z.optional(z.nullable(z.string())),
  /**
   * What the app asks the person next: their date of birth, to agree to a new version of a text, to confirm the address, for a guardian
   * (also while the guardian has not answered), or, at 18, whether the page should open. Null if there is nothing to ask.
   */
  asks: z.optional(z.nullable(z.enum(['born_on', 'consent', 'email', 'guardian', 'of_age']))),
  /** What the person may do at the moderation desk. Absent on servers without one. */
  role: z.optional(z.literal(['person', 'moderator', 'operator'])),
  /** Whether the person may read, but not write. */
  is_suspended: z.optional(z.boolean()),
  /** What the desk hides of the person’s, as type and id: 'media:12'. Absent on servers without a desk. */
  hidden_by_desk: z.optional(z.array(z.string())),
});
export type User = z.infer<typeof userRecord>;

export const signedIn = z.object({ message: z.string(), token: z.string(), user: userRecord });
export type SignedIn = z.infer<typeof signedIn>;

export const sessionRecord = z.object({
  id: z.string(),
  device: z.string(),
  /** Where the device’s clock or language suggests it is: 'India'. Null if neither says; absent on older servers. */
  place: z.optional(z.nullable(z.string())),
  created_at: z.string(),
  last_seen_at: z.string(),
  /** Number of unsent changes on that device, from its last X-Pending header. */
  pending: z.int(),
  current: z.boolean(),
});
export type SessionRecord = z.infer<typeof sessionRecord>;
