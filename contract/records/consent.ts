import * as z from 'zod/mini';
import { isKnownVersion, LEGAL_DOCUMENTS, type LegalDocument } from '../legal.ts';
import { boundedText, calendarDay } from '../schema.ts';
import { email, legalVersion, linkToken } from './account.ts';

/** A guardian's answer about the page of a person under 18. */
export const GUARDIAN_STATES = ['asked', 'agreed', 'declined', 'withdrawn'] as const;
export type GuardianState = (typeof GUARDIAN_STATES)[number];

/** That the person agreed to a version of a text. */
export const consentRecord = z.object({
  document: z.literal(LEGAL_DOCUMENTS),
  version: z.string(),
  agreed_at: z.string(),
});
export type Consent = z.infer<typeof consentRecord>;
export const consentBody = z
  .object({
    document: z.literal(LEGAL_DOCUMENTS, { error: 'Use terms or privacy' }),
    version: legalVersion,
  })
  .check(
    z.refine(({ document, version }) => isKnownVersion(document as LegalDocument, version), {
      error: 'There is no such version',
      path: ['version'],
    }),
  );

/** Longest reason of a request to correct the date of birth, in code points. */
export const AGE_REASON_MAX = 500;
export const bornOnBody = z.object({
  born_on: calendarDay,
  /** For the desk, if it has to check the correction. */
  reason: z.optional(z.nullable(boundedText(AGE_REASON_MAX))),
});
/** A request to correct the date of birth that waits for the desk, or that the desk declined. */
export const ageRequestRecord = z.object({
  /** The date that the person asks for, YYYY-MM-DD. */
  born_on: z.string(),
  reason: z.nullable(z.string()),
  asked_at: z.string(),
  state: z.literal(['open', 'declined']),
  /** Why it was declined. */
  words: z.nullable(z.string()),
});
export type AgeRequest = z.infer<typeof ageRequestRecord>;
export const guardianBody = z.object({ email });
export const guardianRecord = z.object({ email: z.string(), state: z.literal(GUARDIAN_STATES) });
export type Guardian = z.infer<typeof guardianRecord>;
/** What a guardian decides, with the link from a mail. */
export const decideBody = z.object({ token: linkToken, agree: z.boolean({ error: 'Use true or false' }) });

/** What the account page shows of the caller's account. */
export const accountRecord = z.object({
  id: z.string(),
  name: z.string(),
  email: z.string(),
  email_verified: z.boolean(),
  pending_email: z.nullable(z.string()),
  /** Null if the person has not said. */
  born_on: z.nullable(z.string()),
  /** Whether the person is protected as somebody under 18, also when their age is not known. */
  is_minor: z.boolean(),
  guardian: z.nullable(guardianRecord),
  /** Null if nothing waits and the newest request was not declined. Absent on servers without such requests. */
  age_request: z.optional(z.nullable(ageRequestRecord)),
  role: z.literal(['person', 'moderator', 'operator']),
  state: z.literal(['active', 'suspended', 'removing']),
  /** Why the person may read, but not write, and until when. Null if nothing of that kind is in force. */
  suspension: z.nullable(
    z.object({ reason: z.string(), words: z.string(), until: z.nullable(z.string()), appealed: z.boolean() }),
  ),
  ways: z.object({ password: z.boolean(), passkeys: z.int(), recovery_codes_left: z.int() }),
});
export type Account = z.infer<typeof accountRecord>;
