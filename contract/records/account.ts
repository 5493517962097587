import * as z from 'zod/mini';
import { LIMITS } from '../limits.ts';
import { boundedText } from '../schema.ts';
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

export const registerBody = z.object({
  name: boundedText(100, { missing: 'Enter your name' }),
  email,
  password: newPassword,
});
export const loginBody = z.object({
  email: z.string().check(z.trim(), z.toLowerCase(), z.minLength(1, { error: 'Enter your e-mail' }), z.maxLength(254)),
  password: z.string().check(z.minLength(1, { error: 'Enter your password' }), z.maxLength(1000)),
});
const presentPassword = z.string().check(z.minLength(1, { error: 'Enter your password' }), z.maxLength(1000));
/** Changing the password ends the account's other sessions. */
export const changePasswordBody = z.object({ current_password: presentPassword, password: newPassword });
/** Deleting the account deletes all of its data, so the password is required again. */
export const deleteAccountBody = z.object({ password: presentPassword });

export const settingsRecord = z.object({ read_receipts: z.boolean({ error: 'Use true or false' }) });

export const userRecord = z.object({ id: z.string(), name: z.string(), email: z.string() });
export type User = z.infer<typeof userRecord>;

export const signedIn = z.object({ message: z.string(), token: z.string(), user: userRecord });
export type SignedIn = z.infer<typeof signedIn>;

export const sessionRecord = z.object({
  id: z.string(),
  device: z.string(),
  created_at: z.string(),
  last_seen_at: z.string(),
  /** Number of unsent changes on that device, from its last X-Pending header. */
  pending: z.int(),
  current: z.boolean(),
});
export type SessionRecord = z.infer<typeof sessionRecord>;
