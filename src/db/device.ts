/**
 * What the worker, and a page whose local storage was lost, need to go on: one small record in its own database.
 * Plain IndexedDB, because the signed-out pages read it and must not load the whole store for that.
 */

export interface DeviceSession {
  token: string;
  userId: string;
  /** Kept so that the app opens with a name when no server is in reach. */
  user: { id: string; name: string; email: string };
  /** '' for the same origin. */
  apiBase: string;
}

const NAME = 'app:device';
const STORE = 'facts';

function open(): Promise<IDBDatabase> {
  return new Promise((resolve, reject) => {
    const request = indexedDB.open(NAME, 1);
    request.onupgradeneeded = () => request.result.createObjectStore(STORE);
    request.onsuccess = () => resolve(request.result);
    request.onerror = () => reject(request.error ?? new Error('The device store did not open'));
  });
}

/** One request of the device's store, committed when it resolves. */
export async function withStore<T>(
  mode: IDBTransactionMode,
  act: (store: IDBObjectStore) => IDBRequest<T>,
): Promise<T> {
  const db = await open();
  try {
    return await new Promise<T>((resolve, reject) => {
      const transaction = db.transaction(STORE, mode, { durability: 'strict' });
      const request = act(transaction.objectStore(STORE));
      // Ends without this page, which a browser may freeze at any moment: WebKit would keep the store locked until it thaws.
      transaction.commit();
      transaction.oncomplete = () => resolve(request.result);
      transaction.onerror = transaction.onabort = () =>
        reject(transaction.error ?? new Error('The device store refused'));
    });
  } finally {
    db.close();
  }
}

/** Null when nobody is signed in on this device. */
export async function readSession(): Promise<DeviceSession | null> {
  return (await withStore<DeviceSession | undefined>('readonly', (store) => store.get('session'))) ?? null;
}

export async function writeSession(session: DeviceSession): Promise<void> {
  await withStore('readwrite', (store) => store.put(session, 'session'));
}

export async function clearSession(): Promise<void> {
  await withStore('readwrite', (store) => store.delete('session'));
}
