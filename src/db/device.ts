/**
 * The session, in a small database of its own, for the worker and for a page whose localStorage was lost. Plain
 * IndexedDB, because the signed-out pages read it and must not load Dexie for that.
 */

export interface DeviceSession {
  token: string;
  /** The token that this one replaced. Local storage still has it if the page ended while it stored the new one. */
  previousToken?: string;
  userId: string;
  /** Lets the app show the user's name without a connection. */
  user: {
    id: string;
    name: string;
    email: string;
    email_verified?: boolean | undefined;
    must_confirm_email?: boolean | undefined;
    is_suspended?: boolean | undefined;
    hidden_by_desk?: string[] | undefined;
    role?: 'person' | 'moderator' | 'operator' | undefined;
    pending_email?: string | null | undefined;
    unreachable_email?: string | null | undefined;
    asks?: 'born_on' | 'consent' | 'email' | 'guardian' | 'of_age' | null | undefined;
  };
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

/** Runs requests on the device store in one transaction. Resolves to the result of the one that is returned, once it is committed. */
export async function withStore<T>(
  mode: IDBTransactionMode,
  act: (store: IDBObjectStore) => IDBRequest<T>,
): Promise<T> {
  const db = await open();
  try {
    return await new Promise<T>((resolve, reject) => {
      const transaction = db.transaction(STORE, mode, { durability: 'strict' });
      const request = act(transaction.objectStore(STORE));
      // Commit at once. Otherwise, if the browser freezes this page, WebKit keeps the store locked until the page
      // resumes.
      transaction.commit();
      transaction.oncomplete = () => resolve(request.result);
      transaction.onerror = transaction.onabort = () =>
        reject(transaction.error ?? new Error('The device store refused'));
    });
  } finally {
    db.close();
  }
}

/** The session, null when nobody is signed in on this device. */
export async function readSession(): Promise<DeviceSession | null> {
  return (await withStore<DeviceSession | undefined>('readonly', (store) => store.get('session'))) ?? null;
}

export async function writeSession(session: DeviceSession): Promise<void> {
  await withStore('readwrite', (store) => store.put(session, 'session'));
}

export const forgetSession = (store: IDBObjectStore): IDBRequest<undefined> => store.delete('session');
