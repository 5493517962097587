import { createHash } from 'node:crypto';
import type { QueryResult } from 'pg';
import { isAboutUpload } from '#contract/errors.ts';
import type { Db } from '#server/platform/db/connect.ts';
import { ChangeLog, type StoredRequest } from '#server/platform/db/change-log.ts';
import type { idempotencyKeys } from '#server/platform/db/schema.ts';
import type { RouteResponse } from './response.ts';
import { conflict, HttpError, invalid, unprocessable } from './errors.ts';

/** The database transaction of a write and the log of what it changes. */
export interface WriteTransaction {
  tx: Db;
  changes: ChangeLog;
}

/** A request with an Idempotency-Key. Responses to callers without an account are not stored. */
export interface IdempotentRequest {
  userId: number;
  key: string;
  /** Digest of method, URL and body. */
  fingerprint: string;
}

const MAX_ATTEMPTS = 4;
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

/**
 * The SQLSTATE codes of a transaction that lost to a concurrent one and can be retried: serialization failure, deadlock, and a unique value
 * that was free when the transaction looked.
 */
const LOST_TO_ANOTHER = ['40001', '40P01', '23505'];

/** Thrown by a write that read something which a concurrent write has changed since: the whole transaction is run again. */
export class LostRace extends Error {}

/**
 * Refusals of which the app tells the person that the change had no effect, so that an earlier attempt which arrives after that must have
 * none either, whatever has changed since.
 */
const FINAL_REFUSALS: readonly number[] = [404, 409, 410, 422];

/** Whether a repeat under the same key must be refused as well. One that should come again, now or with its bytes, may be accepted then. */
const isFinal = (error: unknown): error is HttpError =>
  error instanceof HttpError &&
  FINAL_REFUSALS.includes(error.status) &&
  error.headers['retry-after'] === undefined &&
  !isAboutUpload(error.body.errors);

/** The SQLSTATE code of an error that Drizzle may have wrapped. */
export function getSqlState(error: unknown): string | undefined {
  for (let cause = error; cause instanceof Error; cause = cause.cause) {
    const code = (cause as { code?: unknown }).code;
    if (typeof code === 'string') return code;
  }
  return undefined;
}

/**
 * SQL that locks a key until the commit, then reads the response stored under it. These are two statements: the second must see what
 * the previous holder of the lock has committed. They go out together with `begin`, so they have no parameters: `key` is a UUID.
 */
const toOpening = ({ userId, key }: IdempotentRequest) => `
  select pg_try_advisory_xact_lock(hashtextextended('${userId} ${key}', 0)) as is_free;
  select fingerprint, status, headers, body from idempotency_keys where user_id = ${userId} and key = '${key}'`;

const toStored = (request: IdempotentRequest, response: RouteResponse): StoredRequest => ({
  ...request,
  status: response.status,
  headers: response.headers ?? {},
  body: response.body === undefined ? '' : JSON.stringify(response.body),
});

type StoredResponse = Pick<typeof idempotencyKeys.$inferSelect, 'fingerprint' | 'status' | 'headers' | 'body'>;

/** @param opened the results of `toOpening` */
function getStoredResponse(
  { fingerprint }: IdempotentRequest,
  [lock, found]: QueryResult<Record<string, unknown>>[],
): RouteResponse | null {
  if (lock?.rows[0]?.is_free !== true) throw conflict('The same request is still in progress', 1);
  const stored = found?.rows[0] as StoredResponse | undefined;
  if (stored === undefined) return null;
  if (stored.fingerprint !== fingerprint) throw unprocessable('This Idempotency-Key was used for another request');
  return {
    status: stored.status,
    body: stored.body === '' ? undefined : JSON.parse(stored.body),
    headers: { ...stored.headers, 'idempotency-replayed': 'true' },
  };
}

/**
 * Runs a write in one transaction with its stored response and its entries in the sync feed. A repeat under the same key gets the
 * stored response. A refusal is thrown and rolls back; it is stored if the app takes it as final.
 * @param options `except`: id of the caller's live socket, which gets no events about this write
 */
export async function runWrite(
  db: Db,
  now: () => Date,
  idempotent: IdempotentRequest | null,
  work: (transaction: WriteTransaction) => Promise<RouteResponse>,
  { except }: { except?: string | undefined } = {},
): Promise<RouteResponse> {
  const runOnce = () =>
    db.transaction(
      async (tx, opened) => {
        const stored = idempotent && getStoredResponse(idempotent, opened);
        if (stored) return stored;
        const changes = new ChangeLog(except);
        const response = await work({ tx, changes });
        await changes.flush(tx, now(), idempotent && toStored(idempotent, response));
        return response;
      },
      idempotent ? { opening: toOpening(idempotent) } : {},
    );
  for (let attempts = 1; ; attempts += 1) {
    try {
      return await runOnce();
    } catch (error) {
      if (idempotent && isFinal(error)) return storeRefusal(db, now(), idempotent, error);
      const canTryAgain = error instanceof LostRace || LOST_TO_ANOTHER.includes(getSqlState(error) ?? '');
      if (attempts >= MAX_ATTEMPTS || !canTryAgain) throw error;
    }
  }
}

/**
 * Stores a refusal under its key and throws it, unless a repeat was answered since the refusal was rolled back.
 * @returns the response to that repeat
 */
async function storeRefusal(
  db: Db,
  now: Date,
  idempotent: IdempotentRequest,
  refusal: HttpError,
): Promise<RouteResponse> {
  const accepted = await db.transaction(
    async (tx, opened) => {
      const stored = getStoredResponse(idempotent, opened);
      if (stored) return stored;
      await new ChangeLog().flush(tx, now, toStored(idempotent, refusal));
      return null;
    },
    { opening: toOpening(idempotent) },
  );
  if (accepted) return accepted;
  throw refusal;
}
