import { lt, sql } from 'drizzle-orm';
import type { Db } from '#server/platform/db/connect.ts';
import { liveSockets } from '#server/platform/db/schema.ts';
import type { Clock } from '#server/platform/clock.ts';
import type { SocketRegistry } from './service.ts';

/** A socket without a request for this long is gone. Every reconnection has a new id and makes a new request. */
const MAX_IDLE_MS = 7 * 24 * 60 * 60_000;

/** A registry shared by all nodes: a database row per socket, deleted with its session. */
export function createSocketRegistry(db: Db, clock: Clock): SocketRegistry {
  return {
    claim: async (socketId, { sessionId }) => {
      const claimed = await db.execute(sql`
        insert into live_sockets (socket_id, session_id, last_used_at)
        select ${socketId}, id, ${clock.now().toISOString()}::timestamptz from sessions where id = ${Number(sessionId)}
        on conflict (socket_id) do update set last_used_at = excluded.last_used_at
        where live_sockets.session_id = excluded.session_id
        returning socket_id`);
      return claimed.rows.length > 0;
    },
  };
}

/** Deletes sockets that have been idle for a week. */
export async function deleteIdleSockets(db: Db, now: Date): Promise<void> {
  await db.delete(liveSockets).where(lt(liveSockets.lastUsedAt, new Date(now.getTime() - MAX_IDLE_MS)));
}
