import type { FastifyBaseLogger } from 'fastify';
import type { Clock } from './clock.ts';
import type { Config } from './config.ts';
import type { Database, Db } from './db/connect.ts';
import type { Connection } from './db/pool.ts';
import type { Health } from './health/health.ts';
import type { RateLimiter } from './http/rate-limiter.ts';
import type { SharedLimiter } from './http/shared-limiter.ts';
import type { Live } from './live/open.ts';
import type { Metrics } from './metrics/metrics.ts';
import type { DiskFloor, FreeDisk } from './storage/disk-floor.ts';
import type { Storage } from './storage/storage.ts';

/** What `buildApp` needs. */
export interface ServerOptions {
  config: Config;
  db: Db;
  /** For parts that need connections of their own. */
  connection: Connection;
  /** Listens for notifications of other processes through the database. Without it, their live events are delayed by some seconds. */
  listen?: Database['listen'];
  clock: Clock;
  storage: Storage;
  /** Free bytes on the disk of a folder; asks the operating system by default. */
  freeDiskBytes?: FreeDisk;
  /** Folder of the built app; `dist/app` by default. Without it, only the API is served. */
  appFolder?: string;
  /** What the process counts. New by default. */
  metrics?: Metrics;
  /** Logger; nothing is logged without it. */
  log?: FastifyBaseLogger;
  /** Validates every response against its schema and fails when it differs. For tests. */
  checkAnswers?: boolean;
}

/** Dependencies of every feature, as `app.deps`. A feature adds its own by augmentation: see `features/media/inspect/inspector.ts`. */
export interface Deps extends ServerOptions {
  metrics: Metrics;
  /** Counts reads and writes, in memory. */
  limiter: RateLimiter;
  /** Counts what must hold on all nodes together. */
  sharedLimiter: SharedLimiter;
  health: Health;
  live: Live;
  floor: DiskFloor;
}
