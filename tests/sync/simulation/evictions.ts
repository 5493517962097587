import { Dexie } from 'dexie';
import { ensureStoreCreatedAt } from '#open-store/store.ts';
import { watchStore } from '#open-store/store-watch.ts';
import type { OutboxRow } from '#db/rows.ts';
import type { Device, Run } from './device.ts';
import type { Prng } from './prng.ts';
import { fail } from './invariants/violation.ts';
import { epoch } from './scheduler.ts';
import { reloadBy } from './store-loss-stub.ts';
import type { Simulation } from './simulation.ts';

/** The platform's constructor. The scheduler replaces the global one during a run with one that has no events. */
const WholeAbortController = AbortController;
/** A page notes its store's pending work in local storage once the store has been idle for this long (virtual ms). */
const NOTED_MS = 1000;
/** After how long a page that could not open its store is reloaded, virtual ms. */
const RETRY_MS = 1000;

/**
 * Browsers delete stores under storage pressure or when somebody clears the data of a site. The pending work in the
 * store is lost, and the app reports the loss at the next start.
 */
export class Evictions {
  readonly #simulation: Simulation;
  /** Local storage by device. */
  readonly #local = new Map<string, Map<string, string>>();
  /** Unreported losses by store. Null where the note in local storage cannot know what was lost. */
  readonly #lost = new Map<string, Map<string, number> | null>();
  readonly #lastCommits = new Map<string, number>();
  /** Pages that watch their store or are about to. */
  readonly #pages = new Map<Run, AbortController>();
  readonly #watching = new Set<Run>();

  constructor(simulation: Simulation) {
    this.#simulation = simulation;
  }

  /** Whether this run has evictions. Watching stores costs time, so pages watch only then. */
  get isOn(): boolean {
    return this.#simulation.plan.acts.some(({ kind }) => kind === 'store deleted');
  }

  /** Gives each device its own local storage. The returned function restores the platform. */
  install(): () => void {
    if (!this.isOn) return () => undefined;
    const given = {
      localStorage: this.#facade(),
      reportError: (error: unknown) => this.#simulation.reportError(error, 'a page'),
    };
    const before = Object.entries(given).map(([name, value]) => {
      const own = Object.getOwnPropertyDescriptor(globalThis, name);
      Object.defineProperty(globalThis, name, { value, configurable: true });
      return [name, own] as const;
    });
    reloadBy(() => this.#reload());
    // Live queries need a global IndexedDB, although each store here has its own.
    const { dependencies } = Dexie;
    const { indexedDB } = dependencies;
    const { now } = Date;
    Date.now = () => epoch + Math.floor(this.#simulation.scheduler.now);
    dependencies.indexedDB = this.#simulation.devices[0]!.disk.factory;
    return () => {
      dependencies.indexedDB = indexedDB;
      for (const page of this.#pages.values()) page.abort();
      Date.now = now;
      for (const [name, own] of before) {
        if (own) Object.defineProperty(globalThis, name, own);
        else Reflect.deleteProperty(globalThis, name);
      }
      reloadBy(() => undefined);
    };
  }

  #localOf(device: string): Map<string, string> {
    let local = this.#local.get(device);
    if (!local) this.#local.set(device, (local = new Map<string, string>()));
    return local;
  }

  /** Returns a `localStorage` that acts on the device whose work is running. */
  #facade(): unknown {
    const here = () => this.#localOf(this.#simulation.scheduler.lane);
    const methods = {
      getItem: (key: string) => here().get(key) ?? null,
      setItem: (key: string, value: string) => void here().set(key, value),
      removeItem: (key: string) => void here().delete(key),
    };
    return new Proxy(methods, {
      ownKeys: () => [...here().keys()],
      getOwnPropertyDescriptor: () => ({ enumerable: true, configurable: true }),
    });
  }

  /** Starts to watch the store of a page that opened. */
  watch(run: Run): void {
    if (!this.isOn || run.kind === 'worker') return;
    const { scheduler } = this.#simulation;
    const page = new WholeAbortController();
    this.#pages.set(run, page);
    const watch = async () => {
      const createdAt = await ensureStoreCreatedAt(run.db);
      watchStore(run.db, createdAt, page.signal, () => undefined);
      this.#watching.add(run);
    };
    const open = async () => {
      await run.tolerate(watch);
      // The app does not open without its store: it reloads the page, or asks the person to.
      if (!this.#watching.has(run)) scheduler.after(RETRY_MS, () => this.#loadAnew(run), run.device.name);
    };
    scheduler.as(run.device.name, () => this.#simulation.watch(open(), 'a watch over the store'));
  }

  closed(run: Run): void {
    this.#pages.get(run)?.abort();
    // An open page rewrites notes that the browser deleted. If it dies first, the notes are lost.
    const isNoted = [...this.#localOf(run.device.name).keys()].some((key) => /^(waiting|lost):/.test(key));
    const database = run.device.dbName(run.userId);
    if (!isNoted && run.device.alive().length === 0 && this.#lost.has(database)) this.#lost.set(database, null);
  }

  onCommit(database: string): void {
    this.#lastCommits.set(database, this.#simulation.scheduler.now);
  }

  /** Reloads the pages of the device at work, whose store is gone. An open form can delay a reload. */
  #reload(): void {
    const { scheduler, devices } = this.#simulation;
    const device = devices.find(({ name }) => name === scheduler.lane);
    for (const run of device?.alive() ?? []) {
      if (run.kind === 'worker') continue;
      scheduler.after(run.label.length * 100, () => this.#loadAnew(run), run.device.name);
    }
  }

  #loadAnew(run: Run): void {
    if (!run.isAlive) return;
    run.crash();
    if (run.device.session?.userId === run.userId) run.device.open('tab', run.userId);
  }

  /** Deletes a person's store, and sometimes the local storage as well. */
  evict(device: Device, userId: string, prng: Prng): void {
    const database = device.dbName(userId);
    if (!device.hasStore(userId)) return;
    const { intentLog, invariants, scheduler } = this.#simulation;
    const rows = device.outbox(userId);
    const isWatched = device.alive().some((run) => run.userId === userId && this.#watching.has(run) && !run.isLeaving);
    const isNoted = isWatched && scheduler.now - (this.#lastCommits.get(database) ?? 0) > NOTED_MS;
    const before = this.#lost.get(database);
    const isKnown = isNoted && before !== null && device.alive().every(({ storage }) => storage.fault === null);
    this.#lost.set(database, isKnown ? sum(before ?? new Map<string, number>(), kindsOf(rows)) : null);
    if (prng.chance(0.3)) this.#forgetNotes(device);
    intentLog.markEvicted(device, userId);
    invariants.forgetStore(database);
    device.disk.remove(
      database,
      device.alive().map(({ storage }) => storage),
    );
    this.#simulation.note(`the store of ${userId} on ${device.name} is gone, with ${rows.length} changes`);
    this.#simulation.hit(`store deleted${isKnown && rows.length > 0 ? ' with changes whose loss is reported' : ''}`);
  }

  /**
   * Deletes the notes in local storage. Without an open page the notes of a person are gone, and the loss cannot be
   * reported. A noted loss was already shown on the page that noted it and is not written again.
   */
  #forgetNotes(device: Device): void {
    const local = this.#localOf(device.name);
    const reported = new Set([...local.keys()].filter((key) => key.startsWith('lost:')));
    local.clear();
    const { main, other } = this.#simulation.people;
    for (const userId of [main, other]) {
      const database = device.dbName(userId);
      const isOpen = device.alive().some((run) => run.userId === userId);
      if ((!isOpen || reported.has(`lost:${userId}`)) && this.#lost.has(database)) this.#lost.set(database, null);
    }
  }

  /** Fails unless the app reports the kinds and numbers of all lost changes. */
  check(device: Device, userId: string): void {
    const lost = this.#lost.get(device.dbName(userId));
    if (!lost) return;
    const reported = new Map(
      Object.entries(JSON.parse(this.#localOf(device.name).get(`lost:${userId}`) ?? '{}') as object),
    );
    if (!same(reported, lost)) {
      fail('25 loss reported', `${device.name} lost ${formatCounts(lost)}, but reports ${formatCounts(reported)}`);
    }
  }
}

/** Counts pending changes by kind. A file's bytes and the change that attaches them count as one. */
function kindsOf(rows: readonly OutboxRow[]): Map<string, number> {
  const kinds = new Map<string, number>();
  for (const { kind, lane } of rows) {
    const name = lane.split(':')[0]!;
    if (kind !== 'upload') kinds.set(name, (kinds.get(name) ?? 0) + 1);
  }
  return kinds;
}

const sum = (one: ReadonlyMap<string, number>, other: ReadonlyMap<string, number>) =>
  new Map([...one.keys(), ...other.keys()].map((kind) => [kind, (one.get(kind) ?? 0) + (other.get(kind) ?? 0)]));

const same = (one: ReadonlyMap<string, number>, other: ReadonlyMap<string, number>) =>
  one.size === other.size && [...one].every(([kind, n]) => other.get(kind) === n);

const formatCounts = (kinds: ReadonlyMap<string, number>) =>
  [...kinds].map(([kind, n]) => `${n} ${kind}`).join(', ') || 'nothing';
