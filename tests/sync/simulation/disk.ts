import { IDBFactory, IDBKeyRange } from 'fake-indexeddb';
import type { JournalEntry } from '#db/rows.ts';
import type { Scheduler } from './scheduler.ts';

/** The parts of fake-indexeddb that a crash, an eviction or a look at the disk needs. */
interface RawTransaction {
  _state: string;
  _started: boolean;
  mode: string;
  db: RawConnection;
  listeners: { type: string; callback: unknown }[];
  _prioritizedListeners: Map<string, () => void>;
  _scope: Set<string>;
  _requests: { request: RawTarget }[];
  onabort: unknown;
  oncomplete: unknown;
  onerror: unknown;
  error: unknown;
  _abort(name: string | null): void;
  _execRequestAsync(work: unknown): RawTarget;
  addEventListener(type: string, call: () => void): void;
}
interface RawTarget {
  listeners: unknown[];
  onsuccess: unknown;
  onerror: unknown;
  onblocked?: unknown;
  onupgradeneeded?: unknown;
  result: unknown;
  transaction?: RawTransaction | null;
  addEventListener(type: string, call: () => void): void;
}
interface RawStore {
  records: { values(): Iterable<{ key: unknown; value: unknown }> };
  storeRecord(record: { value: unknown }, ...rest: unknown[]): unknown;
}
interface RawDatabase {
  transactions: RawTransaction[];
  rawObjectStores: Map<string, RawStore>;
  processTransactions: () => void;
}
interface RawConnection {
  name: string;
  listeners: unknown[];
  onclose: unknown;
  onversionchange: unknown;
  _rawDatabase: RawDatabase;
  _closed: boolean;
  _closePending: boolean;
  transaction(...args: unknown[]): RawTransaction;
  close(): void;
  dispatchEvent(event: unknown): void;
}
interface RawFactory {
  _databases: Map<string, RawDatabase>;
  open(name: string, version?: number): RawTarget;
  deleteDatabase(name: string): RawTarget;
}

/** `unreported`: the transaction commits, and the connection is lost before the page hears of it. */
export type StorageFault = 'QuotaExceededError' | 'UnknownError' | 'closed' | 'unreported';

/** The storage of one run of the app in one tab or worker, cut off for good when that run dies. */
export class Storage {
  readonly #disk: Disk;
  readonly #connections = new Set<RawConnection>();
  readonly #opening = new Set<RawTarget>();
  #dead = false;
  /** Strikes the next writing transactions, each after this many of its requests. */
  fault: { kind: StorageFault; after: number; times: number } | null = null;
  /** How often trouble struck, lost connections included. */
  faultCount = 0;

  constructor(disk: Disk) {
    this.#disk = disk;
  }

  /** What Dexie takes in its options. */
  options(): { indexedDB: IDBFactory; IDBKeyRange: typeof IDBKeyRange } {
    const raw = this.#disk.factory as unknown as RawFactory;
    const open = (name: string, version?: number) => {
      const request = version === undefined ? raw.open(name) : raw.open(name, version);
      if (this.#dead) return request;
      this.#opening.add(request);
      request.addEventListener('upgradeneeded', () => {
        this.#adopt(request);
        // Nobody is left to make the stores.
        if (this.#dead) request.transaction?._abort('AbortError');
      });
      request.addEventListener('success', () => this.#adopt(request));
      return request;
    };
    const guarded = {
      open,
      deleteDatabase: (name: string) => raw.deleteDatabase(name),
      cmp: (a: unknown, b: unknown) => this.#disk.factory.cmp(a, b),
      databases: () => this.#disk.factory.databases(),
    };
    return { indexedDB: guarded as unknown as IDBFactory, IDBKeyRange };
  }

  #adopt(request: RawTarget): void {
    const connection = request.result as RawConnection;
    if (this.#dead) {
      connection.close();
      return;
    }
    this.#disk.adopt(connection._rawDatabase);
    if (this.#connections.has(connection)) return;
    this.#connections.add(connection);
    const transaction = connection.transaction.bind(connection);
    connection.transaction = (...args) => {
      const made = transaction(...args);
      if (made.mode === 'readwrite') {
        made.addEventListener('complete', () => this.#disk.onCommit?.(connection.name, made._scope));
        if (this.fault?.kind === 'unreported') this.#hideCommit(made);
        else if (this.fault) this.#injectFault(made);
      }
      return made;
    };
  }

  /** What is committed stays on the disk, but the page hears that its transaction was aborted. */
  #hideCommit(transaction: RawTransaction): void {
    transaction.addEventListener('complete', () => {
      if (this.#dead || this.fault?.kind !== 'unreported') return;
      this.fault.after -= 1;
      if (this.fault.after >= 0) return;
      this.fault = null;
      this.faultCount += 1;
      transaction.oncomplete = null;
      transaction.error = new DOMException('Connection to Indexed Database server lost', 'UnknownError');
      (transaction.onabort as ((given: unknown) => void) | null)?.(event('abort'));
      this.closeAll();
    });
  }

  #injectFault(transaction: RawTransaction): void {
    const { kind, after } = this.fault!;
    let count = 0;
    const exec = transaction._execRequestAsync.bind(transaction);
    transaction._execRequestAsync = (work) => {
      const request = exec(work);
      count += 1;
      if (count === after + 1 && this.fault) {
        this.fault.times -= 1;
        if (this.fault.times <= 0) this.fault = null;
        this.faultCount += 1;
        this.#disk.scheduler.queue(() => {
          if (transaction._state === 'finished') return;
          if (kind === 'closed') this.closeAll();
          else transaction._abort(kind);
        });
      }
      return request;
    };
  }

  /** The browser drops every connection, as WebKit does when its storage process dies: running work is aborted. */
  closeAll(): void {
    this.faultCount += 1;
    for (const connection of [...this.#connections]) {
      for (const transaction of connection._rawDatabase.transactions) {
        if (transaction.db === connection && transaction._state !== 'finished') transaction._abort('AbortError');
      }
      connection.close();
      this.#connections.delete(connection);
      this.#disk.scheduler.queue(() => connection.dispatchEvent(event('close')));
    }
  }

  /** Another page wants a newer schema. */
  versionChange(): void {
    this.faultCount += 1;
    for (const connection of this.#connections) {
      if (!connection._closePending) {
        connection.dispatchEvent(Object.assign(event('versionchange'), { oldVersion: 1, newVersion: null }));
      }
    }
  }

  /** The process is gone: what is not committed never happened, and nothing of it ever hears an answer again. */
  kill(): void {
    this.#dead = true;
    for (const request of this.#opening) silence(request);
    for (const connection of this.#connections) {
      const database = connection._rawDatabase;
      Object.assign(connection, { listeners: [], onclose: null, onversionchange: null });
      for (const transaction of [...database.transactions]) {
        if (transaction.db !== connection || transaction._state === 'finished') continue;
        for (const { request } of transaction._requests)
          Object.assign(request, { onsuccess: null, onerror: null, listeners: [] });
        // The first three are fake-indexeddb's own: without them the next open would wait for ever.
        transaction.listeners = transaction.listeners.filter(
          ({ callback }, at) => at < 3 || callback === database.processTransactions,
        );
        Object.assign(transaction, { onabort: null, oncomplete: null, onerror: null });
        transaction._abort('AbortError');
        database.processTransactions();
      }
      connection.close();
    }
    this.#connections.clear();
  }
}

function silence(request: RawTarget): void {
  Object.assign(request, { onsuccess: null, onerror: null, onblocked: null, onupgradeneeded: null });
}

function event(type: string): Record<string, unknown> {
  return {
    type,
    initialized: true,
    dispatched: false,
    bubbles: false,
    eventPath: [],
    NONE: 0,
    CAPTURING_PHASE: 1,
    AT_TARGET: 2,
    BUBBLING_PHASE: 3,
  };
}

/** One device's IndexedDB. It outlives every crash of what runs on it. */
export class Disk {
  factory = new IDBFactory();
  readonly scheduler: Scheduler;
  /** After each committed writing transaction: of which database, over which stores. */
  onCommit: ((database: string, stores: ReadonlySet<string>) => void) | null = null;
  /** Changes whose end cannot be written here, however often: their transactions meet a constraint. */
  readonly unstorable = new Set<string>();
  /** The next change that ends is one of those. */
  isNextUnstorable = false;
  #isHealed = false;
  readonly #adopted = new WeakSet<RawStore>();

  constructor(scheduler: Scheduler) {
    this.scheduler = scheduler;
  }

  storage(): Storage {
    return new Storage(this);
  }

  /** Lets the ends of some changes fail; the journal is written in the same transaction as the rest of each. */
  adopt(database: RawDatabase): void {
    const journal = database.rawObjectStores.get('journal');
    if (!journal || this.#adopted.has(journal)) return;
    this.#adopted.add(journal);
    const store = journal.storeRecord.bind(journal);
    journal.storeRecord = (record, ...rest) => {
      const { op, to, kind } = record.value as JournalEntry;
      if (to === 'done' && kind !== 'delete') {
        if (this.isNextUnstorable) this.unstorable.add(op);
        this.isNextUnstorable = false;
        if (this.unstorable.has(op) && !this.#isHealed)
          throw new DOMException('A constraint of the store', 'ConstraintError');
      }
      return store(record, ...rest);
    };
  }

  /** The browser drops a store: who has it open loses the connection. */
  remove(database: string, storages: readonly Storage[]): void {
    for (const storage of storages) storage.closeAll();
    (this.factory as unknown as RawFactory)._databases.delete(database);
  }

  healConstraints(): void {
    this.isNextUnstorable = false;
    this.#isHealed = true;
  }

  /** Rows of a store as they lie there, without any transaction. Not to be changed. */
  rows<T>(database: string, store: string): T[] {
    const raw = (this.factory as unknown as RawFactory)._databases.get(database);
    const found: T[] = [];
    for (const record of raw?.rawObjectStores.get(store)?.records.values() ?? []) found.push(record.value as T);
    return found;
  }

  /** Whether a writing transaction over the store is half done. */
  isBusy(database: string, store: string): boolean {
    const raw = (this.factory as unknown as RawFactory)._databases.get(database);
    return (raw?.transactions ?? []).some(
      (transaction) =>
        transaction.mode !== 'readonly' &&
        transaction._started &&
        transaction._state !== 'finished' &&
        transaction._scope.has(store),
    );
  }

  names(): string[] {
    return [...(this.factory as unknown as RawFactory)._databases.keys()];
  }
}
