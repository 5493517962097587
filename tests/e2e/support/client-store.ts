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

/** Reads tables of the signed-in account's store in one transaction, without the app. Empty if there is no store. */
async function readTables(page: Page, ...names: string[]): Promise<unknown[][]> {
  return page.evaluate(async (tableNames) => {
    const found = (await indexedDB.databases()).find((each) => /^app:.*:/.test(each.name ?? ''));
    if (found?.name === undefined) return tableNames.map(() => []);
    const database = await new Promise<IDBDatabase>((resolve, reject) => {
      const opening = indexedDB.open(found.name!);
      opening.onsuccess = () => resolve(opening.result);
      opening.onerror = () => reject(opening.error ?? new Error('The store cannot be opened'));
    });
    try {
      const transaction = database.transaction(tableNames);
      const readings = tableNames.map(
        (name) =>
          new Promise<unknown[]>((resolve, reject) => {
            const reading = transaction.objectStore(name).getAll();
            reading.onsuccess = () => resolve(reading.result);
            reading.onerror = () => reject(reading.error ?? new Error('The store cannot be read'));
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

/** The device's outbox. */
export const getOutbox = (page: Page) => readTable<StoredRow>(page, 'outbox');

/** Resolves once the device's first pull has finished. */
export const waitForFirstPull = (page: Page) =>
  expect
    .poll(async () => (await readTable<{ k: string }>(page, 'meta')).some(({ k }) => k === 'pulled'), {
      intervals: [50],
    })
    .toBe(true);

/** The device's mirror. */
export const getMirror = (page: Page) => readTable<StoredRecord>(page, 'records');

/** The messages stored on this device. */
export const getMessages = (page: Page) => readTable<{ message: string }>(page, 'messages');

/** Number of messages with this text, sent or unsent. A message that is briefly in both tables counts once. */
export async function countMessage(page: Page, text: string): Promise<number> {
  const [messages, outbox] = (await readTables(page, 'messages', 'outbox')) as [
    { message: string; client_id: string | null; id: string }[],
    StoredRow[],
  ];
  const sent = messages.filter(({ message }) => message === text).map(({ client_id, id }) => `L_${client_id ?? id}`);
  const waiting = outbox.filter(({ kind, patch }) => kind === 'send' && patch['message'] === text);
  return new Set([...sent, ...waiting.map(({ target }) => target)]).size;
}

/** Number of items of a lookup list on this device. */
export const countLookupItems = async (page: Page, name: string) => {
  const rows = await readTable<{ k: string; items?: unknown[] }>(page, 'meta');
  return rows.find((row) => row.k === `lookup:${name}`)?.items?.length ?? 0;
};

/** Number of chunks of picked files on this device. */
export const countChunks = async (page: Page) => (await readTable<{ media: string; n: number }>(page, 'chunks')).length;

/** How many files the device has stored, to send or to keep. */
export const countMedia = async (page: Page) => (await readTable(page, 'media')).length;

/** How many forms have a draft. */
export const countDrafts = async (page: Page) => (await readTable(page, 'drafts')).length;

/** Rewrites fields and age of the queued change of a type, as if an older app version had written it. */
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
        opening.onerror = () => reject(opening.error ?? new Error('The store cannot be opened'));
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
