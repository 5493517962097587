import type { Notification } from '#contract/records/notifications.ts';
import { LIMITS } from '#contract/limits.ts';
import { hasEffect, isSeenIn, SEEN_LANE, type SeenPatch } from '#db/patches.ts';
import { markSeen as markSeenOperation } from '../operations/mark-seen.ts';
import { append, laneRows, type OutboxPorts, getTables } from './outbox.ts';
import { isUnsent } from './planner.ts';

/** A notification as it was seen. */
export type SeenNotification = Pick<Notification, 'id' | 'created_at'>;

/**
 * Marks notifications as seen, by id and time, because newer ones are not seen yet. Adds them to the unsent change, and
 * starts another change when they exceed the server's limit per request.
 */
export async function markSeen(ports: OutboxPorts, seen: readonly SeenNotification[]): Promise<{ op: string | null }> {
  const { db, chance } = ports;
  return db.transaction('rw', getTables(db), async () => {
    const rows = (await laneRows(db, SEEN_LANE)).filter((row) => hasEffect(row, 'seen'));
    const times = new Map(seen.map(({ id, created_at }) => [id, created_at]));
    const fresh = [...times.keys()].filter((id) => !rows.some(({ patch }) => isSeenIn(patch, id, times.get(id)!)));
    const last = rows.at(-1);
    let op = last?.op ?? null;
    const withTimes = ({ ids, created_at }: SeenPatch, added: readonly string[]): SeenPatch => ({
      ids: [...new Set([...ids, ...added])],
      created_at: { ...created_at, ...Object.fromEntries(added.map((id) => [id, times.get(id)!])) },
    });
    if (fresh.length > 0 && last && isUnsent(last)) {
      const { ids } = last.patch;
      const fitting = fresh.splice(0, Math.max(0, LIMITS.notificationsPerRequest - ids.length));
      await db.outbox.put({ ...last, patch: withTimes(last.patch, fitting) });
    }
    while (fresh.length > 0) {
      op = chance.uuid();
      const patch = withTimes({ ids: [] }, fresh.splice(0, LIMITS.notificationsPerRequest));
      await append(ports, markSeenOperation, { op, type: 'notification', target: SEEN_LANE, patch });
    }
    return { op };
  });
}
