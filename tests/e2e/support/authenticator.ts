import type { CDPSession, Page } from '@playwright/test';

/** A virtual authenticator of the browser: a phone with a screen lock that keeps passkeys and syncs them. */
export interface VirtualAuthenticator {
  /** Number of passkeys it keeps. */
  count(): Promise<number>;
  /** Whether the person touches it by themselves; otherwise it waits. */
  setPresence(isPresent: boolean): Promise<void>;
  /** Whether the person unlocks it. */
  setVerified(isVerified: boolean): Promise<void>;
}

/** Adds an authenticator to the page's browser. Browsers offer passkeys only on secure pages and on localhost. */
export async function addAuthenticator(page: Page): Promise<VirtualAuthenticator> {
  const session: CDPSession = await page.context().newCDPSession(page);
  await session.send('WebAuthn.enable', { enableUI: false });
  const { authenticatorId } = await session.send('WebAuthn.addVirtualAuthenticator', {
    options: {
      protocol: 'ctap2',
      ctap2Version: 'ctap2_1',
      transport: 'internal',
      hasResidentKey: true,
      hasUserVerification: true,
      isUserVerified: true,
      automaticPresenceSimulation: true,
      defaultBackupEligibility: true,
      defaultBackupState: true,
    },
  });
  return {
    count: async () => (await session.send('WebAuthn.getCredentials', { authenticatorId })).credentials.length,
    setPresence: async (enabled) => {
      await session.send('WebAuthn.setAutomaticPresenceSimulation', { authenticatorId, enabled });
    },
    setVerified: async (isUserVerified) => {
      await session.send('WebAuthn.setUserVerified', { authenticatorId, isUserVerified });
    },
  };
}
