import { inStore } from './device.ts';

/** A session that ended on this device and still lives on the server. Its token is kept only to end it there. */
export interface Farewell {
  token: string;
  /** '' for the same origin. */
  apiBase: string;
}

const farewellKey = (token: string) => `farewell:${token}`;

/** Keeps a token until the server has confirmed the end of its session; it outlives the account's own data. */
export async function queueFarewell({ token, apiBase }: Farewell): Promise<void> {
  await inStore('readwrite', (store) => store.put({ token, apiBase } satisfies Farewell, farewellKey(token)));
}

/** Sessions to end on the server; empty as a rule. */
export async function readFarewells(): Promise<Farewell[]> {
  return inStore<Farewell[]>('readonly', (store) => store.getAll(IDBKeyRange.bound('farewell:', 'farewell:\uffff')));
}

export async function dropFarewell(token: string): Promise<void> {
  await inStore('readwrite', (store) => store.delete(farewellKey(token)));
}
