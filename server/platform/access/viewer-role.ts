import { and, eq, inArray, or, sql, type SQL } from 'drizzle-orm';
import type { PgColumn } from 'drizzle-orm/pg-core';
import type { Profile } from '#contract/records/profile.ts';
import type { Db } from '#server/platform/db/connect.ts';
import { blocks, connections } from '#server/platform/db/schema.ts';
import type { Caller } from '#server/platform/http/caller.ts';

/**
 * Who the caller is to the owner of a profile. `connection`: both agreed to it. `member`: signed in. `stranger`: no token.
 * `blocked`: one of the two wants to have nothing to do with the other; nothing of the owner exists for the caller.
 */
export type ViewerRole = 'owner' | 'connection' | 'member' | 'stranger' | 'blocked';

/** What is between the caller and somebody. */
export interface Relation {
  viewerRole: ViewerRole;
  /** Asked or agreed; null where nothing is, and where the owner looks at their own page as somebody else. */
  connection: Profile['connection'];
}

/** Whose eyes: those of the caller, or of a viewer the caller wants to be answered as. */
export type ViewerContext = Pick<Caller, 'userId' | 'viewAs'> | null;

/** How the caller stands to each of these people. */
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
  const ties = await db
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
  for (const tie of ties) {
    const isSent = tie.senderId === caller.userId;
    const ownerId = isSent ? tie.receiverId : tie.senderId;
    if (blocked.has(ownerId)) continue;
    found.set(ownerId, {
      viewerRole: tie.status === 'accepted' ? 'connection' : 'member',
      connection: { id: String(tie.id), status: tie.status, direction: isSent ? 'sent' : 'received' },
    });
  }
  return found;
}

/** How the caller stands to one person. */
export async function getRelation(db: Db, caller: ViewerContext, ownerId: number): Promise<Relation> {
  const relation = (await getRelations(db, caller, [ownerId])).get(ownerId);
  if (relation === undefined) throw new Error('Everybody stands somehow to everybody');
  return relation;
}

/** Those of these people who have blocked this one or are blocked by them. */
async function findBlocked(db: Db, userId: number, ids: number[]): Promise<Set<number>> {
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

/** For lists: this column's person and the caller have not blocked each other. */
export const notBlocked = (userId: number, person: PgColumn): SQL =>
  sql`not exists (select 1 from ${blocks} where (${blocks.blockerId} = ${userId} and ${blocks.blockedId} = ${person}) or (${blocks.blockedId} = ${userId} and ${blocks.blockerId} = ${person}))`;

/** Whether a profile exists for who stands so to its owner: an inactive one for its owner alone. */
export function canViewProfile(viewerRole: ViewerRole, status: 'active' | 'inactive'): boolean {
  if (viewerRole === 'owner') return true;
  return viewerRole !== 'blocked' && status === 'active';
}

/** Whether a row of a profile they see is for them. @param seenBy as its section's definition says */
export function canViewRow(viewerRole: ViewerRole, seenBy: 'everyone' | 'connections'): boolean {
  return seenBy === 'everyone' || viewerRole === 'owner' || viewerRole === 'connection';
}
