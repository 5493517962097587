import { lt, sql } from 'drizzle-orm';
import type { Db } from '#server/platform/db/connect.ts';
import { liveSockets } from '#server/platform/db/schema.ts';
import type { Clock } from '#server/platform/clock.ts';
import type { SocketRegistry } from './service.ts';

/** A socket that asked for nothing for so long is gone: every reconnection asks anew, under another id. */
const SOCKET_MS = 7 * 24 * 60 * 60_000;

/** The register of all nodes: a row in the database for each socket, which goes with its session. */
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

/** Forgets sockets that are long gone. */
export async function deleteIdleSockets(db: Db, now: Date): Promise<void> {
  await db.delete(liveSockets).where(lt(liveSockets.lastUsedAt, new Date(now.getTime() - SOCKET_MS)));
}
