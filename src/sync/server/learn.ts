import { ENGINE_CALLS } from '#contract/engine-calls.ts';
import type { AccountDb } from '#db/database.ts';
import type { Features } from '#db/rows.ts';
import { isOwnRefusal } from './own-answer.ts';
import type { Ports } from '../ports.ts';
import { jsonRequest } from '../operations/build-request.ts';

const BARE: Features = { keys: false, versions: false, uploads: false, sync: false };

export async function knownFeatures(db: AccountDb): Promise<Features | null> {
  const row = await db.meta.get('features');
  return row?.k === 'features' ? row.value : null;
}

/**
 * What this server offers, asked once and kept. Null while nobody answers: nothing may be sent before it is known
 * whether a repeat is safe. Only the server's own 404 says that it is a bare one, and never of one that once offered keys.
 */
export async function learnFeatures(db: AccountDb, { transport }: Pick<Ports, 'transport'>): Promise<Features | null> {
  const known = await knownFeatures(db);
  if (known?.keys) return known;
  const answer = await transport.send(jsonRequest('GET', ENGINE_CALLS.config.path), { userId: db.userId });
  if ('reason' in answer) return known;
  let value: Features | null = null;
  if (answer.status === 404 && isOwnRefusal(answer)) value = BARE;
  if (answer.status === 200 && !answer.redirected) {
    const said = (answer.body as { features?: Record<string, unknown> } | undefined)?.features;
    if (said !== undefined) {
      value = {
        keys: said.idempotency_keys === true && said.client_ids === true,
        versions: said.versions === true,
        uploads: said.uploads === true,
        sync: said.sync === true,
      };
    }
  }
  if (value === null) return known;
  await db.meta.put({ k: 'features', value });
  return value;
}
