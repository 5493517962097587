import { IDBFactory, IDBKeyRange } from 'fake-indexeddb';
import { expect, it } from 'vitest';
import type { Message } from '#contract/records/chat.ts';
import { PLAIN_MESSAGE } from '#contract/records/chat.ts';
import { LIMITS } from '#contract/limits.ts';
import { AccountDb } from '#db/database.ts';
import { conversationView } from '#db/conversations.ts';
import { CONVERSATION } from '#db/messages.ts';
import { countToRead } from '#db/network.ts';
import { markRead, upsertMessages, advanceReadCursor } from '#sync/pull/messages.ts';
import { getTables } from '#sync/queue/outbox.ts';

const message = (seq: number, sender_id: string): Message => ({
  id: String(seq),
  client_id: sender_id === 'u1' ? `c${seq}` : null,
  conversation_id: '4',
  seq,
  sender_id,
  receiver_id: sender_id === 'u1' ? '3' : 'u1',
  message: `Message ${seq}`,
  ...PLAIN_MESSAGE,
  created_at: '2026-11-21T09:00:00Z',
});

/**
 * Creates a device on which u1 has a conversation with user 3.
 * @param readSeq the server's read position
 */
async function deviceWith(readSeq: number) {
  const db = new AccountDb('test', 'u1', { indexedDB: new IDBFactory(), IDBKeyRange });
  const ports = { db, clock: { now: () => 1000, after: () => () => undefined } };
  const other = { user_id: '3', name: 'Meera', title: null, profile_photo: null, slug: null };
  const body = {
    conversation_id: '4',
    connection_id: '9',
    other,
    last_message: null,
    read_seq: readSeq,
    starred: false,
    pinned: false,
  };
  await db.records.put({ type: CONVERSATION, id: '4', parent: null, body, version: null });
  const put = (...all: Message[]) => db.transaction('rw', getTables(db), async () => upsertMessages(ports, all));
  const read = async () => (await db.readings.get('4'))?.read;
  const unread = async () => [(await conversationView(db, '4'))?.unread, await countToRead(db)];
  return { db, put, read, unread };
}

it('keeps messages unread that came before one’s own later message', async () => {
  const { db, put, read, unread } = await deviceWith(0);
  await put(message(1, '3'));
  await markRead(db, '4', 1);
  await put(message(2, '3'), message(3, 'u1'));
  expect(await read()).toBe(1);
  expect(await unread()).toEqual([1, 1]);
  await markRead(db, '4', 3);
  await put(message(4, 'u1'));
  expect(await read()).toBe(4);
  expect(await unread()).toEqual([0, 0]);
});

it('counts only messages of the other person as unread', async () => {
  const { put, unread } = await deviceWith(0);
  await put(message(1, '3'), message(2, 'u1'), message(3, 'u1'), message(4, '3'), message(5, 'u1'));
  expect(await unread()).toEqual([2, 1]);
});

it('stops counting at a fixed number of messages', async () => {
  const { put, unread } = await deviceWith(0);
  const length = LIMITS.maxUnreadCount + 50;
  await put(...Array.from({ length }, (_, n) => message(n + 1, n % 2 === 0 ? '3' : 'u1')));
  expect(await unread()).toEqual([LIMITS.maxUnreadCount / 2, 1]);
});

it('counts one’s own message as read after the position that another device has read', async () => {
  const { put, read, unread } = await deviceWith(4);
  await put(message(5, 'u1'));
  expect(await read()).toBe(5);
  expect(await unread()).toEqual([0, 0]);
});

it('counts consecutive own messages as read when all before them are read', () => {
  expect(advanceReadCursor(3, [{ seq: 5 }, { seq: 4 }])).toBe(5);
  expect(advanceReadCursor(3, [{ seq: 6 }])).toBe(3);
});
