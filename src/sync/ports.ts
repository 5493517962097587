import type { Digest } from '#lib/file-digest.ts';
import type { WireAnswer, WireRequest } from '#net/wire.ts';

/** The engine's interfaces to its environment. The page, the worker and the simulation each implement them. */

export interface Clock {
  /** Milliseconds since the epoch. Never used for ordering. */
  now(): number;
  /** Calls `call` once after `ms`. The returned function cancels it. */
  after(ms: number, call: () => void): () => void;
}

export interface Chance {
  /** In [0, 1). */
  random(): number;
  /** A fresh UUID. */
  uuid(): string;
}

export interface Transport {
  /**
   * Adds the base URL, the token and X-Requested-With. Never throws. Reads token and user together and sends nothing
   * ('signed out') unless the token belongs to `userId`, so that one account's changes never go out under another's.
   */
  send(request: WireRequest, options: { userId: string }): Promise<WireAnswer>;
}

export interface Lock {
  /**
   * Runs `work` if the lock is free and returns whether it ran. `steal` takes the lock from a holder whose heartbeat
   * stopped. That holder's work continues, but its `isHeld` returns false from then on.
   */
  tryRun(work: (isHeld: () => boolean) => Promise<void>, options?: { steal?: boolean }): Promise<boolean>;
}

export interface Ports {
  clock: Clock;
  chance: Chance;
  transport: Transport;
  lock: Lock;
  /** Begins the digest of a file of this size. Only pages store files. */
  openDigest?(fileBytes: number): Promise<Digest>;
  /** Free space for this origin in bytes, null when the platform does not report it. */
  freeBytes?(): Promise<number | null>;
  /** Frees space by dropping cached remote media, which can be fetched again. */
  dropCaches?(): Promise<void>;
  /** Whether the device is known to use mobile data. Without it, it is not. */
  isOnMobileData?(): boolean;
  /** Requests a background sync event, if the platform supports them. */
  requestWake?(): void;
}
