import { and, eq, inArray, or, sql, type SQL } from 'drizzle-orm';
import type { PgColumn } from 'drizzle-orm/pg-core';
import type { ViewerRole } from '#contract/audience.ts';
import type { Profile } from '#contract/records/profile.ts';
import type { Db } from '#server/platform/db/connect.ts';
import { blocks, connections } from '#server/platform/db/schema.ts';
import type { Caller } from '#server/platform/http/caller.ts';

/** The relation between the caller and another person. */
export interface Relation {
  viewerRole: ViewerRole;
  /** A pending or accepted connection; null without one, and when owners view their own page as another viewer. */
  connection: Profile['connection'];
}

/** The caller whose view is computed; `viewAs` is another kind of viewer whose view the caller asked for. */
export type ViewerContext = Pick<Caller, 'userId' | 'viewAs'> | null;

/** The caller's relation to each of these people, by their id. Every id gets an entry. */
export async function getRelations(
  db: Db,
  caller: ViewerContext,
  ownerIds: readonly number[],
): Promise<Map<number, Relation>> {
  const found = new Map<number, Relation>();
  const others = new Set<number>();
  for (const ownerId of ownerIds) {
    if (caller === null) found.set(ownerId, { viewerRole: 'stranger', connection: null });
    else if (ownerId === caller.userId) found.set(ownerId, { viewerRole: caller.viewAs ?? 'owner', connection: null });
    else others.add(ownerId);
  }
  if (caller === null || others.size === 0) return found;
  const ids = [...others];
  const rows = await db
    .select()
    .from(connections)
    .where(
      or(
        and(eq(connections.senderId, caller.userId), inArray(connections.receiverId, ids)),
        and(eq(connections.receiverId, caller.userId), inArray(connections.senderId, ids)),
      ),
    );
  const blocked = await findBlocked(db, caller.userId, ids);
  for (const ownerId of ids)
    found.set(ownerId, { viewerRole: blocked.has(ownerId) ? 'blocked' : 'member', connection: null });
  for (const row of rows) {
    const isSent = row.senderId === caller.userId;
    const ownerId = isSent ? row.receiverId : row.senderId;
    if (blocked.has(ownerId)) continue;
    found.set(ownerId, {
      viewerRole: row.status === 'accepted' ? 'connection' : 'member',
      connection: { id: String(row.id), status: row.status, direction: isSent ? 'sent' : 'received' },
    });
  }
  return found;
}

/** The caller's relation to one person. */
export async function getRelation(db: Db, caller: ViewerContext, ownerId: number): Promise<Relation> {
  const relation = (await getRelations(db, caller, [ownerId])).get(ownerId);
  if (relation === undefined) throw new Error(`No relation computed for user ${ownerId}`);
  return relation;
}

/** Of these people, those who blocked the user or whom the user blocked. */
export async function findBlocked(db: Db, userId: number, ids: number[]): Promise<Set<number>> {
  const rows = await db
    .select()
    .from(blocks)
    .where(
      or(
        and(eq(blocks.blockerId, userId), inArray(blocks.blockedId, ids)),
        and(eq(blocks.blockedId, userId), inArray(blocks.blockerId, ids)),
      ),
    );
  return new Set(rows.map((row) => (row.blockerId === userId ? row.blockedId : row.blockerId)));
}

/** A condition for lists: the person in this column and the user have not blocked each other. */
export const notBlocked = (userId: number, person: PgColumn): SQL =>
  sql`not exists (select 1 from ${blocks} where (${blocks.blockerId} = ${userId} and ${blocks.blockedId} = ${person}) or (${blocks.blockedId} = ${userId} and ${blocks.blockerId} = ${person}))`;

/** Whether a viewer in this role can see a profile. Only its owner sees one that is inactive or withheld. */
export function canViewProfile(viewerRole: ViewerRole, { isShown }: { isShown: boolean }): boolean {
  if (viewerRole === 'owner') return true;
  return viewerRole !== 'blocked' && isShown;
}
