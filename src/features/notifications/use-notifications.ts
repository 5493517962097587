import type { AccountDb } from '#db/database.ts';
import { type NotificationItem, listNotifications, readNetwork, type ConnectionView } from '#db/network.ts';
import { useQuery } from '#shared/queries/use-query.ts';

/** A notification with the data that its actions need. */
export interface NotificationView extends NotificationItem {
  /** The user's connection or request with the person who caused it; undefined if there is none. */
  connection: ConnectionView | undefined;
  /** Whether the conversation that it is about is on this device: one of people who are connected, or about an audition. */
  hasConversation: boolean;
  /** Whether the feedback is hidden on the profile; null if it is not on this device. */
  isHidden: boolean | null;
}

async function readNotifications(db: AccountDb): Promise<{ items: NotificationView[]; isRead: boolean }> {
  const { connections, isRead } = await readNetwork(db);
  const connectionByUser = new Map(connections.map((connection) => [connection.userId, connection]));
  const feedback = await db.records.where('[type+id]').between(['feedback', ''], ['feedback', '\uffff']).toArray();
  const rows = await db.outbox.where('lane').startsWith('feedback:').sortBy('seq');
  const hidden = new Map(feedback.map(({ id, body }) => [id, body.is_hidden === true]));
  for (const { target, patch } of rows) if ('is_hidden' in patch) hidden.set(target, patch.is_hidden === true);
  const conversations = await db.records
    .where('[type+id]')
    .between(['conversation', ''], ['conversation', '\uffff'])
    .primaryKeys();
  const open = new Set(conversations.map(([, id]) => id));
  const items = await listNotifications(db);
  return {
    isRead,
    items: items.map((item) => ({
      ...item,
      connection: connectionByUser.get(item.news.actor.user_id),
      hasConversation: open.has(item.news.data.conversation_id ?? ''),
      isHidden: hidden.get(item.news.data.feedback_id ?? '') ?? null,
    })),
  };
}

/** The notifications on this device, the newest first; undefined until they are read. */
export const useNotifications = () => useQuery(readNotifications, []);
