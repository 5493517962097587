import type { RemainingPasskeys } from '#contract/records/sign-in.ts';

/** Newer browsers can tell the password manager which passkeys no longer work. Missing from TypeScript's library. */
interface Signals {
  signalUnknownCredential?(options: { rpId: string; credentialId: string }): Promise<void>;
  signalAllAcceptedCredentials?(options: {
    rpId: string;
    userId: string;
    allAcceptedCredentialIds: string[];
  }): Promise<void>;
}
const signals = () => (globalThis.PublicKeyCredential ?? {}) as Signals;

/** Has the password manager stop offering passkeys that were removed. A browser that cannot do it goes on offering them. */
export async function signalRemaining({ rp_id, user_handle, credential_ids }: RemainingPasskeys): Promise<void> {
  await signals()
    .signalAllAcceptedCredentials?.({ rpId: rp_id, userId: user_handle, allAcceptedCredentialIds: credential_ids })
    .catch(console.warn);
}

/** Has the password manager stop offering a passkey that the server does not know. */
export async function signalUnknown(credentialId: string): Promise<void> {
  await signals().signalUnknownCredential?.({ rpId: location.hostname, credentialId }).catch(console.warn);
}
