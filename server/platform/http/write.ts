import { createHash } from 'node:crypto';
import { and, eq, sql } from 'drizzle-orm';
import type { Db } from '#server/platform/db/connect.ts';
import { ChangeLog } from '#server/platform/db/change-log.ts';
import { idempotencyKeys } from '#server/platform/db/schema.ts';
import type { RouteResponse } from './response.ts';
import { conflict, invalid, unprocessable } from './errors.ts';

/** What a write is made of. */
export interface WriteTransaction {
  tx: Db;
  changes: ChangeLog;
}

/** Who asks for what under which key; absent for callers without an account, whose answers are not kept. */
export interface IdempotentRequest {
  userId: number;
  key: string;
  /** Of everything that makes the request what it is. */
  fingerprint: string;
}

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i;

/** @throws 422 when the header holds no UUID */
export function readIdempotencyKey(header: string | string[] | undefined): string | null {
  if (header === undefined) return null;
  if (typeof header === 'string' && UUID.test(header)) return header.toLowerCase();
  throw invalid({ 'Idempotency-Key': ['Send a UUID'] });
}

export function computeFingerprint(...parts: (string | Buffer)[]): string {
  const hash = createHash('sha256');
  for (const part of parts) hash.update(`${part.length}:`).update(part);
  return hash.digest('base64url');
}

/** Lost a race against another transaction; doing it again is all it takes. */
const isSerializationFailure = (error: unknown) => ['40001', '40P01'].includes(getSqlState(error) ?? '');

/** PostgreSQL's code of the error, which Drizzle wraps. */
export function getSqlState(error: unknown): string | undefined {
  for (let cause = error; cause instanceof Error; cause = cause.cause) {
    const code = (cause as { code?: unknown }).code;
    if (typeof code === 'string') return code;
  }
  return undefined;
}

async function findStoredResponse(
  tx: Db,
  { userId, key, fingerprint }: IdempotentRequest,
): Promise<RouteResponse | null> {
  // Two statements: the second must see what the holder of the lock has committed.
  const lock = await tx.execute<{ free: boolean }>(
    sql`select pg_try_advisory_xact_lock(hashtextextended(${`${userId} ${key}`}, 0)) as free`,
  );
  if (lock.rows[0]?.free !== true) throw conflict('The same request is still in progress', 1);
  const [stored] = await tx
    .select()
    .from(idempotencyKeys)
    .where(and(eq(idempotencyKeys.userId, userId), eq(idempotencyKeys.key, key)));
  if (stored === undefined) return null;
  if (stored.fingerprint !== fingerprint) throw unprocessable('This Idempotency-Key was used for another request');
  return {
    status: stored.status,
    body: stored.body === '' ? undefined : JSON.parse(stored.body),
    headers: { ...stored.headers, 'idempotency-replayed': 'true' },
  };
}

/**
 * Runs a write in one transaction with the record of its answer and its entries in the sync feed: all of it or nothing.
 * @param options `except`: the live socket of the device that asks, which need not be told
 * A repeat under the same key gets the stored answer. A refusal is thrown, rolls back and is not stored.
 */
export async function runWrite(
  db: Db,
  now: () => Date,
  repeatable: IdempotentRequest | null,
  work: (transaction: WriteTransaction) => Promise<RouteResponse>,
  { except }: { except?: string | undefined } = {},
): Promise<RouteResponse> {
  const attempt = () =>
    db.transaction(async (tx) => {
      const stored = repeatable && (await findStoredResponse(tx, repeatable));
      if (stored) return stored;
      const changes = new ChangeLog(except);
      const answer = await work({ tx, changes });
      await changes.flush(tx, now());
      if (repeatable) {
        await tx.insert(idempotencyKeys).values({
          ...repeatable,
          status: answer.status,
          headers: answer.headers ?? {},
          body: answer.body === undefined ? '' : JSON.stringify(answer.body),
          createdAt: now(),
        });
      }
      return answer;
    });
  for (let tries = 1; ; tries += 1) {
    try {
      return await attempt();
    } catch (error) {
      if (tries >= 4 || !isSerializationFailure(error)) throw error;
    }
  }
}
