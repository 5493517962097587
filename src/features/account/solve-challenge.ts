import type { Challenge, SolvedChallenge } from '#contract/records/registration.ts';

const toHex = (bytes: Uint8Array) => Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('');
const fromHex = (text: string) => Uint8Array.from(text.match(/../g) ?? [], (pair) => Number.parseInt(pair, 16));

/** Tries numbers from 0 on until the key of one begins as the challenge asks. */
export async function solveChallenge(challenge: Challenge): Promise<SolvedChallenge> {
  const { nonce, salt, cost, keyLength, keyPrefix } = challenge.parameters;
  const pbkdf2 = { name: 'PBKDF2', hash: 'SHA-256', salt: fromHex(salt), iterations: cost };
  const password = new Uint8Array([...fromHex(nonce), 0, 0, 0, 0]);
  const counterBytes = new DataView(password.buffer, password.length - 4);
  for (let counter = 0; ; counter += 1) {
    counterBytes.setUint32(0, counter);
    const key = await crypto.subtle.importKey('raw', password, 'PBKDF2', false, ['deriveBits']);
    const derivedKey = toHex(new Uint8Array(await crypto.subtle.deriveBits(pbkdf2, key, keyLength * 8)));
    if (derivedKey.startsWith(keyPrefix)) return { challenge, solution: { counter, derivedKey } };
  }
}
