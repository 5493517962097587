import type { AccountDb } from '#db/database.ts';
import { type NotificationItem, listNotifications, readNetwork, type ConnectionView } from '#db/network.ts';
import { useQuery } from '#shared/queries/use-query.ts';

/** A notification with what its action needs. */
export interface NotificationView extends NotificationItem {
  /** Where one stands with who did it; undefined where nothing is between the two. */
  connection: ConnectionView | undefined;
  /** Of feedback: whether readers see it; null where it is not on this device. */
  isHidden: boolean | null;
}

async function readNotifications(db: AccountDb): Promise<{ items: NotificationView[]; isRead: boolean }> {
  const { connections: ties, blocked, isRead } = await readNetwork(db);
  const connectionByUser = new Map(ties.map((tie) => [tie.userId, tie]));
  const feedback = await db.records.where('[type+id]').between(['feedback', ''], ['feedback', '\uffff']).toArray();
  const rows = await db.outbox.where('lane').startsWith('feedback:').sortBy('seq');
  const hidden = new Map(feedback.map(({ id, body }) => [id, body.is_hidden === true]));
  for (const { target, patch } of rows) if ('is_hidden' in patch) hidden.set(target, patch.is_hidden === true);
  const items = (await listNotifications(db)).filter(({ news }) => !blocked.has(news.actor.user_id));
  return {
    isRead,
    items: items.map((item) => ({
      ...item,
      connection: connectionByUser.get(item.news.actor.user_id),
      isHidden: hidden.get(item.news.data.feedback_id ?? '') ?? null,
    })),
  };
}

/** What others did, the newest first, from this device alone. Undefined until it is read. */
export const useNotifications = () => useQuery(readNotifications, []);
