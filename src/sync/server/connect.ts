import type { AccountDb } from '#db/database.ts';
import type { Ports } from '../ports.ts';
import type { ServerAdapter } from './adapter.ts';
import { basicApi } from './basic-api.ts';
import { fullApi } from './full-api.ts';
import { type ApiLevel, getKnownApi, learnApi } from './learn.ts';

const ADAPTERS: Record<ApiLevel, ServerAdapter> = { full: fullApi, basic: basicApi };

/** The adapter of this account's server; null while nobody has answered what it offers. */
export async function connectServer(db: AccountDb, ports: Pick<Ports, 'transport'>): Promise<ServerAdapter | null> {
  const level = await learnApi(db, ports);
  return level && ADAPTERS[level];
}

/** The adapter as this device last knew it, without asking. */
export async function getKnownServer(db: AccountDb): Promise<ServerAdapter | null> {
  const level = await getKnownApi(db);
  return level && ADAPTERS[level];
}
