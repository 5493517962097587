import type { AccountDb } from '#db/database.ts';
import type { EnginePorts } from './engine-ports.ts';
import { type OutboxPorts, getTables } from './queue/outbox.ts';
import { retryOnStorageLoss } from './storage-error.ts';

/** Names of past writes to keep. Several tabs share the store, and a tab repeats a write within moments. */
const REMEMBERED_WRITES = 16;

export type Save = <T>(work: () => Promise<T>) => Promise<T>;

/**
 * Creates the write functions of one engine.
 * @param onWritten called after each write of the user
 */
export function createWriter(db: AccountDb, ports: EnginePorts, onWritten: () => void) {
  const { clock, chance } = ports;
  let lastWrite: Promise<unknown> = Promise.resolve();

  /** Runs a write that is safe to repeat. Throws StorageError when the device could not store it. */
  const save: Save = (work) => retryOnStorageLoss(db, work, () => ports.dropCaches?.() ?? Promise.resolve());

  /**
   * Runs a user's write exactly once. A transaction can commit although its connection reports a loss. Therefore the
   * transaction also stores the write's name, which the retry looks for, and a retry generates the same ids.
   */
  async function writeOnce<T>(work: (ports: OutboxPorts) => Promise<T>): Promise<T> {
    const name = chance.uuid();
    const minted: string[] = [];
    let result!: T;
    await save(() =>
      db.transaction('rw', [...getTables(db), db.visited, db.seen], async () => {
        const last = await db.meta.get('writes');
        const names = last?.k === 'writes' ? last.names : [];
        if (names.includes(name)) return;
        let at = 0;
        const uuid = () => (minted[at++] ??= chance.uuid());
        result = await work({ db, clock, chance: { ...chance, uuid } });
        await db.meta.put({ k: 'writes', names: [name, ...names].slice(0, REMEMBERED_WRITES) });
      }),
    );
    onWritten();
    return result;
  }

  /** Runs the writes in call order, so that a write that the store delayed cannot overwrite a later one. */
  function write<T>(work: (ports: OutboxPorts) => Promise<T>): Promise<T> {
    const next = lastWrite.then(() => writeOnce(work));
    lastWrite = next.catch(() => undefined);
    return next;
  }

  return {
    save,
    write,
    /** A writer whose writes also remove a draft, in the same transaction. */
    endingDraft: (key: string): Writer => ({
      save,
      write: (work) =>
        write(async (queue) => {
          const result = await work(queue);
          await db.drafts.delete(key);
          return result;
        }),
    }),
  };
}

export interface Writer {
  save: Save;
  write: <T>(work: (ports: OutboxPorts) => Promise<T>) => Promise<T>;
}
