import { randomBytes } from 'node:crypto';
import { availableParallelism } from 'node:os';
import { hash, verify } from '@node-rs/argon2';
import { invalid } from '#server/platform/http/errors.ts';
import { getWeakness, type PersonalWords } from './common-passwords.ts';
import { ConcurrencyLimiter } from '#server/platform/http/concurrency-limiter.ts';

/** OWASP parameters for argon2id: 19 MiB, two passes. Each hash occupies a core, so the number of concurrent hashes is limited. */
const OPTIONS = { memoryCost: 19_456, timeCost: 2, parallelism: 1 };
const hashLimiter = new ConcurrencyLimiter(Math.max(1, availableParallelism() - 1), 100);

export const hashPassword = (password: string) => hashLimiter.run(() => hash(password, OPTIONS));

/** A salt for hashes that one computation is compared with. */
export const createSalt = (): Buffer => randomBytes(16);

/** Hashes a secret with this salt: the same secret gives the same hash. */
export const hashWithSalt = (secret: string, salt: Buffer): Promise<string> =>
  hashLimiter.run(() => hash(secret, { ...OPTIONS, salt }));

/** Reads the salt of a stored hash: `$argon2id$v=19$m=…,t=…,p=…$salt$hash`. */
export function readSalt(stored: string): Buffer {
  const [, , , , salt] = stored.split('$');
  if (salt === undefined) throw new Error('A stored hash has no salt');
  return Buffer.from(salt, 'base64');
}

let decoy: Promise<string> | null = null;
/** A hash to compare with where there is none. One that is refused because too many hashes wait is computed again by the next sign-in. */
function getDecoy(): Promise<string> {
  decoy ??= hashPassword('nobody has this password').catch((error: unknown) => {
    decoy = null;
    throw error;
  });
  return decoy;
}

/** Takes the same time whether or not the account exists. @param stored the account's hash, or null if there is no account */
export async function verifyPassword(stored: string | null, password: string): Promise<boolean> {
  const against = stored ?? (await getDecoy());
  const fits = await hashLimiter.run(() => verify(against, password));
  return fits && stored !== null;
}

const WEAK = {
  common: 'Too many people use this password. Choose another one',
  own: 'Your name and e-mail are easy to guess. Choose another password',
};

/** @throws 422 naming `password` when it is easy to guess */
export function refuseWeak(password: string, person: PersonalWords): void {
  const weakness = getWeakness(password, person);
  if (weakness !== null) throw invalid({ password: [WEAK[weakness]] });
}
