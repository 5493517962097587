import type { WireAnswer, WireRequest } from '#net/wire.ts';

/** What the engine needs of the outside world. The page, the worker and the simulation each bring their own. */

export interface Clock {
  /** Milliseconds since the epoch. Never decides order. */
  now(): number;
  /** Calls back once after `ms`; the answer cancels. */
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
   * Adds base address, token and X-Requested-With. Never throws. Reads token and user together, and sends nothing
   * ('signed out') unless the token belongs to `userId`, so that no account's work travels under another's name.
   */
  send(request: WireRequest, options: { userId: string }): Promise<WireAnswer>;
}

export interface Lock {
  /**
   * Runs `work` if the lock is free and says whether it ran. `steal` takes it from a holder that stopped beating: that
   * one's work goes on, and `isHeld` tells it that it is no longer the only one.
   */
  tryRun(work: (isHeld: () => boolean) => Promise<void>, options?: { steal?: boolean }): Promise<boolean>;
}

export interface Ports {
  clock: Clock;
  chance: Chance;
  transport: Transport;
  lock: Lock;
  /** Lower-case hex SHA-256. */
  digest(bytes: ArrayBuffer): Promise<string>;
  /** Free space for this origin in bytes, null where the platform does not say. */
  freeBytes?(): Promise<number | null>;
  /** Gives space back: drops cached remote media, which can be fetched again. */
  dropCaches?(): Promise<void>;
  /** Asks for a background wake-up where the platform has one. */
  requestWake?(): void;
}
