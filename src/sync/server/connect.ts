import type { AccountDb } from '#db/database.ts';
import type { Ports } from '../ports.ts';
import type { ServerAdapter } from './adapter.ts';
import { basicApi } from './basic-api.ts';
import { fullApi } from './full-api.ts';
import { type ApiLevel, getKnownApi, learnApi } from './learn.ts';

const ADAPTERS: Record<ApiLevel, ServerAdapter> = { full: fullApi, basic: basicApi };

/**
 * Returns the adapter of this account's server, asking which API it offers if needed; null until the server answers.
 */
export async function connectServer(db: AccountDb, ports: Pick<Ports, 'transport'>): Promise<ServerAdapter | null> {
  const level = await learnApi(db, ports);
  return level && ADAPTERS[level];
}

/** Returns the adapter that this device last learned, without a request; null when there is none. */
export async function getKnownServer(db: AccountDb): Promise<ServerAdapter | null> {
  const level = await getKnownApi(db);
  return level && ADAPTERS[level];
}
