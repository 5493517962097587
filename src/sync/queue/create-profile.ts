import { create, getTables, update, type OutboxPorts, type Values } from './outbox.ts';

/** A row to put into a profile that is being made. */
export interface FirstRow {
  /** Section key. */
  type: string;
  fields: Values;
  /** Rows that are written as one take the profile's id and all their values. */
  isSet: boolean;
}

/**
 * Queues a new profile together with its first rows, all of them or none: a copy that was half kept would be made again,
 * and then some of it twice. The rows go out once the server has the profile.
 * @param rows in the order they are to be made
 */
export async function createProfile(
  ports: OutboxPorts,
  fields: Values,
  rows: readonly FirstRow[],
): Promise<{ id: string; op: string | null }> {
  const { db } = ports;
  return db.transaction('rw', getTables(db), async () => {
    const made = await create(ports, 'profile', null, fields);
    for (const row of rows) {
      if (row.isSet) await update(ports, row.type, made.id, row.fields);
      else await create(ports, row.type, made.id, row.fields);
    }
    return made;
  });
}
