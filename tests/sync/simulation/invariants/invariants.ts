import type { WireAnswer } from '#net/wire.ts';
import type { Device } from '../device.ts';
import type { Exchange } from '../network.ts';
import type { LedgerEntry } from '../server/fake-store.ts';
import type { Simulation } from '../simulation.ts';
import { DiskWatch } from './disk-watch.ts';
import { LedgerWatch } from './ledger-watch.ts';
import { MirrorWatch } from './mirror-watch.ts';
import { NothingLost } from './nothing-lost.ts';
import { RateLimitWatch } from './rate-limit-watch.ts';
import { Violation } from './violation.ts';
import { WireWatch } from './wire-watch.ts';

/** Watches disks, wire and ledger and keeps the first violation. Asks the engine nothing. */
export class Invariants {
  violation: Violation | null = null;
  readonly wire: WireWatch;
  readonly nothingLost: NothingLost;
  readonly #ledger: LedgerWatch;
  readonly #disk: DiskWatch;
  readonly #mirror: MirrorWatch;
  readonly #rateLimit: RateLimitWatch;

  constructor(simulation: Simulation) {
    this.wire = new WireWatch(simulation);
    this.nothingLost = new NothingLost(simulation);
    this.#ledger = new LedgerWatch(simulation);
    this.#disk = new DiskWatch(simulation, this.nothingLost);
    this.#mirror = new MirrorWatch(simulation);
    this.#rateLimit = new RateLimitWatch(simulation);
  }

  /** Forgets what is known of a deleted store. */
  forgetStore(database: string): void {
    this.#disk.forget(database);
    this.#mirror.forget(database);
  }

  onLedger(entry: LedgerEntry): void {
    this.#guard(() => this.#ledger.onLedger(entry));
  }

  onFile(digest: string, userId: string, as: string): void {
    this.#guard(() => this.#ledger.onFile(digest, userId, as));
  }

  onSend(exchange: Exchange): void {
    this.#guard(() => {
      this.wire.onSend(exchange);
      this.#rateLimit.onSend(exchange);
    });
  }

  onReceived(exchange: Exchange, answer: WireAnswer): void {
    this.#guard(() => this.#rateLimit.onReceived(exchange, answer));
  }

  onCommit(device: Device, database: string, stores: ReadonlySet<string>): void {
    this.#guard(() => {
      this.#disk.onCommit(device, database, stores);
      this.#mirror.onCommit(device, database, stores);
      this.#rateLimit.onCommit(device, database, stores);
    });
  }

  /** Runs a check that may be called from within the engine. The violation is kept for the run loop. */
  #guard(check: () => void): void {
    if (this.violation) return;
    try {
      check();
    } catch (error) {
      if (!(error instanceof Violation)) throw error;
      this.violation = error;
    }
  }
}
