import { withStore } from './device.ts';

/** A session that was signed out on this device but not yet on the server. Its token is stored only to end it there. */
export interface PendingSignOut {
  token: string;
  /** '' for the same origin. */
  apiBase: string;
  /** Whether the person discarded what waited here, so that the server does not report it as lost. */
  hasDiscarded?: boolean;
}

const farewellKey = (token: string) => `farewell:${token}`;

/** Stores a token until the server has confirmed the sign-out. The entry outlives the account's own store. */
export async function queueSignOut({ token, apiBase, hasDiscarded }: PendingSignOut): Promise<void> {
  await withStore('readwrite', (store) =>
    store.put({ token, apiBase, hasDiscarded } satisfies PendingSignOut, farewellKey(token)),
  );
}

/** Sessions to end on the server; usually none. */
export async function readPendingSignOuts(): Promise<PendingSignOut[]> {
  return withStore<PendingSignOut[]>('readonly', (store) =>
    store.getAll(IDBKeyRange.bound('farewell:', 'farewell:\uffff')),
  );
}

export async function dropPendingSignOut(token: string): Promise<void> {
  await withStore('readwrite', (store) => store.delete(farewellKey(token)));
}
