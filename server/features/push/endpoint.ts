import { createHash, ECDH } from 'node:crypto';

/**
 * Whether pushes may be sent to this address. Browsers give it to us, so anybody could send the address of a machine inside our network:
 * only the push services of browsers are allowed.
 * @param hosts host names with their port, if it is not 443; `*.` stands for one or more labels in front
 */
export function isAllowedEndpoint(endpoint: string, hosts: readonly string[]): boolean {
  if (!URL.canParse(endpoint)) return false;
  const { protocol, host, username, password } = new URL(endpoint);
  if (protocol !== 'https:' || username !== '' || password !== '') return false;
  return hosts.some((allowed) => (allowed.startsWith('*.') ? host.endsWith(allowed.slice(1)) : host === allowed));
}

export const hashEndpoint = (endpoint: string): string => createHash('sha256').update(endpoint).digest('hex');

/** Whether a public key is a point on the curve, so that pushes can be encrypted with it. */
export function isUsableKey(p256dh: string): boolean {
  try {
    ECDH.convertKey(Buffer.from(p256dh, 'base64url'), 'prime256v1');
    return true;
  } catch {
    return false;
  }
}
