import * as z from 'zod/mini';
import { boundedText } from '../schema.ts';
import { loginBody, presentPassword } from './account.ts';

/** Limits of passkeys. Not among the others, which every page loads. The length of a name is in code points. */
export const PASSKEY_LIMITS = { perPerson: 20, name: 50 } as const;

/** Binary data of WebAuthn. A credential id has at most 1,023 bytes; public keys and attestations stay far below this. */
const base64url = (maxLength: number) =>
  z
    .string({ error: 'The passkey could not be read' })
    .check(
      z.minLength(1, { error: 'The passkey could not be read', abort: true }),
      z.maxLength(maxLength, { error: 'The passkey could not be read', abort: true }),
      z.regex(/^[\w-]+$/, { error: 'The passkey could not be read' }),
    );
const CREDENTIAL_ID_LENGTH = 1364;
const DATA_LENGTH = 20_000;

const credential = { id: base64url(CREDENTIAL_ID_LENGTH), rawId: base64url(CREDENTIAL_ID_LENGTH) };
const credentialType = z.literal('public-key', { error: 'The passkey could not be read' });
const object = { error: 'The passkey could not be read' };

/** What the browser returns for a new passkey, as in `RegistrationResponseJSON` of WebAuthn. Other fields are ignored. */
const registrationResponse = z.object(
  {
    ...credential,
    type: credentialType,
    response: z.object({
      clientDataJSON: base64url(DATA_LENGTH),
      attestationObject: base64url(DATA_LENGTH),
      transports: z.optional(z.array(z.string().check(z.maxLength(32))).check(z.maxLength(10))),
    }),
  },
  object,
);
/** What the browser returns for a known passkey, as in `AuthenticationResponseJSON` of WebAuthn. */
export const authenticationResponse = z.object(
  {
    ...credential,
    type: credentialType,
    response: z.object({
      clientDataJSON: base64url(DATA_LENGTH),
      authenticatorData: base64url(DATA_LENGTH),
      signature: base64url(DATA_LENGTH),
      userHandle: z.optional(base64url(200)),
    }),
  },
  object,
);
export type AuthenticationResponse = z.infer<typeof authenticationResponse>;

const challengeId = z.uuid({ error: 'Start again' });
/** The options of WebAuthn, as the browser's own functions take them. */
const webauthnOptions = z.record(z.string(), z.unknown());
/** A challenge that works once, for five minutes. */
export const challengeRecord = z.object({ challenge_id: z.string(), options: webauthnOptions });
export type ChallengeRecord = z.infer<typeof challengeRecord>;

/** How the caller can prove who they are. Without a passkey there is no challenge. */
export const reauthOptionsRecord = z.object({
  ways: z.object({ password: z.boolean(), passkeys: z.int() }),
  challenge: z.nullable(challengeRecord),
});
export type ReauthOptionsRecord = z.infer<typeof reauthOptionsRecord>;
/** One of the two ways. */
export const reauthBody = z.object({
  password: z.optional(presentPassword),
  challenge_id: z.optional(challengeId),
  response: z.optional(authenticationResponse),
});
/** The new token replaces that of the request. Until `fresh_until`, calls are accepted that need a fresh sign-in. */
export const reauthRecord = z.object({ message: z.string(), token: z.string(), fresh_until: z.string() });
export type ReauthRecord = z.infer<typeof reauthRecord>;

export const passkeyRecord = z.object({
  id: z.string(),
  name: z.string(),
  created_at: z.string(),
  /** Null if it has never been used to sign in. */
  last_used_at: z.nullable(z.string()),
  /** Whether the person's other devices may have it too, through the account that keeps their passwords. */
  synced: z.boolean(),
});
export type PasskeyRecord = z.infer<typeof passkeyRecord>;

const passkeyName = boundedText(PASSKEY_LIMITS.name, { missing: 'Enter a name' });
export const addPasskeyBody = z.object({
  challenge_id: challengeId,
  response: registrationResponse,
  /** By default the device that adds it. */
  name: z.optional(passkeyName),
});
export const renamePasskeyBody = z.object({ name: passkeyName });
export const removePasskeyBody = z.object({
  /** Whether the other devices are signed out too. */
  sign_out_others: z.optional(z.boolean({ error: 'Use true or false' })),
});
/** What the browser needs to tell its password manager which passkeys still work. */
export const remainingPasskeys = z.object({
  rp_id: z.string(),
  user_handle: z.string(),
  credential_ids: z.array(z.string()),
});
export type RemainingPasskeys = z.infer<typeof remainingPasskeys>;

export const passkeySignInBody = z.object({
  challenge_id: challengeId,
  response: authenticationResponse,
  time_zone: loginBody.shape.time_zone,
});

/** Crockford’s alphabet has neither I, L, O nor U: the first three are read as the digits they look like. */
const readRecoveryCode = (typed: string): string =>
  typed.toUpperCase().replace(/[\s-]/g, '').replace(/O/g, '0').replace(/[IL]/g, '1');
export const recoverySignInBody = z.object({
  email: loginBody.shape.email,
  code: z
    .string({ error: 'Enter one of your codes' })
    .check(
      z.maxLength(100, { error: 'Enter one of your codes', abort: true }),
      z.overwrite(readRecoveryCode),
      z.regex(/^[0-9A-HJKMNP-TV-Z]{10}$/, { error: 'A code has ten letters and digits' }),
    ),
  time_zone: loginBody.shape.time_zone,
});
/** The codes that still work. */
export const recoveryCodesRecord = z.object({ left: z.int() });
export type RecoveryCodesRecord = z.infer<typeof recoveryCodesRecord>;
/** New codes, in the only response that has them. */
export const newRecoveryCodes = z.object({ message: z.string(), codes: z.array(z.string()) });
export type NewRecoveryCodes = z.infer<typeof newRecoveryCodes>;
