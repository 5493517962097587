import type { Endpoint } from './section.ts';

/** Endpoints of passkeys, recovery codes and confirming who one is. A file of its own keeps them out of the first bundle. */
export const SIGN_IN_CALLS = {
  reauthOptions: { method: 'POST', path: '/reauth/options', isExtension: true },
  reauth: { method: 'POST', path: '/reauth', isExtension: true },
  passkeys: { method: 'GET', path: '/passkeys', isExtension: true },
  passkeyOptions: { method: 'POST', path: '/passkeys/options', isExtension: true },
  addPasskey: { method: 'POST', path: '/passkeys', isExtension: true },
  renamePasskey: { method: 'PATCH', path: '/passkeys/:id', isExtension: true },
  removePasskey: { method: 'DELETE', path: '/passkeys/:id', isExtension: true },
  passkeySignInOptions: { method: 'POST', path: '/login/passkey/options', isExtension: true },
  passkeySignIn: { method: 'POST', path: '/login/passkey', isExtension: true },
  recoveryCodes: { method: 'GET', path: '/recovery-codes', isExtension: true },
  makeRecoveryCodes: { method: 'POST', path: '/recovery-codes', isExtension: true },
  recoverySignIn: { method: 'POST', path: '/login/recovery', isExtension: true },
} as const satisfies Record<string, Endpoint>;
