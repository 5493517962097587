import type { AccountDb } from '#db/database.ts';
import type { EnginePorts, ServerAdapter } from '../engine-ports.ts';
import { basicRules } from './basic-rules.ts';
import { fullApi } from './full-api.ts';
import { getKnownApi, learnApi } from './learn.ts';

/**
 * Returns the adapter of this account's server, asking which API it offers if needed; null until the server answers, and in a worker whose
 * server has the basic API: what waits for that is left to a page.
 */
export async function connectServer(
  db: AccountDb,
  ports: Pick<EnginePorts, 'transport' | 'loadConflictTools'>,
): Promise<ServerAdapter | null> {
  const level = await learnApi(db, ports);
  if (level !== 'basic') return level && fullApi;
  const tools = await ports.loadConflictTools().catch(() => null);
  return tools && tools.basicApi;
}

/** Returns what this device last learned of its server, without a request; null when it has learned nothing. */
export async function getKnownServer(db: AccountDb): Promise<typeof basicRules | null> {
  const level = await getKnownApi(db);
  return level && { full: fullApi, basic: basicRules }[level];
}
