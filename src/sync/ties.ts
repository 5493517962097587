import { LIMITS } from '#contract/limits.ts';
import type { AccountDb } from '#db/database.ts';
import { CONNECTION } from '#db/people.ts';
import type { OutboxRow } from '#db/rows.ts';
import { append, drop, laneRows, type OutboxPorts, tablesOf, UNDO_MS } from './outbox.ts';
import { personLane, type Whom } from './people.ts';
import { isRefused, isUnsent } from './planner.ts';
import type { DisconnectReason } from './operations/disconnect.ts';

/**
 * Parts from somebody: takes a request back, declines theirs, ends a connection, or blocks them. It goes in the lane of what was
 * wished of them before, and takes what has not left of that along. All but a block wait five seconds for Undo.
 * @param connectionId the server's; null where it has none, or this device has not heard of it
 * @returns the change that can be undone; null where nothing is left to send. `mayBeThere`: a request of ours may have
 *   reached them before it is withdrawn
 */
export async function part(
  ports: OutboxPorts,
  { userId, name }: Whom,
  way: DisconnectReason,
  connectionId: string | null,
): Promise<{ op: string | null; mayBeThere: boolean }> {
  const { db, chance, clock } = ports;
  const op = chance.uuid();
  if (way === 'block') await forget(db, userId);
  return db.transaction('rw', tablesOf(db), async () => {
    const lane = personLane(userId);
    let mayBeThere = false;
    for (const row of await laneRows(db, lane)) {
      if (row.patch.way === 'block' || (row.patch.way === way && !isRefused(row)))
        return { op: row.op, mayBeThere: row.target === lane };
      // What is taken back never left; the connection parted from before it stays one to part from.
      if (connectionId === null && way !== 'block' && isParting(row) && !isRefused(row)) continue;
      if (isRefused(row) || isUnsent(row)) await drop(ports, row, 'discarded');
      else mayBeThere ||= row.kind === 'connect';
    }
    // Nothing was asked of them yet. A request whose answer was lost may stand there: it is withdrawn once it has an id.
    if (connectionId === null && way !== 'block' && !mayBeThere) return { op: null, mayBeThere };
    const held = way === 'block' ? {} : { hold: true as const, notBefore: clock.now() + UNDO_MS };
    const target = connectionId ?? lane;
    const patch = { way, userId, name };
    await append(ports, { op, kind: 'delete', type: CONNECTION, target, parent: null, lane, patch, ...held });
    return { op, mayBeThere: mayBeThere && connectionId === null };
  });
}

/** Whether it ends a connection that the server knows. */
const isParting = ({ kind, target, lane }: OutboxRow): boolean => kind === 'delete' && target !== lane;

/** What of somebody lies here to be read goes with the wish to see no more of them. */
async function forget(db: AccountDb, userId: string): Promise<void> {
  await db.visited.filter(({ profile }) => String(profile.user_id) === userId).delete();
  await db.seen.filter(({ person }) => person.row.facts?.user_id === userId).delete();
  await db.meta
    .where('k')
    .equals('suggestions')
    .modify((row) => {
      if ('people' in row) row.people = row.people.filter(({ user_id }) => String(user_id) !== userId);
    });
}

const SEEN_LANE = 'seen';

/**
 * Marks notifications as seen: by their ids, because later ones are not seen yet. They gather in one change, and in more
 * where they are more than the server takes at once.
 */
export async function markSeen(ports: OutboxPorts, ids: readonly string[]): Promise<{ op: string | null }> {
  const { db, chance } = ports;
  return db.transaction('rw', tablesOf(db), async () => {
    const rows = await laneRows(db, SEEN_LANE);
    const known = new Set(rows.flatMap((row) => row.patch.ids as string[]));
    const fresh = [...new Set(ids)].filter((id) => !known.has(id));
    const last = rows.at(-1);
    let op = last?.op ?? null;
    if (fresh.length > 0 && last && isUnsent(last)) {
      const before = last.patch.ids as string[];
      const fitting = fresh.splice(0, Math.max(0, LIMITS.notificationsAtOnce - before.length));
      await db.outbox.put({ ...last, patch: { ids: [...before, ...fitting] } });
    }
    while (fresh.length > 0) {
      op = chance.uuid();
      const patch = { ids: fresh.splice(0, LIMITS.notificationsAtOnce) };
      const about = { kind: 'seen' as const, type: 'notification', target: SEEN_LANE, parent: null, lane: SEEN_LANE };
      await append(ports, { op, ...about, patch });
    }
    return { op };
  });
}
