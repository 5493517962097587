import { randomUUID } from 'node:crypto';
import { and, asc, desc, eq, inArray, isNull, lt, or, sql, type SQL } from 'drizzle-orm';
import { LIMITS } from '#contract/limits.ts';
import type { Notification, NotificationData, NotificationType } from '#contract/records/notifications.ts';
import { notBlocked } from '#server/platform/access/viewer-role.ts';
import type { Db } from '#server/platform/db/connect.ts';
import { ChangeLog } from '#server/platform/db/change-log.ts';
import { limits, notifications } from '#server/platform/db/schema.ts';
import { userChannel } from '#server/platform/live/names.ts';
import { findWays, queuePushes } from '#server/features/push/queue.ts';
import { getPersonSummaries } from '#server/platform/access/person-summaries.ts';

export type NotificationRow = typeof notifications.$inferSelect;

/** Length of the text preview in a notification, in code points. */
const PREVIEW_CHARS = 160;

/** Truncates a text to a preview, between code points. */
export function getPreview(text: string): string {
  const letters = [...text];
  return letters.length > PREVIEW_CHARS ? `${letters.slice(0, PREVIEW_CHARS - 1).join('')}…` : text;
}

/** An action of `actorId` to notify `userId` about. */
interface NewNotification {
  userId: number;
  actorId: number;
  type: NotificationType;
  /** Id of its subject: a connection, conversation, feedback entry or profile. */
  subjectId: number;
  data: NotificationData;
}

/** Presents notifications to their recipient; omits those of actors with a block in either direction. */
export async function presentNotifications(db: Db, rows: readonly NotificationRow[]): Promise<Notification[]> {
  const summaries = await getPersonSummaries(
    db,
    rows.map(({ actorId }) => actorId),
  );
  return rows.map(({ id, type, actorId, data, readAt, createdAt }) => {
    const {
      name = '',
      title = null,
      profile_photo = null,
      slug = null,
      profile_type = null,
    } = summaries.get(actorId) ?? {};
    return {
      id: String(id),
      type,
      actor: { user_id: String(actorId), name, title, profile_photo, slug, profile_type },
      data,
      read_at: readAt?.toISOString() ?? null,
      created_at: createdAt.toISOString(),
    };
  });
}

const groupKey = ({ userId, actorId, type, subjectId }: NewNotification) =>
  and(
    eq(notifications.userId, userId),
    eq(notifications.type, type),
    eq(notifications.subjectId, subjectId),
    eq(notifications.actorId, actorId),
  );

/**
 * Notifies a person of an action, in the transaction of that action. A notification that is still unread is only updated, so that
 * twenty messages do not alert twenty times.
 */
export async function notify(tx: Db, changes: ChangeLog, added: NewNotification, now: Date): Promise<void> {
  const { userId, data } = added;
  const fresh = { data, readAt: null, createdAt: now };
  const [raised] = await tx
    .update(notifications)
    .set(fresh)
    .where(and(groupKey(added), isNull(notifications.readAt)))
    .returning();
  const row = raised ?? (await alert(tx, { ...added, ...fresh }));
  // Devices order the notifications of messages by their messages. They pull the others.
  const isAboutMessage = added.type === 'message.received';
  const [notification] = raised && !isAboutMessage ? [] : await presentNotifications(tx, [row]);
  const carried = isAboutMessage && notification ? { notification } : undefined;
  changes.recordChange(userId, 'notification', String(row.id), null, carried);
  if (!raised) changes.publish([userChannel(userId)], 'NotificationCreated', { notification });
}

/** How often one person alerts another about one thing in a day. Whoever goes on doing and undoing it is only listed. */
const ALERTS_A_DAY = 6;
const DAY_MS = 24 * 60 * 60_000;

/**
 * What alerts of a kind are counted by, beside the two people, where doing something again makes a new subject. The others are counted by
 * their subject.
 */
const COUNTED_BY: Partial<Record<NotificationType, (data: NotificationData) => string | undefined>> = {
  'connection.requested': () => '',
  'feedback.received': ({ profile_id }) => profile_id,
};

/** Counts an alert, and says whether there are too many of its kind by now. */
async function isTooOften(
  tx: Db,
  { userId, actorId, type, subjectId, data }: NewNotification,
  now: Date,
): Promise<boolean> {
  // Who does not read is not alerted by a message, so a lively conversation may go on all day.
  if (type === 'message.received') return false;
  const about = COUNTED_BY[type]?.(data) ?? subjectId;
  const [counted] = await tx
    .insert(limits)
    .values({ key: `alert:${userId}:${actorId}:${type}:${about}`, points: 1, expire: now.getTime() + DAY_MS })
    .onConflictDoUpdate({
      target: limits.key,
      set: {
        points: sql`case when ${limits.expire} <= ${now.getTime()} then 1 else ${limits.points} + 1 end`,
        expire: sql`case when ${limits.expire} <= ${now.getTime()} then excluded.expire else ${limits.expire} end`,
      },
    })
    .returning({ points: limits.points });
  return (counted?.points ?? 0) > ALERTS_A_DAY;
}

/** Adds a notification that is told also while the app is closed. */
async function alert(tx: Db, values: Omit<NewRow, 'alert' | 'mailWaitsSince'>): Promise<NotificationRow> {
  const isQuiet = await isTooOften(tx, values, values.createdAt);
  const ways = isQuiet ? null : await findWays(tx, values.userId, values.type);
  const hasDevice = ways?.hasDevice === true;
  const mailWaitsSince = ways?.isMailed ? values.createdAt : null;
  const row = await insertNotification(tx, { ...values, alert: randomUUID(), mailWaitsSince });
  if (hasDevice) await queuePushes(tx, row);
  return row;
}

type NewRow = NewNotification & Pick<NotificationRow, 'readAt' | 'createdAt' | 'alert' | 'mailWaitsSince'>;

/** Adds a notification. One about the same action that was read becomes unread again. */
async function insertNotification(tx: Db, values: NewRow): Promise<NotificationRow> {
  const { userId, type, subjectId, actorId } = notifications;
  const { data, readAt, createdAt, alert, mailWaitsSince } = values;
  const [row] = await tx
    .insert(notifications)
    .values(values)
    .onConflictDoUpdate({
      target: [userId, type, subjectId, actorId],
      set: { data, readAt, createdAt, alert, mailWaitsSince },
    })
    .returning();
  return row!;
}

/** @property text what the notification quotes */
type About = {
  type: NotificationType | NotificationType[];
  subjectId: number | number[];
  actorId?: number;
  text?: string;
};

function matches({ type, subjectId, actorId, text }: About): SQL | undefined {
  return and(
    inArray(notifications.type, [type].flat()),
    inArray(notifications.subjectId, [subjectId].flat()),
    actorId === undefined ? undefined : eq(notifications.actorId, actorId),
    text === undefined ? undefined : sql`${notifications.data} ->> 'text' = ${text}`,
  );
}

async function deleteMatching(tx: Db, changes: ChangeLog, which: SQL | undefined): Promise<void> {
  const gone = await tx.delete(notifications).where(which).returning();
  for (const { id, userId } of gone) changes.recordDeletion(userId, 'notification', String(id), null);
}

/** Deletes notifications whose subject was deleted or undone. */
export async function deleteNotifications(tx: Db, changes: ChangeLog, about: About): Promise<void> {
  await deleteMatching(tx, changes, matches(about));
}

/** Deletes notifications of one person. */
export const deleteNotificationsOf = (
  tx: Db,
  changes: ChangeLog,
  userId: number,
  which: SQL | undefined,
): Promise<void> => deleteMatching(tx, changes, and(eq(notifications.userId, userId), which));

/** Deletes the notifications of two people about each other. */
export async function deleteNotificationsBetween(
  tx: Db,
  changes: ChangeLog,
  one: number,
  other: number,
): Promise<void> {
  const { userId, actorId } = notifications;
  await deleteMatching(
    tx,
    changes,
    or(and(eq(userId, one), eq(actorId, other)), and(eq(userId, other), eq(actorId, one))),
  );
}

/** Deletes the notifications that a person caused, when that person is deleted. */
export async function deleteNotificationsCausedBy(tx: Db, changes: ChangeLog, actorId: number): Promise<void> {
  await deleteMatching(tx, changes, eq(notifications.actorId, actorId));
}

/** Updates the preview after the text was edited or hidden, without marking the notification as unread. */
export async function updateNotificationText(
  tx: Db,
  changes: ChangeLog,
  about: About,
  data: NotificationData,
): Promise<void> {
  const changed = await tx.update(notifications).set({ data }).where(matches(about)).returning();
  for (const { id, userId } of changed) changes.recordChange(userId, 'notification', String(id), null);
}

/**
 * Marks notifications of this person as read: by id, by subject, or all.
 * @param which `seen`: by id, the time of the notification that the person saw. One that was raised after it stays unread.
 */
export async function markRead(
  tx: Db,
  changes: ChangeLog,
  userId: number,
  which: { ids: number[]; seen: Record<string, string> } | { about: About } | 'all',
  now: Date,
): Promise<void> {
  const those = which === 'all' ? undefined : 'ids' in which ? isAmong(which) : matches(which.about);
  const read = await tx
    .update(notifications)
    .set({ readAt: now })
    .where(and(eq(notifications.userId, userId), isNull(notifications.readAt), those))
    .returning({ id: notifications.id });
  for (const { id } of read) changes.recordChange(userId, 'notification', String(id), null);
}

function isAmong({ ids, seen }: { ids: number[]; seen: Record<string, string> }): SQL | undefined {
  const { id, createdAt } = notifications;
  const millis = Object.fromEntries(ids.flatMap((one) => (seen[one] ? [[one, Date.parse(seen[one])]] : [])));
  const isAsSeen = sql`extract(epoch from ${createdAt}) * 1000 <=
    coalesce((${JSON.stringify(millis)}::jsonb ->> ${id}::text)::numeric, 'infinity')`;
  return and(inArray(id, ids), isAsSeen);
}

export interface Place {
  at: Date;
  id: number;
}

/** Lists this person's notifications, newest first. @param by the start of a page, or ids */
export async function listNotifications(
  db: Db,
  userId: number,
  by: { after: Place | null; limit: number } | { ids: number[] } | 'all',
): Promise<NotificationRow[]> {
  const { id, createdAt, actorId } = notifications;
  const after = typeof by === 'object' && 'after' in by ? by.after : null;
  const query = db
    .select()
    .from(notifications)
    .where(
      and(
        eq(notifications.userId, userId),
        notBlocked(userId, actorId),
        typeof by === 'object' && 'ids' in by ? inArray(id, by.ids) : undefined,
        after ? or(lt(createdAt, after.at), and(eq(createdAt, after.at), lt(id, after.id))) : undefined,
      ),
    )
    .orderBy(desc(createdAt), desc(id));
  return typeof by === 'object' && 'limit' in by ? query.limit(by.limit) : query;
}

const BATCH_SIZE = 1000;

/** Deletes notifications that were read long ago, on the server and, with the next pull, on every device. */
export async function deleteOldNotifications(db: Db, now: Date): Promise<void> {
  const before = new Date(now.getTime() - LIMITS.notificationDays * DAY_MS);
  for (let gone = BATCH_SIZE; gone === BATCH_SIZE;) {
    gone = await db.transaction(async (tx) => {
      const old = tx
        .select({ id: notifications.id })
        .from(notifications)
        .where(lt(notifications.readAt, before))
        .orderBy(asc(notifications.readAt))
        .limit(BATCH_SIZE);
      const rows = await tx.delete(notifications).where(inArray(notifications.id, old)).returning();
      const changes = new ChangeLog();
      for (const { id, userId } of rows) changes.recordDeletion(userId, 'notification', String(id), null);
      await changes.flush(tx, now);
      return rows.length;
    });
  }
}
