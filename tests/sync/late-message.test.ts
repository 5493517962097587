import { IDBFactory, IDBKeyRange } from 'fake-indexeddb';
import { expect, it } from 'vitest';
import type { Message } from '#contract/records/chat.ts';
import { AccountDb } from '#db/database.ts';
import { markRead, putMessages, readPast } from '#sync/chat.ts';
import { tablesOf } from '#sync/outbox.ts';

it('one’s own message sent later leaves unread what came before it', async () => {
  const db = new AccountDb('test', 'u1', { indexedDB: new IDBFactory(), IDBKeyRange });
  const ports = { db, clock: { now: () => 1000, after: () => () => undefined } };
  const message = (seq: number, sender_id: string): Message => ({
    id: String(seq),
    client_id: sender_id === 'u1' ? `c${seq}` : null,
    conversation_id: '4',
    seq,
    sender_id,
    receiver_id: sender_id === 'u1' ? '3' : 'u1',
    message: `Message ${seq}`,
    media: null,
    created_at: '2026-11-21T09:00:00Z',
  });
  const put = (...all: Message[]) => db.transaction('rw', tablesOf(db), async () => putMessages(ports, all));
  const read = async () => (await db.readings.get('4'))?.read;
  await put(message(1, '3'));
  await markRead(db, '4', 1);
  await put(message(2, '3'), message(3, 'u1'));
  expect(await read()).toBe(1);
  await markRead(db, '4', 3);
  await put(message(4, 'u1'));
  expect(await read()).toBe(4);
});

it('one’s own messages in a row are read where all before them is', () => {
  expect(readPast(3, [{ seq: 5 }, { seq: 4 }])).toBe(5);
  expect(readPast(3, [{ seq: 6 }])).toBe(3);
});
