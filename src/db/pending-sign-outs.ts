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

/** The store of somebody who has signed out, which is still to be deleted, or reduced to what they keep on this device. */
export interface LeftStore {
  /** Name of the account's store. */
  name: string;
  userId: string;
  keepsUnsent: boolean;
}

const leftKey = (name: string) => `left:${name}`;

const readAll = <T>(prefix: string): Promise<T[]> =>
  withStore<T[]>('readonly', (store) => store.getAll(IDBKeyRange.bound(`${prefix}:`, `${prefix}:\uffff`)));

/**
 * Notes what a sign-out leaves to be done: its store, and the token until the server has confirmed it. Both outlive the account's store.
 * @param signOut null if there is nothing to end on the server
 * @param isSession whether the session that is stored on this device is the one that ends. It is removed in the same transaction, so that a
 *   page that ends in between leaves a session that is either whole or gone, with everything that is still to be done
 */
export async function queueSignOut(signOut: PendingSignOut | null, left: LeftStore, isSession: boolean): Promise<void> {
  await withStore('readwrite', (store) => {
    if (isSession) forgetSession(store);
    if (signOut) {
      const { token, apiBase, hasDiscarded } = signOut;
      store.put({ token, apiBase, hasDiscarded } satisfies PendingSignOut, farewellKey(token));
    }
    return store.put(left, leftKey(left.name));
  });
}

/** Sessions to end on the server; usually none. */
export const readPendingSignOuts = (): Promise<PendingSignOut[]> => readAll('farewell');

export async function dropPendingSignOut(token: string): Promise<void> {
  await withStore('readwrite', (store) => store.delete(farewellKey(token)));
}

/** Stores that were left and not yet deleted; usually none. */
export const readLeftStores = (): Promise<LeftStore[]> => readAll('left');

export async function dropLeftStore(name: string): Promise<void> {
  await withStore('readwrite', (store) => store.delete(leftKey(name)));
}
