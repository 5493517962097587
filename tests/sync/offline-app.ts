import { AccountDb } from '#db/database.ts';
import * as conflictTools from '#sync/conflict/tools.ts';
import { createEngine, type Engine } from '#sync/engine.ts';
import type { EnginePorts } from '#sync/engine-ports.ts';
import { Disk, type Storage } from './simulation/disk.ts';
import type { Scheduler } from './simulation/scheduler.ts';

/** The disk only needs a scheduler that calls back later. */
const later = { queue: (call: () => void) => void setImmediate(call) } as unknown as Scheduler;

const ports: EnginePorts = {
  clock: { now: () => 1000, after: () => () => undefined },
  chance: { random: () => 0.5, uuid: () => crypto.randomUUID() },
  transport: { send: () => Promise.resolve({ status: 0, reason: 'network' }) },
  lock: { tryRun: () => Promise.resolve(false) },
  loadConflictTools: () => Promise.resolve(conflictTools),
};

/** The app of one person without signal, on a disk that fails when a test wants it to. */
export class OfflineApp {
  readonly #disk = new Disk(later);
  storage!: Storage;
  db!: AccountDb;
  engine!: Engine;

  constructor() {
    this.#open();
  }

  #open(): void {
    this.storage = this.#disk.storage();
    this.db = this.openStore();
    this.engine = this.startEngine(this.db);
  }

  /** Opens the store once more, as another tab does. */
  openStore(): AccountDb {
    return new AccountDb('test', 'u1', this.storage.options());
  }

  startEngine(db: AccountDb): Engine {
    return createEngine(db, ports);
  }

  /**
   * Starts a write, ends the page right after so many requests of it, and opens the app again.
   * @returns false if the write had ended before
   */
  async dieDuring(write: () => Promise<unknown>, requests: number): Promise<boolean> {
    let left = requests;
    const isKilled = new Promise<boolean>((resolve) => {
      this.storage.onRequest = () => {
        left -= 1;
        if (left === 0) later.queue(() => resolve(true));
      };
    });
    const isDone = write().then(() => false);
    // The page that is killed hears of nothing any more.
    const isEarly = await Promise.race([isKilled, isDone]);
    this.storage.kill();
    this.#open();
    return isEarly;
  }
}
