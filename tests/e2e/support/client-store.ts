import { expect, type Page } from '@playwright/test';

export interface StoredRow {
  op: string;
  kind: string;
  type: string;
  target: string;
  state: string;
  reason?: string;
  patch: Record<string, unknown>;
}

export interface StoredRecord {
  type: string;
  id: string;
  parent: string | null;
  body: Record<string, unknown>;
  version: number | null;
}

/** Tables of the signed-in account's store as they are at one moment, read past the app. Empty where there is no store. */
async function readTables(page: Page, ...names: string[]): Promise<unknown[][]> {
  return page.evaluate(async (tableNames) => {
    const found = (await indexedDB.databases()).find((each) => /^app:.*:/.test(each.name ?? ''));
    if (found?.name === undefined) return tableNames.map(() => []);
    const database = await new Promise<IDBDatabase>((resolve, reject) => {
      const opening = indexedDB.open(found.name!);
      opening.onsuccess = () => resolve(opening.result);
      opening.onerror = () => reject(opening.error ?? new Error('The store does not open'));
    });
    try {
      const transaction = database.transaction(tableNames);
      const readings = tableNames.map(
        (name) =>
          new Promise<unknown[]>((resolve, reject) => {
            const reading = transaction.objectStore(name).getAll();
            reading.onsuccess = () => resolve(reading.result);
            reading.onerror = () => reject(reading.error ?? new Error('The store does not answer'));
          }),
      );
      return await Promise.all(readings);
    } finally {
      database.close();
    }
  }, names);
}

async function readTable<T>(page: Page, name: string): Promise<T[]> {
  const [rows] = await readTables(page, name);
  return rows as T[];
}

/** What this device still has to send. */
export const getOutbox = (page: Page) => readTable<StoredRow>(page, 'outbox');

/** Resolves once the server has told this device all that is one's own. */
export const waitForFirstPull = (page: Page) =>
  expect
    .poll(async () => (await readTable<{ k: string }>(page, 'meta')).some(({ k }) => k === 'pulled'), {
      intervals: [50],
    })
    .toBe(true);

/** What this device knows from the server. */
export const getMirror = (page: Page) => readTable<StoredRecord>(page, 'records');

/** What others wrote, as far as it lies on this device. */
export const getMessages = (page: Page) => readTable<{ message: string }>(page, 'messages');

/** How many messages with this text the device holds, sent or still to be sent; one that is both for a moment counts once. */
export async function countMessage(page: Page, text: string): Promise<number> {
  const [messages, outbox] = (await readTables(page, 'messages', 'outbox')) as [
    { message: string; client_id: string | null; id: string }[],
    StoredRow[],
  ];
  const sent = messages.filter(({ message }) => message === text).map(({ client_id, id }) => `L_${client_id ?? id}`);
  const waiting = outbox.filter(({ kind, patch }) => kind === 'send' && patch['message'] === text);
  return new Set([...sent, ...waiting.map(({ target }) => target)]).size;
}

/** How many entries of a list to choose from lie on this device. */
export const countLookupItems = async (page: Page, name: string) => {
  const rows = await readTable<{ k: string; items?: unknown[] }>(page, 'meta');
  return rows.find((row) => row.k === `lookup:${name}`)?.items?.length ?? 0;
};

/** Pieces of picked files that lie on this device. */
export const countChunks = async (page: Page) => (await readTable<{ media: string; n: number }>(page, 'chunks')).length;

/** Rewrites fields of the one waiting change of a type, and moves it back in time: as an older version left it. */
export async function rewriteQueuedChange(
  page: Page,
  type: string,
  fields: Record<string, unknown>,
  olderByMs: number,
): Promise<void> {
  await page.evaluate(
    async ([wanted, patch, ageMs]) => {
      const found = (await indexedDB.databases()).find((each) => /^app:.*:/.test(each.name ?? ''));
      const database = await new Promise<IDBDatabase>((resolve, reject) => {
        const opening = indexedDB.open(found?.name ?? '');
        opening.onsuccess = () => resolve(opening.result);
        opening.onerror = () => reject(opening.error ?? new Error('The store does not open'));
      });
      const transaction = database.transaction('outbox', 'readwrite');
      const store = transaction.objectStore('outbox');
      const reading = store.getAll();
      reading.onsuccess = () => {
        for (const waiting of reading.result) {
          if (waiting.type !== wanted) continue;
          store.put({
            ...waiting,
            patch: { ...waiting.patch, ...patch },
            createdAt: waiting.createdAt - ageMs,
            sentOnce: false,
          });
        }
      };
      await new Promise((resolve) => (transaction.oncomplete = resolve));
      database.close();
    },
    [type, fields, olderByMs] as const,
  );
}
