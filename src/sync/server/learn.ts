import { ENGINE_CALLS } from '#contract/engine-calls.ts';
import type { AccountDb } from '#db/database.ts';
import type { Features } from '#db/rows.ts';
import { jsonRequest } from '../operations/build-request.ts';
import type { Ports } from '../ports.ts';
import { isOwnRefusal } from './own-answer.ts';

/** Which API a server offers. */
export type ApiLevel = 'full' | 'basic';

/** The API of this account's server, as this device last learned it; null when it has not learned it yet. */
export async function getKnownApi(db: AccountDb): Promise<ApiLevel | null> {
  const row = await db.meta.get('features');
  return row?.k === 'features' ? toApiLevel(row.value) : null;
}

/** Whether two devices may send the same change: the server then knows the second one by its key. */
export const canBeSentTwice = async (db: AccountDb): Promise<boolean> => (await getKnownApi(db)) === 'full';

/**
 * Treats a server that lacks any part of the full API as a basic one, because exactly-once needs all (decision 024).
 */
const toApiLevel = ({ keys, versions, uploads, sync }: Features): ApiLevel =>
  keys && versions && uploads && sync ? 'full' : 'basic';

/**
 * Learns which API the server offers and stores the result. Null until the server answers: nothing may be sent before
 * the engine knows whether a repeat is safe. Only the server's own 404 or feature list makes it a basic one, and a
 * server known as full stays full.
 */
export async function learnApi(db: AccountDb, { transport }: Pick<Ports, 'transport'>): Promise<ApiLevel | null> {
  const known = await getKnownApi(db);
  if (known === 'full') return known;
  const answer = await transport.send(jsonRequest('GET', ENGINE_CALLS.config.path), { userId: db.userId });
  if ('reason' in answer) return known;
  let value: Features | null = null;
  if (answer.status === 404 && isOwnRefusal(answer))
    value = { keys: false, versions: false, uploads: false, sync: false };
  if (answer.status === 200 && !answer.redirected) {
    const offered = (answer.body as { features?: Record<string, unknown> } | undefined)?.features;
    if (offered !== undefined) {
      value = {
        keys: offered.idempotency_keys === true && offered.client_ids === true,
        versions: offered.versions === true,
        uploads: offered.uploads === true,
        sync: offered.sync === true,
      };
    }
  }
  if (value === null) return known;
  await db.meta.put({ k: 'features', value });
  return toApiLevel(value);
}
