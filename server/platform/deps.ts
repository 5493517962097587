import type { FastifyBaseLogger } from 'fastify';
import type { Clock } from './clock.ts';
import type { Config } from './config.ts';
import type { Database, Db } from './db/connect.ts';
import type { RateLimiter } from './http/rate-limiter.ts';
import type { Live } from './live/open.ts';
import type { DiskFloor, FreeDisk } from './storage/disk-floor.ts';
import type { Storage } from './storage/storage.ts';

/** What the server is built from. */
export interface ServerOptions {
  config: Config;
  db: Db;
  /** Hears what other processes tell through the database; without it they are heard some seconds later. */
  listen?: Database['listen'];
  clock: Clock;
  storage: Storage;
  /** How much the disk of a folder has free; asked of the system unless given. */
  freeDiskBytes?: FreeDisk;
  /** The built app; `dist/app` unless given. Where it is missing only the API answers. */
  appFolder?: string;
  /** Where lines go; nowhere when absent. */
  log?: FastifyBaseLogger;
  /** Hold every answer against its schema, and fail where it differs. For tests. */
  checkAnswers?: boolean;
}

/** What every feature can reach, as `app.deps`. A feature adds what it owns itself: see `features/media/inspect/inspector.ts`. */
export interface Deps extends ServerOptions {
  limiter: RateLimiter;
  live: Live;
  floor: DiskFloor;
}
