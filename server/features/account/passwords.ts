import { availableParallelism } from 'node:os';
import { hash, verify } from '@node-rs/argon2';
import { ConcurrencyLimiter } from '#server/platform/http/concurrency-limiter.ts';

/** The OWASP setting of argon2id: 19 MiB, two passes. Each run takes a core, so only so many run at once. */
const OPTIONS = { memoryCost: 19_456, timeCost: 2, parallelism: 1 };
const hashMutex = new ConcurrencyLimiter(Math.max(1, availableParallelism() - 1), 100);

export const hashPassword = (password: string) => hashMutex.run(() => hash(password, OPTIONS));

let decoy: Promise<string> | null = null;
/** Takes the same time whether the account exists or not. @param stored the account's hash, or null where there is none */
export async function verifyPassword(stored: string | null, password: string): Promise<boolean> {
  decoy ??= hashPassword('nobody has this password');
  const against = stored ?? (await decoy);
  const fits = await hashMutex.run(() => verify(against, password));
  return fits && stored !== null;
}
