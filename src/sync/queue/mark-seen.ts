import { LIMITS } from '#contract/limits.ts';
import { hasEffect, SEEN_LANE } from '#db/patches.ts';
import { markSeen as markSeenOperation } from '../operations/mark-seen.ts';
import { append, laneRows, type OutboxPorts, getTables } from './outbox.ts';
import { isUnsent } from './planner.ts';

/**
 * Marks notifications as seen, by id, because newer ones are not seen yet. Adds the ids to the unsent change, and
 * starts another change when they exceed the server's limit per request.
 */
export async function markSeen(ports: OutboxPorts, ids: readonly string[]): Promise<{ op: string | null }> {
  const { db, chance } = ports;
  return db.transaction('rw', getTables(db), async () => {
    const rows = (await laneRows(db, SEEN_LANE)).filter((row) => hasEffect(row, 'seen'));
    const known = new Set(rows.flatMap((row) => row.patch.ids));
    const fresh = [...new Set(ids)].filter((id) => !known.has(id));
    const last = rows.at(-1);
    let op = last?.op ?? null;
    if (fresh.length > 0 && last && isUnsent(last)) {
      const before = last.patch.ids;
      const fitting = fresh.splice(0, Math.max(0, LIMITS.notificationsPerRequest - before.length));
      await db.outbox.put({ ...last, patch: { ids: [...before, ...fitting] } });
    }
    while (fresh.length > 0) {
      op = chance.uuid();
      const patch = { ids: fresh.splice(0, LIMITS.notificationsPerRequest) };
      await append(ports, markSeenOperation, { op, type: 'notification', target: SEEN_LANE, patch });
    }
    return { op };
  });
}
