import { lt } from 'drizzle-orm';
import type { Db } from '#server/platform/db/connect.ts';
import { deleteInBatches } from '#server/platform/db/delete-in-batches.ts';
import { deliveries } from '#server/platform/db/schema.ts';

/** Longer than a device can hold back that it has shown a push. */
const RETENTION_MS = 30 * 24 * 60 * 60_000;

/** Deletes the records of old pushes. */
export async function deleteOldDeliveries(db: Db, now: Date): Promise<void> {
  await deleteInBatches(db, deliveries, lt(deliveries.at, new Date(now.getTime() - RETENTION_MS)));
}
