import { and, desc, eq, inArray, or, sql, type SQL } from 'drizzle-orm';
import type { BlockRecord, Connection } from '#contract/records/people.ts';
import type { Db } from '#server/platform/db/connect.ts';
import type { ChangeLog } from '#server/platform/db/change-log.ts';
import { blocks, connections, media, profiles, savedMedia, savedProfiles, users } from '#server/platform/db/schema.ts';
import { lockPair } from '#server/platform/db/lock-pair.ts';
import { userChannel } from '#server/platform/live/names.ts';
import { recordCandidatesBetween } from '../casting/candidate-rows.ts';
import { endMembersBetween, showRequestsBetween } from '../casting/member-rows.ts';
import { endRequestsBetween } from '../casting/rows.ts';
import {
  closeConversationBetween,
  closeConversationOf,
  conversationsByConnection,
  openConversation,
} from '../chat/conversations.ts';
import { deleteNotificationsBetween, deleteNotifications, markRead, notify } from '../notifications/store.ts';
import { getVerified } from '#server/platform/access/offices.ts';
import { getPersonSummaries, getIndustries } from '#server/platform/access/person-summaries.ts';

export type ConnectionRow = typeof connections.$inferSelect;

/** Finds the connection or request between two people, in either direction. */
export async function findConnectionBetween(db: Db, one: number, other: number): Promise<ConnectionRow | null> {
  const [found] = await db
    .select()
    .from(connections)
    .where(
      or(
        and(eq(connections.senderId, one), eq(connections.receiverId, other)),
        and(eq(connections.senderId, other), eq(connections.receiverId, one)),
      ),
    );
  return found ?? null;
}

/** Locks a connection of this person together with the pair. Returns null if it is not theirs. */
export async function lockConnection(tx: Db, userId: number, id: number): Promise<ConnectionRow | null> {
  const [found] = await tx.select().from(connections).where(eq(connections.id, id));
  if (found === undefined || ![found.senderId, found.receiverId].includes(userId)) return null;
  await lockPair(tx, found.senderId, found.receiverId);
  const [held] = await tx.select().from(connections).where(eq(connections.id, id)).for('update');
  return held ?? null;
}

/** @returns null if the sender used this `clientId` for another request */
export async function addRequest(
  tx: Db,
  changes: ChangeLog,
  request: Pick<ConnectionRow, 'senderId' | 'receiverId' | 'message' | 'clientId' | 'createdAt'>,
): Promise<ConnectionRow | null> {
  const [added] = await tx
    .insert(connections)
    .values({ ...request, status: 'pending', updatedAt: request.createdAt })
    .onConflictDoNothing()
    .returning();
  if (added === undefined) return null;
  const { id, senderId, receiverId, createdAt } = added;
  const notification = { userId: receiverId, actorId: senderId, subjectId: id, data: { connection_id: String(id) } };
  await notify(tx, changes, { ...notification, type: 'connection.requested' }, createdAt);
  await publishConnection(tx, changes, added);
  return added;
}

/** Accepts a request and opens the conversation of the two people. */
export async function acceptRequest(tx: Db, changes: ChangeLog, row: ConnectionRow, now: Date): Promise<ConnectionRow> {
  await tx.update(connections).set({ status: 'accepted', updatedAt: now }).where(eq(connections.id, row.id));
  await openConversation(tx, changes, row, now);
  const { id, senderId, receiverId } = row;
  await markRead(tx, changes, receiverId, { about: { type: 'connection.requested', subjectId: id } }, now);
  const notification = { userId: senderId, actorId: receiverId, subjectId: id, data: { connection_id: String(id) } };
  await notify(tx, changes, { ...notification, type: 'connection.accepted' }, now);
  const accepted: ConnectionRow = { ...row, status: 'accepted', updatedAt: now };
  await publishConnection(tx, changes, accepted);
  return accepted;
}

/** Deletes a request or connection for both people, whether it is withdrawn, declined or ended. */
export async function removeConnection(tx: Db, changes: ChangeLog, row: ConnectionRow): Promise<void> {
  await closeConversationOf(tx, changes, row.id);
  const about = ['connection.requested' as const, 'connection.accepted' as const];
  await deleteNotifications(tx, changes, { type: about, subjectId: row.id });
  await tx.delete(connections).where(eq(connections.id, row.id));
  for (const userId of [row.senderId, row.receiverId])
    changes.recordDeletion(userId, 'connection', String(row.id), null);
}

/** Records the changed connection for both people and publishes it to their devices. */
async function publishConnection(db: Db, changes: ChangeLog, row: ConnectionRow): Promise<void> {
  for (const userId of [row.senderId, row.receiverId]) {
    changes.recordChange(userId, 'connection', String(row.id), null);
    const [connection] = await presentConnections(db, userId, [row]);
    changes.publish([userChannel(userId)], 'ConnectionChanged', { connection });
  }
}

/** Whether the person has a profile that others can see. */
export async function hasShownProfile(db: Db, userId: number): Promise<boolean> {
  const found = await db
    .select({ id: profiles.id })
    .from(profiles)
    .where(and(eq(profiles.userId, userId), profiles.isShown))
    .limit(1);
  return found.length > 0;
}

export async function personExists(db: Db, userId: number): Promise<boolean> {
  const found = await db.select({ id: users.id }).from(users).where(eq(users.id, userId));
  return found.length > 0;
}

/** Presents connections from the point of view of one of the two people. */
export async function presentConnections(
  db: Db,
  userId: number,
  rows: readonly ConnectionRow[],
): Promise<Connection[]> {
  const people = rows.flatMap((row) => [row.senderId, row.receiverId]);
  const summaries = await getPersonSummaries(db, people);
  const industries = await getIndustries(db, people);
  const verified = await getVerified(db, people);
  const conversations = await conversationsByConnection(
    db,
    rows.map(({ id }) => id),
  );
  return rows.map((row) => {
    const other = row.senderId === userId ? row.receiverId : row.senderId;
    const person = (id: number) => ({ id: String(id), name: summaries.get(id)?.name ?? '' });
    const {
      name = '',
      title = null,
      address = null,
      profile_photo = null,
      slug = null,
      profile_type = null,
    } = summaries.get(other) ?? {};
    return {
      id: String(row.id),
      status: row.status,
      sender: person(row.senderId),
      receiver: person(row.receiverId),
      user_id: String(row.senderId),
      connected_user_id: String(row.receiverId),
      name,
      title,
      address,
      profile_photo,
      slug,
      profile_type,
      industry_ids: industries.get(other) ?? [],
      conversation_id: conversations.get(row.id) ?? null,
      message: row.message,
      client_id: row.senderId === userId ? row.clientId : null,
      updated_at: row.updatedAt.toISOString(),
      verified: verified.get(other) ?? null,
    };
  });
}

/** Loads connections of this person by id, for the sync feed. */
export async function findConnectionsByIds(db: Db, userId: number, ids: number[]): Promise<ConnectionRow[]> {
  return db
    .select()
    .from(connections)
    .where(and(inArray(connections.id, ids), or(eq(connections.senderId, userId), eq(connections.receiverId, userId))));
}

/** A list that a connection of this person belongs to. */
export type ConnectionList = 'received' | 'sent' | 'accepted';

/** Lists this person's connections or requests, newest first. */
export async function listConnections(db: Db, userId: number, share: ConnectionList): Promise<ConnectionRow[]> {
  const { senderId, receiverId, status, updatedAt, id } = connections;
  const [sent, received] = [eq(senderId, userId), eq(receiverId, userId)];
  const whose = { sent, received, accepted: or(sent, received) }[share];
  return db
    .select()
    .from(connections)
    .where(and(whose, eq(status, share === 'accepted' ? 'accepted' : 'pending')))
    .orderBy(desc(updatedAt), desc(id));
}

/** Whether the person has blocked the other. Blocks in the opposite direction stay secret. */
export async function hasBlocked(db: Db, blockerId: number, blockedId: number): Promise<boolean> {
  const found = await db
    .select()
    .from(blocks)
    .where(and(eq(blocks.blockerId, blockerId), eq(blocks.blockedId, blockedId)));
  return found.length > 0;
}

/** Whether a person has written something on a page of another. */
const hasWrittenTo = (authorId: number, ownerId: number): SQL => sql`exists (
  select 1 from section_rows join profiles on profiles.id = section_rows.profile_id
  where section_rows.user_id = ${authorId} and profiles.user_id = ${ownerId})`;

/** Whether a person is or was invited to a project of another. */
const worksFor = (colleagueId: number, ownerId: number): SQL => sql`exists (
  select 1 from casting_members join casting_projects on casting_projects.id = casting_members.project_id
  where casting_members.user_id = ${colleagueId} and casting_projects.user_id = ${ownerId})`;

/**
 * Whether a person may know another's name: from a page that is shown, or from what the two have or had with each other. Everybody can
 * block every id.
 */
async function mayKnowName(db: Db, readerId: number, otherId: number): Promise<boolean> {
  const both = sql`(${readerId}::bigint, ${otherId}::bigint), (${otherId}::bigint, ${readerId}::bigint)`;
  const { rows } = await db.execute<{ is_known: boolean }>(sql`
    select exists (select 1 from profiles where user_id = ${otherId} and is_shown)
      or exists (select 1 from connections where (sender_id, receiver_id) in (${both}))
      or exists (select 1 from conversations where (first_id, second_id) in (${both}))
      or exists (select 1 from audition_requests where (user_id, performer_id) in (${both}))
      or ${hasWrittenTo(readerId, otherId)} or ${hasWrittenTo(otherId, readerId)}
      or ${worksFor(readerId, otherId)} or ${worksFor(otherId, readerId)}
      or exists (
        select 1 from casting_members mine join casting_members theirs using (project_id)
        where mine.user_id = ${readerId} and theirs.user_id = ${otherId}) as is_known`);
  return rows[0]?.is_known === true;
}

/** In place of a name that is not for the reader. */
const NO_NAME = 'Someone you can’t see';

/** Lists the people whom this person has blocked, newest first. */
export async function listBlocks(db: Db, blockerId: number): Promise<BlockRecord[]> {
  const rows = await db
    .select({ userId: users.id, name: users.name, isNamed: blocks.isNamed, createdAt: blocks.createdAt })
    .from(blocks)
    .innerJoin(users, eq(users.id, blocks.blockedId))
    .where(eq(blocks.blockerId, blockerId))
    .orderBy(desc(blocks.createdAt), desc(users.id));
  return rows.map(({ userId, name, isNamed, createdAt }) => ({
    user_id: String(userId),
    name: isNamed ? name : NO_NAME,
    created_at: createdAt.toISOString(),
  }));
}

/** Blocks a person: ends the connection and requests to audition, removes saved items in both directions and hides each from the other. */
export async function addBlock(
  tx: Db,
  changes: ChangeLog,
  blockerId: number,
  blockedId: number,
  now: Date,
): Promise<void> {
  const isNamed = await mayKnowName(tx, blockerId, blockedId);
  // Before the block: afterwards, nobody would know what they have read.
  await endMembersBetween(tx, changes, blockerId, blockedId, now);
  await tx.insert(blocks).values({ blockerId, blockedId, isNamed, createdAt: now });
  const connection = await findConnectionBetween(tx, blockerId, blockedId);
  if (connection) await removeConnection(tx, changes, connection);
  await endRequestsBetween(tx, changes, blockerId, blockedId, now);
  await recordCandidatesBetween(tx, changes, blockerId, blockedId);
  // After the requests, since whoever asks a question holds the lock of one.
  await closeConversationBetween(tx, changes, blockerId, blockedId);
  await deleteNotificationsBetween(tx, changes, blockerId, blockedId);
  const of = (owner: number) => tx.select({ id: profiles.id }).from(profiles).where(eq(profiles.userId, owner));
  const dropped = await tx
    .delete(savedProfiles)
    .where(
      or(
        and(eq(savedProfiles.userId, blockerId), inArray(savedProfiles.profileId, of(blockedId))),
        and(eq(savedProfiles.userId, blockedId), inArray(savedProfiles.profileId, of(blockerId))),
      ),
    )
    .returning();
  for (const { userId, profileId } of dropped) changes.recordDeletion(userId, 'saved_profile', String(profileId), null);
  const mediaOf = (owner: number) => tx.select({ id: media.id }).from(media).where(eq(media.userId, owner));
  const droppedMedia = await tx
    .delete(savedMedia)
    .where(
      or(
        and(eq(savedMedia.userId, blockerId), inArray(savedMedia.mediaId, mediaOf(blockedId))),
        and(eq(savedMedia.userId, blockedId), inArray(savedMedia.mediaId, mediaOf(blockerId))),
      ),
    )
    .returning();
  for (const { userId, mediaId } of droppedMedia) changes.recordDeletion(userId, 'saved_media', String(mediaId), null);
}

/** @returns false if there is no such block */
export async function removeBlock(tx: Db, changes: ChangeLog, blockerId: number, blockedId: number): Promise<boolean> {
  const gone = await tx
    .delete(blocks)
    .where(and(eq(blocks.blockerId, blockerId), eq(blocks.blockedId, blockedId)))
    .returning();
  await recordCandidatesBetween(tx, changes, blockerId, blockedId);
  await showRequestsBetween(tx, changes, blockerId, blockedId);
  return gone.length > 0;
}
