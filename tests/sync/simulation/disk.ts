import { IDBFactory, IDBKeyRange } from 'fake-indexeddb';
import type { JournalEntry } from '#db/rows.ts';
import type { Scheduler } from './scheduler.ts';

/** The internals of fake-indexeddb that crashes, evictions and disk checks use. */
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

/** `unreported`: the transaction commits, but the connection is lost before the page is notified. */
export type StorageFault = 'QuotaExceededError' | 'UnknownError' | 'closed' | 'unreported';

/** The storage of one run of the app in a page or worker. It is cut off for good when that run dies. */
export class Storage {
  readonly #disk: Disk;
  readonly #connections = new Set<RawConnection>();
  readonly #opening = new Set<RawTarget>();
  #dead = false;
  /** Makes the next `times` writing transactions fail, each after `after` of its requests. */
  fault: { kind: StorageFault; after: number; times: number } | null = null;
  /** Called for each request of a writing transaction. */
  onRequest: (() => void) | null = null;
  /** Number of faults so far, including lost connections. */
  faultCount = 0;
  /** Whether the latest fault hid a commit: the page cannot know that the write is stored. */
  hasHiddenCommit = false;

  constructor(disk: Disk) {
    this.#disk = disk;
  }

  /** Returns the IndexedDB options for Dexie. */
  options(): { indexedDB: IDBFactory; IDBKeyRange: typeof IDBKeyRange } {
    const raw = this.#disk.factory as unknown as RawFactory;
    const open = (name: string, version?: number) => {
      // A dead run opens nothing any more: it could still write.
      if (this.#dead) return NEVER;
      const request = version === undefined ? raw.open(name) : raw.open(name, version);
      this.#opening.add(request);
      request.addEventListener('upgradeneeded', () => {
        this.#trackConnection(request);
        // The run is dead, so nothing creates the object stores.
        if (this.#dead) request.transaction?._abort('AbortError');
      });
      request.addEventListener('success', () => this.#trackConnection(request));
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

  #trackConnection(request: RawTarget): void {
    const connection = request.result as RawConnection;
    if (this.#dead) {
      connection.close();
      return;
    }
    this.#disk.watchJournal(connection._rawDatabase);
    if (this.#connections.has(connection)) return;
    this.#connections.add(connection);
    const transaction = connection.transaction.bind(connection);
    connection.transaction = (...args) => {
      const made = transaction(...args);
      if (made.mode === 'readwrite') {
        made.addEventListener('complete', () => this.#disk.onCommit?.(connection.name, made._scope));
        if (this.fault?.kind === 'unreported') this.#hideCommit(made);
        else if (this.fault) this.#injectFault(made);
        else if (this.onRequest) this.#reportRequests(made, this.onRequest);
      }
      return made;
    };
  }

  /** Keeps the commit on disk but tells the page that its transaction was aborted. */
  #hideCommit(transaction: RawTransaction): void {
    transaction.addEventListener('complete', () => {
      if (this.#dead || this.fault?.kind !== 'unreported') return;
      this.fault.after -= 1;
      if (this.fault.after >= 0) return;
      this.fault = null;
      this.faultCount += 1;
      this.hasHiddenCommit = true;
      transaction.oncomplete = null;
      transaction.error = new DOMException('Connection to Indexed Database server lost', 'UnknownError');
      (transaction.onabort as ((given: unknown) => void) | null)?.(event('abort'));
      this.closeAll();
    });
  }

  #reportRequests(transaction: RawTransaction, report: () => void): void {
    const exec = transaction._execRequestAsync.bind(transaction);
    transaction._execRequestAsync = (work) => {
      report();
      return exec(work);
    };
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
        this.hasHiddenCommit = false;
        this.#disk.scheduler.queue(() => {
          if (transaction._state === 'finished') return;
          if (kind === 'closed') this.closeAll();
          else transaction._abort(kind);
        });
      }
      return request;
    };
  }

  /** Drops every connection, as WebKit does when its storage process dies. Running transactions are aborted. */
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

  /** Fires `versionchange`, as if another page opened a newer schema. */
  versionChange(): void {
    this.faultCount += 1;
    for (const connection of this.#connections) {
      if (!connection._closePending) {
        connection.dispatchEvent(Object.assign(event('versionchange'), { oldVersion: 1, newVersion: null }));
      }
    }
  }

  /** Ends the process: uncommitted transactions are aborted, and none of its requests ever completes. */
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
        // The first three listeners belong to fake-indexeddb. Without them the next open would wait forever.
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

/** A request that is never answered. */
const NEVER = { addEventListener: () => undefined } as unknown as RawTarget;

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

/** One device's IndexedDB. It survives every crash of the runs on it. */
export class Disk {
  factory = new IDBFactory();
  readonly scheduler: Scheduler;
  /** Called after each committed writing transaction with its database and stores. */
  onCommit: ((database: string, stores: ReadonlySet<string>) => void) | null = null;
  /** Keys of changes whose acknowledgement cannot be stored here: each attempt fails with a constraint error. */
  readonly unstorable = new Set<string>();
  /** Whether the next change that is acknowledged becomes one of them. */
  isNextUnstorable = false;
  #isHealed = false;
  readonly #watchedJournals = new WeakSet<RawStore>();

  constructor(scheduler: Scheduler) {
    this.scheduler = scheduler;
  }

  storage(): Storage {
    return new Storage(this);
  }

  /** Makes the acknowledgement of some changes fail. The journal is written in the same transaction as the rest. */
  watchJournal(database: RawDatabase): void {
    const journal = database.rawObjectStores.get('journal');
    if (!journal || this.#watchedJournals.has(journal)) return;
    this.#watchedJournals.add(journal);
    const store = journal.storeRecord.bind(journal);
    journal.storeRecord = (record, ...rest) => {
      const { op, from, to, kind } = record.value as JournalEntry;
      // From 'attention', the person has resolved a conflict: that stores no answer.
      if (to === 'done' && from !== 'attention' && kind !== 'delete') {
        if (this.isNextUnstorable) this.unstorable.add(op);
        this.isNextUnstorable = false;
        if (this.unstorable.has(op) && !this.#isHealed)
          throw new DOMException('A constraint of the store', 'ConstraintError');
      }
      return store(record, ...rest);
    };
  }

  /** Deletes a database as the browser does. Every page that has it open loses its connection. */
  remove(database: string, storages: readonly Storage[]): void {
    for (const storage of storages) storage.closeAll();
    (this.factory as unknown as RawFactory)._databases.delete(database);
  }

  healConstraints(): void {
    this.isNextUnstorable = false;
    this.#isHealed = true;
  }

  /** Returns the stored rows without a transaction. Callers must not change them. */
  rows<T>(database: string, store: string): T[] {
    const raw = (this.factory as unknown as RawFactory)._databases.get(database);
    const found: T[] = [];
    for (const record of raw?.rawObjectStores.get(store)?.records.values() ?? []) found.push(record.value as T);
    return found;
  }

  /** Tells whether a writing transaction over the store is in progress. */
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
