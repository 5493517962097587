import { forgetSession, withStore } from './device.ts';

/** A session that was signed out on this device but not yet on the server. Its token is stored only to end it there. */
export interface PendingSignOut {
  token: string;
  /** '' for the same origin. */
  apiBase: string;
  /** Whether the person discarded what waited here, so that the server does not report it as lost. */
  hasDiscarded?: boolean;
}

const farewellKey = (token: string) => `farewell:${token}`;

/**
 * Stores a token until the server has confirmed the sign-out. The entry outlives the account's own store.
 * @param isSession whether the session that is stored on this device is the one that ends. It is removed in the same transaction, so that a
 *   page that ends in between leaves a session that is either whole or gone
 */
export async function queueSignOut(
  { token, apiBase, hasDiscarded }: PendingSignOut,
  isSession: boolean,
): Promise<void> {
  await withStore('readwrite', (store) => {
    if (isSession) forgetSession(store);
    return store.put({ token, apiBase, hasDiscarded } satisfies PendingSignOut, farewellKey(token));
  });
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
