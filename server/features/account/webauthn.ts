/**
 * The library of passkeys. It is loaded at the first use, because loading it takes as long as a quarter of the server's other start and
 * a server that only restarts needs none of it.
 */
export const loadWebAuthn = () => import('@simplewebauthn/server');
