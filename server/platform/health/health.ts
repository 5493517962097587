import { readFile } from 'node:fs/promises';
import path from 'node:path';
import type pg from 'pg';
import { MIGRATIONS_FOLDER } from '#server/platform/db/migrate.ts';
import { openPool, type Connection } from '#server/platform/db/pool.ts';
import type { Log } from '#server/platform/log.ts';
import { startDeadline } from '#server/platform/running-time.ts';
import type { Storage } from '#server/platform/storage/storage.ts';

/** A check that takes longer has failed. */
const CHECK_TIMEOUT_MS = 1000;
/** When a connection that hangs is given up. */
const CONNECTION_TIMEOUT_MS = 2000;
/** Every proxy asks by itself, so an answer serves for this long. */
const KEPT_MS = 1000;
/** A clock that is further from the database's ends the windows of limits at the wrong time. */
const MAX_CLOCK_SKEW_MS = 2000;

/**
 * What each part of the server says. `failed`, and `draining`, mean that this process should get no requests. `off`, `waiting` and `unknown`
 * are only shown: requests are served well without jobs, mails or an exact clock.
 */
export interface Readiness {
  isReady: boolean;
  checks: {
    database: 'ok' | 'failed';
    migrations: 'ok' | 'failed';
    storage: 'ok' | 'failed';
    draining: 'ok' | 'draining';
    clock: 'ok' | 'off' | 'unknown';
    jobs: 'ok' | 'off' | 'unknown';
    mail: 'ok' | 'waiting' | 'unknown';
  };
}

interface Parts {
  connection: Connection;
  storage: Pick<Storage, 'check'>;
  log: Log;
}

interface DatabaseState {
  now_ms: number;
  migrated_at: number | null;
}
const DATABASE_STATE = `
  select extract(epoch from clock_timestamp())::float * 1000 as now_ms,
    (select max(created_at)::float from drizzle.__drizzle_migrations) as migrated_at`;
const SIDE_STATE = `
  select exists (select from job_workers) as has_workers,
    exists (select from mails where state = 'queued' and last_code is not null) as has_waiting_mails`;

/** When the last migration of this release was written: the number that the migrator stores. */
async function readLastMigration(): Promise<number> {
  const journal = await readFile(path.join(MIGRATIONS_FOLDER, 'meta/_journal.json'), 'utf8');
  const { entries } = JSON.parse(journal) as { entries: { when: number }[] };
  return Math.max(...entries.map(({ when }) => when));
}

/** Resolves with null when the work fails or takes too long. */
async function withinTime<T>(work: Promise<T>): Promise<T | null> {
  const { passed, stop } = startDeadline(CHECK_TIMEOUT_MS);
  const timeout = passed.then(() => null);
  return Promise.race([work.catch(() => null), timeout]).finally(stop);
}

/** Says whether this process should get requests (decision 031). */
export class Health {
  readonly #parts: Parts;
  /** A connection of its own: a pool that is busy with requests does not make a process unfit for them. */
  readonly #pool: pg.Pool;
  readonly #lastMigration = readLastMigration();
  #kept: { readiness: Promise<Readiness>; untilMs: number } | null = null;
  #isDraining = false;
  #isClockOff = false;

  constructor(parts: Parts) {
    this.#parts = parts;
    this.#pool = openPool(parts.connection, parts.log, {
      max: 1,
      application_name: 'callboard health',
      connectionTimeoutMillis: CONNECTION_TIMEOUT_MS,
      query_timeout: CONNECTION_TIMEOUT_MS,
    });
    this.#lastMigration.catch(() => undefined);
  }

  /** From now on the process is not ready, although it still serves every request. */
  drain(): void {
    this.#isDraining = true;
    this.#kept = null;
  }

  check(): Promise<Readiness> {
    const nowMs = performance.now();
    if (this.#kept === null || nowMs >= this.#kept.untilMs) {
      this.#kept = { readiness: this.#checkNow(), untilMs: nowMs + KEPT_MS };
    }
    return this.#kept.readiness;
  }

  async close(): Promise<void> {
    await this.#pool.end();
  }

  async #checkNow(): Promise<Readiness> {
    const [database, side, storage, lastMigration] = await Promise.all([
      withinTime(this.#readDatabase()),
      withinTime(this.#readSide()),
      withinTime(this.#parts.storage.check().then(() => true)),
      this.#lastMigration,
    ]);
    // A later migration is fine: a newer node migrates while the older ones still run.
    const isMigrated = (database?.migrated_at ?? 0) >= lastMigration;
    const checks: Readiness['checks'] = {
      database: database === null ? 'failed' : 'ok',
      migrations: isMigrated ? 'ok' : 'failed',
      storage: storage === null ? 'failed' : 'ok',
      draining: this.#isDraining ? 'draining' : 'ok',
      clock: database === null ? 'unknown' : this.#compareClocks(database.skewMs),
      jobs: side === null ? 'unknown' : side.has_workers ? 'ok' : 'off',
      mail: side === null ? 'unknown' : side.has_waiting_mails ? 'waiting' : 'ok',
    };
    const isReady = [checks.database, checks.migrations, checks.storage, checks.draining].every(
      (each) => each === 'ok',
    );
    return { isReady, checks };
  }

  async #readDatabase(): Promise<DatabaseState & { skewMs: number }> {
    // The connection is opened before, so that the measured time is that of the query alone.
    const client = await this.#pool.connect();
    let isBroken = true;
    try {
      const askedAt = Date.now();
      const { rows } = await client.query<DatabaseState>(DATABASE_STATE);
      isBroken = false;
      const state = rows[0]!;
      return { ...state, skewMs: (askedAt + Date.now()) / 2 - state.now_ms };
    } finally {
      client.release(isBroken);
    }
  }

  async #readSide() {
    const { rows } = await this.#pool.query<{ has_workers: boolean; has_waiting_mails: boolean }>(SIDE_STATE);
    return rows[0]!;
  }

  #compareClocks(skewMs: number): 'ok' | 'off' {
    const isOff = Math.abs(skewMs) > MAX_CLOCK_SKEW_MS;
    if (isOff && !this.#isClockOff) {
      this.#parts.log.warn(
        { seconds: Math.round(skewMs / 1000) },
        'the clock of this machine differs from the database’s',
      );
    }
    this.#isClockOff = isOff;
    return isOff ? 'off' : 'ok';
  }
}
