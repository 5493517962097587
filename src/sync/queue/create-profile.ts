import { create, getTables, update, type OutboxPorts, type Values } from './outbox.ts';

/** A row of a new profile. */
export interface FirstRow {
  /** Section key. */
  type: string;
  fields: Values;
  /** The section is saved as one set: an update under the profile's id with all values. */
  isSet: boolean;
}

/**
 * Queues a new profile and its first rows in one transaction. If only some of them were stored, a second try would
 * create those twice. The rows are sent once the server has the profile.
 * @param rows in the order of creation
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
