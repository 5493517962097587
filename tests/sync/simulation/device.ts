import { AccountDb } from '#db/database.ts';
import type { OutboxRow } from '#db/rows.ts';
import { createEngine, type Engine } from '#sync/engine.ts';
import * as conflictTools from '#sync/conflict/tools.ts';
import type { EnginePorts } from '#sync/engine-ports.ts';
import type { Lock } from '#sync/ports.ts';
import { openDigest } from '../../support/digest.ts';
import { portsWithBug } from '../bugs/active.ts';
import { createPrng, mixSeed } from './prng.ts';
import { Disk, type Storage } from './disk.ts';
import type { Sender, Session } from './network.ts';
import { epoch } from './scheduler.ts';
import type { Network } from './network.ts';
import type { Plan } from './plan.ts';
import type { Scheduler } from './scheduler.ts';
import type { Simulation } from './simulation.ts';

/** What a device needs from the simulation that it runs in. */
export interface DeviceHost {
  readonly plan: Pick<Plan, 'seed' | 'locks'>;
  readonly scheduler: Scheduler;
  readonly network: Network;
  /** Called after a device commits a transaction. */
  onCommit(deviceName: string, database: string, stores: ReadonlySet<string>): void;
  /** Called when state changes that survives a crash. */
  changed(): void;
  /** Called when a page or worker opens. */
  opened?(run: unknown): void;
  closed?(run: unknown): void;
  note(line: string): void;
  hit(what: string): void;
}

export type RunKind = 'tab' | 'second tab' | 'worker';

/** A phone or laptop with one disk, one signed-in person at a time, several pages and a worker. */
export class Device<G extends DeviceHost = Simulation> {
  readonly name: string;
  readonly simulation: G;
  readonly disk: Disk;
  session: Session | null = null;
  isOnline = true;
  /** Whether the person has lost the device for good. */
  isLost = false;
  portal: number | null = null;
  /** Whether the last sign-in met a storage error, so that the banner stayed. */
  mustSignInAgain = false;
  /** Offset of this device's clock in milliseconds. */
  skewMs = 0;
  /** How often the clock has jumped. Two jumps may cancel each other out. */
  jumpCount = 0;
  readonly runs: Run<G>[] = [];
  #holder: { run: Run<G> } | null = null;

  constructor(simulation: G, name: string) {
    this.simulation = simulation;
    this.name = name;
    this.disk = new Disk(simulation.scheduler);
    this.disk.onCommit = (database, stores) => {
      simulation.changed();
      simulation.onCommit(name, database, stores);
    };
  }

  jumpClock(ms: number): void {
    this.skewMs += ms;
    this.jumpCount += 1;
  }

  dbName(userId: string): string {
    return `app:sim:${userId}@${this.name}`;
  }

  /** Returns the rows of a person's outbox as they are on disk. */
  outbox(userId: string): OutboxRow[] {
    return this.disk.rows<OutboxRow>(this.dbName(userId), 'outbox');
  }

  hasStore(userId: string): boolean {
    return this.disk.names().includes(this.dbName(userId));
  }

  /** Returns the pages and workers that have not ended. */
  alive(): Run<G>[] {
    return this.runs.filter((run) => run.isAlive);
  }

  /** Returns the person's live pages and workers that are not closing. */
  inUse(userId: string): Run<G>[] {
    return this.runs.filter((run) => run.isAlive && !run.isLeaving && run.userId === userId);
  }

  open(kind: RunKind, userId: string): Run<G> {
    const run = new Run(this, kind, userId);
    this.runs.push(run);
    this.simulation.note(`${run.label} opens`);
    this.simulation.scheduler.as(this.name, () => run.engine.start());
    this.simulation.opened?.(run);
    return run;
  }

  /** Returns a Web Lock. A device without Web Locks grants every request. */
  lockFor(run: Run<G>): Lock {
    return {
      tryRun: async (work, options) => {
        if (this.simulation.plan.locks === 'absent') {
          await work(() => false);
          return true;
        }
        if (this.#holder?.run.isAlive && !options?.steal) return false;
        if (this.#holder && options?.steal) this.simulation.hit('lock stolen');
        const mine = { run };
        this.#holder = mine;
        try {
          await work(() => this.#holder === mine);
        } finally {
          if (this.#holder === mine) this.#holder = null;
        }
        return true;
      },
    };
  }
}

/** One run of the app in a page or worker. It can crash at any step; the disk of its device stays. */
export class Run<G extends DeviceHost = Simulation> implements Sender {
  readonly device: Device<G>;
  readonly kind: RunKind;
  readonly userId: string;
  readonly label: string;
  readonly storage: Storage;
  readonly db: AccountDb;
  readonly engine: Engine;
  isAlive = true;
  /** Virtual time in milliseconds at which the run ended. */
  diedAt = Infinity;
  /** Whether the page is closing. It still finishes what it has begun. */
  isLeaving = false;
  thawedAt = -Infinity;
  #isFrozen = false;
  #deferredCalls: (() => void)[] = [];

  constructor(device: Device<G>, kind: RunKind, userId: string) {
    this.device = device;
    this.kind = kind;
    this.userId = userId;
    this.label = `${device.name}/${kind}#${device.runs.length}(${userId})`;
    this.storage = device.disk.storage();
    this.db = new AccountDb(device.dbName(userId), userId, this.storage.options());
    this.engine = createEngine(this.db, this.#ports());
  }

  #ports(): EnginePorts {
    const { device } = this;
    const { scheduler, network, plan } = device.simulation;
    const prng = createPrng(mixSeed(plan.seed, 'run', this.label));
    const ports: EnginePorts = {
      clock: {
        now: () => epoch + Math.floor(scheduler.now) + device.skewMs,
        after: (ms, call) =>
          scheduler.after(ms, () => this.whenAwake(() => void (this.isAlive && call())), device.name),
      },
      chance: { random: prng.next, uuid: prng.uuid },
      transport: network.transport(this),
      lock: device.lockFor(this),
      openDigest,
      loadConflictTools: () => Promise.resolve(this.kind === 'worker' ? null : conflictTools),
      ...(this.kind === 'worker' && { isWorker: true as const }),
    };
    return portsWithBug(ports, this);
  }

  whenAwake(call: () => void): void {
    const { scheduler } = this.device.simulation;
    if (this.#isFrozen) this.#deferredCalls.push(call);
    else scheduler.as(this.device.name, call);
  }

  /** Suspends the page as a browser does: no timer fires and no response arrives until it thaws. */
  freeze(): void {
    this.#isFrozen = true;
  }

  thaw(): void {
    // What the page was about to do when it froze continues at once, although other runs may know more by now.
    if (this.#isFrozen) this.thawedAt = this.device.simulation.scheduler.now;
    this.#isFrozen = false;
    for (const call of this.#deferredCalls.splice(0)) this.device.simulation.scheduler.after(0, call, this.device.name);
  }

  /** Runs `work` and ignores its error if a storage fault occurred or the run died meanwhile. */
  async tolerate(work: () => Promise<unknown>): Promise<void> {
    const { faultCount } = this.storage;
    try {
      await work();
    } catch (error) {
      if (this.isAlive && this.storage.faultCount === faultCount) throw error;
    }
  }

  /** Closes the page in an orderly way. */
  async leave(): Promise<void> {
    this.isLeaving = true;
    await this.engine.stop();
    this.crash();
  }

  /** Ends the run at once. Nothing of it continues, and uncommitted transactions are lost. */
  crash(): void {
    if (!this.isAlive) return;
    this.device.simulation.note(`${this.label} dies`);
    this.isAlive = false;
    this.diedAt = this.device.simulation.scheduler.now;
    this.device.simulation.closed?.(this);
    this.#deferredCalls = [];
    // The Dexie object stays open: closing it would resume waiting work, and a dead page must not resume.
    this.device.simulation.scheduler.as(this.device.name, () => this.storage.kill());
  }
}
