import {
  browserSupportsWebAuthn,
  startAuthentication,
  startRegistration,
  WebAuthnError,
  type PublicKeyCredentialCreationOptionsJSON,
  type PublicKeyCredentialRequestOptionsJSON,
} from '@simplewebauthn/browser';

/** A challenge of the server, with the options that it made for the browser. */
interface Challenge {
  challenge_id: string;
  options: object;
}

/** Browsers bind passkeys to a name and refuse them for an address such as 127.0.0.1 or [::1]. */
const isIpAddress = (host: string) => /^[\d.]+$|^\[/.test(host);

/** Returns why there are no passkeys on this page; null if there are. */
export function getUnsupportedText(): string | null {
  if (isIpAddress(location.hostname)) return 'Passkeys don’t work at this address.';
  return browserSupportsWebAuthn() ? null : 'This browser has no passkeys. You can add one in a newer browser.';
}

/** Has the browser make a passkey. @returns the body that the server checks. Rejects if there is none: see `getPasskeyErrorText` */
export async function createPasskey({ challenge_id, options }: Challenge) {
  const optionsJSON = options as PublicKeyCredentialCreationOptionsJSON;
  return { challenge_id, response: await startRegistration({ optionsJSON }) };
}

/**
 * Has the person choose a passkey, which signs the challenge. Ends another choice that is open.
 * @param isAutofill whether it is offered where the e-mail is typed, instead of in a window of its own
 * @returns the body that the server checks. Rejects if there is none: see `getPasskeyErrorText`
 */
export async function choosePasskey({ challenge_id, options }: Challenge, isAutofill = false) {
  const optionsJSON = options as PublicKeyCredentialRequestOptionsJSON;
  return { challenge_id, response: await startAuthentication({ optionsJSON, useBrowserAutofill: isAutofill }) };
}

const TEXTS: Partial<Record<WebAuthnError['code'], string>> = {
  ERROR_AUTHENTICATOR_PREVIOUSLY_REGISTERED: 'This device already has a passkey for your account.',
  ERROR_AUTHENTICATOR_MISSING_DISCOVERABLE_CREDENTIAL_SUPPORT: 'This device can’t keep passkeys. Try another one.',
  ERROR_AUTHENTICATOR_MISSING_USER_VERIFICATION_SUPPORT:
    'Set up a screen lock on this device first: a PIN, your face or your finger.',
  ERROR_INVALID_DOMAIN: 'Passkeys don’t work at this address.',
  ERROR_INVALID_RP_ID: 'Passkeys don’t work at this address.',
};

/** Returns what to say when the browser gives no passkey; null if the person closed its window or let it wait too long. */
export function getPasskeyErrorText(error: unknown): string | null {
  if (error instanceof WebAuthnError) {
    if (error.code === 'ERROR_CEREMONY_ABORTED') return null;
    const text = TEXTS[error.code];
    if (text !== undefined) return text;
  }
  const cause = error instanceof WebAuthnError ? error.cause : error;
  if (cause instanceof Error && (cause.name === 'NotAllowedError' || cause.name === 'AbortError')) return null;
  console.warn('The browser gave no passkey', error);
  return 'The passkey didn’t work. Try again.';
}
