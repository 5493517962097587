import type { Endpoint } from './section.ts';

/** Endpoints of age, guardians and agreements. A file of its own keeps them out of the first bundle. */
export const CONSENT_CALLS = {
  account: { method: 'GET', path: '/account', isExtension: true },
  consents: { method: 'GET', path: '/consents', isExtension: true },
  addConsent: { method: 'POST', path: '/consents', isExtension: true },
  setBornOn: { method: 'PUT', path: '/born-on', isExtension: true },
  withdrawBornOn: { method: 'DELETE', path: '/born-on/request', isExtension: true },
  comeOfAge: { method: 'POST', path: '/of-age', isExtension: true },
  nameGuardian: { method: 'PUT', path: '/guardian', isExtension: true },
  decideAsGuardian: { method: 'POST', path: '/guardian/decide', isExtension: true },
} as const satisfies Record<string, Endpoint>;
