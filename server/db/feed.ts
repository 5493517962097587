import { sql } from 'drizzle-orm';
import type { Db } from './connect.ts';

/** A change of one record of somebody's mirror. `parent` is kept with a deleted one. */
export interface Change {
  userId: number;
  type: string;
  id: string;
  parent: string | null;
  deleted: boolean;
}

function groupByUser(changes: Change[]): Map<number, Change[]> {
  const groups = new Map<number, Change[]>();
  for (const change of changes) groups.set(change.userId, [...(groups.get(change.userId) ?? []), change]);
  return groups;
}

/** Collects what a write changes; `flush` notes it in the feed as the transaction's last act. */
export class ChangeLog {
  readonly #changes = new Map<string, Change>();

  changed(userId: number, type: string, id: string, parent: string | null): void {
    this.#note({ userId, type, id, parent, deleted: false });
  }

  deleted(userId: number, type: string, id: string, parent: string | null): void {
    this.#note({ userId, type, id, parent, deleted: true });
  }

  #note(change: Change): void {
    this.#changes.set(`${change.userId} ${change.type} ${change.id}`, change);
  }

  /**
   * Raises each person's counter under the lock of their row, which is held until the commit: a later number can never be
   * seen before an earlier one. People go in ascending order, so that two writers cannot wait for each other.
   */
  async flush(tx: Db, now: Date): Promise<void> {
    const byUser = groupByUser([...this.#changes.values()]);
    for (const userId of [...byUser.keys()].sort((a, b) => a - b)) {
      const changes = byUser.get(userId) ?? [];
      const list = <T>(values: T[]) => sql.param(values);
      await tx.execute(sql`
        with head as (
          update users set sync_seq = sync_seq + ${changes.length} where id = ${userId} returning sync_seq
        )
        insert into sync_records (user_id, type, record_id, parent, seq, deleted_at)
        select ${userId}, change.type, change.id, change.parent, head.sync_seq - ${changes.length} + change.place,
          case when change.deleted then ${now.toISOString()}::timestamptz end
        from head, unnest(
          ${list(changes.map((change) => change.type))}::text[],
          ${list(changes.map((change) => change.id))}::text[],
          ${list(changes.map((change) => change.parent))}::text[],
          ${list(changes.map((change) => change.deleted))}::boolean[]
        ) with ordinality as change (type, id, parent, deleted, place)
        on conflict (user_id, type, record_id)
        do update set parent = excluded.parent, seq = excluded.seq, deleted_at = excluded.deleted_at`);
    }
  }
}
