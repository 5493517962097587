import { withStore } from './device.ts';

/** A session that ended on this device and still lives on the server. Its token is kept only to end it there. */
export interface PendingSignOut {
  token: string;
  /** '' for the same origin. */
  apiBase: string;
}

const farewellKey = (token: string) => `farewell:${token}`;

/** Keeps a token until the server has confirmed the end of its session; it outlives the account's own data. */
export async function queueSignOut({ token, apiBase }: PendingSignOut): Promise<void> {
  await withStore('readwrite', (store) => store.put({ token, apiBase } satisfies PendingSignOut, farewellKey(token)));
}

/** Sessions to end on the server; empty as a rule. */
export async function readPendingSignOuts(): Promise<PendingSignOut[]> {
  return withStore<PendingSignOut[]>('readonly', (store) =>
    store.getAll(IDBKeyRange.bound('farewell:', 'farewell:\uffff')),
  );
}

export async function dropPendingSignOut(token: string): Promise<void> {
  await withStore('readwrite', (store) => store.delete(farewellKey(token)));
}
