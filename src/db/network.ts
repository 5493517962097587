import { getEffect } from './effects.ts';
import { getPersonLane, hasEffect, isBlock, isSeenIn, SEEN_LANE } from './patches.ts';
import type { Connection } from '#contract/records/people.ts';
import type { Notification } from '#contract/records/notifications.ts';
import type { AccountDb } from './database.ts';
import { isPulled } from './first-pull.ts';
import { CONVERSATION, countUnread } from './messages.ts';
import { findRecord, listRecords } from './mirror.ts';
import { getConnectionState, CONNECTION, type PersonCard, type ConnectionStatus } from './saved-and-connected.ts';
import type { OutboxRow } from './rows.ts';

/** A connection or a request for display: the mirror record with the pending intents over it. */
export interface ConnectionView extends ConnectionStatus, PersonCard {
  userId: string;
  name: string;
  industryIds: readonly string[];
  /** The message of the request. */
  message: string | null;
  /** The verified casting office that the other person is. */
  verified: Connection['verified'];
  /** Time of the last change, ISO; null while it exists only on this device. */
  at: string | null;
  /** Accepted on this device, but not acknowledged yet. */
  isAccepting: boolean;
}

interface Network {
  /** Received requests, sent requests and connections, latest first. */
  connections: ConnectionView[];
  /** Whether a pull has brought all of them once. */
  isRead: boolean;
}

/** The user's connections and requests, from this device alone. */
export async function readNetwork(db: AccountDb): Promise<Network> {
  const records = await listRecords(db, CONNECTION);
  const rows = await db.outbox.where('lane').startsWith('person:').sortBy('seq');
  const byLane = new Map<string, OutboxRow[]>();
  for (const row of rows) byLane.set(row.lane, [...(byLane.get(row.lane) ?? []), row]);
  const known = new Map(
    records.map(({ id, body }) => {
      const connection = { ...body, id };
      const isOwn = String(connection.user_id) === db.userId;
      return [String(isOwn ? connection.connected_user_id : connection.user_id), { connection, isOwn }];
    }),
  );
  const people = new Set([...known.keys(), ...rows.map((row) => row.lane.slice('person:'.length))]);
  const ties = [...people].map((userId) =>
    toConnectionView(userId, known.get(userId), byLane.get(`person:${userId}`) ?? []),
  );
  const last = (at: string | null) => at ?? '\uffff';
  return {
    connections: ties.filter(({ value }) => value !== 'none').sort((a, b) => (last(a.at) < last(b.at) ? 1 : -1)),
    isRead: await isPulled(db),
  };
}

function toConnectionView(
  userId: string,
  known: { connection: Connection; isOwn: boolean } | undefined,
  rows: readonly OutboxRow[],
): ConnectionView {
  const { connection, isOwn = true } = known ?? {};
  const told = connection && {
    id: String(connection.id),
    status: String(connection.status),
    direction: isOwn ? ('sent' as const) : ('received' as const),
    conversation: connection.conversation_id ?? null,
  };
  const request = rows.findLast((row) => hasEffect(row, 'connect'));
  const card = request?.patch.card;
  return {
    ...getConnectionState(told ?? null, rows),
    userId,
    name: connection?.name ?? request?.patch.name ?? '',
    title: connection?.title ?? card?.title ?? null,
    address: connection?.address ?? card?.address ?? null,
    profile_photo: connection?.profile_photo ?? card?.profile_photo ?? null,
    slug: connection?.slug ?? card?.slug ?? null,
    profile_type: connection?.profile_type ?? card?.profile_type ?? null,
    industryIds: connection?.industry_ids ?? [],
    message: connection?.message ?? request?.patch.message ?? null,
    verified: connection?.verified,
    at: connection?.updated_at ?? null,
    isAccepting:
      connection?.status !== 'accepted' && rows.some((row) => getEffect(row) === 'accept' && row.state !== 'attention'),
  };
}

/** A notification, and whether it is still unseen on this device and, as the server reported, on any other. */
export interface NotificationItem {
  news: Notification;
  isNew: boolean;
}

/** The notifications, newest first, from this device alone. Omits those of people whose block is queued. */
export async function listNotifications(db: AccountDb): Promise<NotificationItem[]> {
  const records = await listRecords(db, 'notification');
  const lanes = records.map(({ body }) => getPersonLane(body.actor.user_id));
  const rows = await db.outbox
    .where('lane')
    .anyOf([SEEN_LANE, ...lanes])
    .toArray();
  const items: NotificationItem[] = [];
  for (const { id, body } of records) {
    if (rows.some((row) => isBlock(row) && row.patch.userId === body.actor.user_id)) continue;
    const news = { ...body, id };
    const isNew =
      news.read_at === null &&
      !rows.some((row) => hasEffect(row, 'seen') && isSeenIn(row.patch, id, news.created_at)) &&
      !(await isReadHere(db, news.data.conversation_id));
    items.push({ news, isNew });
  }
  return items.sort((a, b) => (a.news.created_at < b.news.created_at ? 1 : -1));
}

/** Whether the user has read a conversation to its end on this device. The server may not know it yet. */
async function isReadHere(db: AccountDb, id: string | undefined): Promise<boolean> {
  const reading = id && (await db.readings.get(id));
  if (!reading) return false;
  const last = (await findRecord(db, CONVERSATION, id))?.body.last_message;
  return reading.read > 0 && reading.read >= (last?.seq ?? Infinity);
}

/** The badge of the Messages page: unread conversations plus received connection requests. */
export async function countToRead(db: AccountDb): Promise<number> {
  const { connections: ties } = await readNetwork(db);
  const records = await listRecords(db, CONVERSATION);
  const readings = new Map((await db.readings.toArray()).map((reading) => [reading.conversation, reading]));
  const counts = await Promise.all(records.map(({ id, body }) => countUnread(db, body, readings.get(id))));
  return counts.filter((count) => count > 0).length + ties.filter(({ value }) => value === 'asked').length;
}
