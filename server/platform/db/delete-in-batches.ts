import { getTableName, sql, type SQL } from 'drizzle-orm';
import type { PgTable } from 'drizzle-orm/pg-core';
import type { Db } from './connect.ts';

const BATCH_SIZE = 1000;

/** Deletes up to a thousand of the rows that match, in one statement. @returns how many */
export async function deleteBatch(db: Db, table: PgTable, which: SQL): Promise<number> {
  const name = sql.identifier(getTableName(table));
  const some = sql`select ctid from ${name} where ${which} limit ${BATCH_SIZE}`;
  const { rowCount } = await db.execute(sql`delete from ${name} where ctid = any(array(${some})) and ${which}`);
  return rowCount ?? 0;
}

/** Deletes the rows that match, in statements that are each done within moments, so that requests never wait long for a lock. */
export async function deleteInBatches(db: Db, table: PgTable, which: SQL): Promise<void> {
  while ((await deleteBatch(db, table, which)) === BATCH_SIZE);
}
