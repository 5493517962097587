import type { AccountDb } from '#db/database.ts';
import type { OutboxRow } from '#db/rows.ts';
import type { WireRequest } from '#net/wire.ts';
import type { ServerAdapter } from '../engine-ports.ts';
import { getOperation } from '../operations/index.ts';
import type { RequestContext } from '../operations/operation.ts';

/**
 * Builds the request of a row that is not an upload. The same row always gives the same bytes: assigned ids never
 * change, and everything else is frozen with the row. Null when this server, or this version of the app, has no
 * endpoint for it.
 */
export async function buildRowRequest(
  db: AccountDb,
  row: OutboxRow,
  resolve: RequestContext['resolve'],
  server: ServerAdapter,
): Promise<WireRequest | null> {
  const operation = getOperation(row);
  const endpoint = operation.endpoint(row);
  const request = endpoint && (await operation.buildRequest(row, { db, endpoint, server, resolve }));
  if (request) request.headers['idempotency-key'] = row.op;
  return request;
}
