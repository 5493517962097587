import { createChallenge, randomInt, verifySolution } from 'altcha-lib';
import { deriveKey } from 'altcha-lib/algorithms/pbkdf2';
import * as z from 'zod/mini';
import { solvedChallenge, type Challenge, type SolvedChallenge } from '#contract/records/registration.ts';
import type { Db } from '#server/platform/db/connect.ts';
import { getSigningSecret } from '#server/platform/db/signing-secret.ts';
import { limits } from '#server/platform/db/schema.ts';
import type { Deps } from '#server/platform/deps.ts';
import { invalid } from '#server/platform/http/errors.ts';
import { LIMIT } from '#server/platform/http/limits.ts';

/** How long a solution is accepted: somebody may take their time over the form. */
export const CHALLENGE_MS = 10 * 60_000;
/** Rounds of PBKDF2 for each try, and how many tries a device needs. */
const COST = 2000;
const MIN_TRIES = 200;
const MAX_TRIES = 400;
/** Factor of the cost while unusually many accounts are made. */
const CROWDED_FACTOR = 4;

type Parts = Pick<Deps, 'db' | 'sharedLimiter'>;

/** The secret must not be that of other signatures: the library decides what it signs. */
const getSecret = async (db: Db) => `challenge ${await getSigningSecret(db)}`;

/** Makes a challenge for a registration. It costs more while unusually many accounts are made. */
export async function makeRegistrationChallenge({ db, sharedLimiter }: Parts, now: Date): Promise<Challenge> {
  const isCrowded = await sharedLimiter.isUsedUp(LIMIT.registrationsOfAll, 'all');
  const made = await createChallenge({
    algorithm: 'PBKDF2/SHA-256',
    cost: isCrowded ? COST * CROWDED_FACTOR : COST,
    counter: randomInt(MIN_TRIES, MAX_TRIES),
    // By the clock of this server; the library would read its own.
    data: { until: now.getTime() + CHALLENGE_MS },
    deriveKey,
    hmacSignatureSecret: await getSecret(db),
  });
  return made as Challenge;
}

function readSolution(given: string): SolvedChallenge | null {
  try {
    return z.safeParse(solvedChallenge, JSON.parse(given)).data ?? null;
  } catch {
    // Not JSON.
    return null;
  }
}

/** Takes a challenge, so that its solution is good for one registration. @returns false if it was taken before */
async function takeNonce(db: Db, { parameters }: Challenge): Promise<boolean> {
  const taken = await db
    .insert(limits)
    .values({ key: `challenge:${parameters.nonce}`, points: 1, expire: parameters.data.until })
    .onConflictDoNothing()
    .returning({ key: limits.key });
  return taken.length > 0;
}

async function isGood(db: Db, { challenge, solution }: SolvedChallenge, now: Date): Promise<boolean> {
  if (challenge.parameters.data.until <= now.getTime()) return false;
  const { verified } = await verifySolution({
    challenge,
    solution,
    deriveKey,
    hmacSignatureSecret: await getSecret(db),
  });
  return verified;
}

/**
 * Accepts the solution of a challenge, once.
 * @throws 422 naming `challenge`: the app fetches a new one and tries again by itself
 */
export async function requireSolvedChallenge(
  { db, sharedLimiter }: Parts,
  given: string | undefined,
  now: Date,
): Promise<void> {
  // An app of before does not know challenges.
  if (given === undefined) throw invalid({ challenge: ['Reload this page and try again.'] });
  const solved = readSolution(given);
  const isAccepted = solved !== null && (await isGood(db, solved, now)) && (await takeNonce(db, solved.challenge));
  if (!isAccepted) throw invalid({ challenge: ['Something went wrong. Try again.'] });
  await sharedLimiter.count(LIMIT.registrationsOfAll, 'all');
}
