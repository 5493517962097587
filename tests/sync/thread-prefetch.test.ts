import { IDBFactory, IDBKeyRange } from 'fake-indexeddb';
import { afterEach, beforeEach, expect, test } from 'vitest';
import type { Message } from '#contract/records/chat.ts';
import { PLAIN_MESSAGE } from '#contract/records/chat.ts';
import { AccountDb } from '#db/database.ts';
import { getPrefetchedThread, prefetchThread } from '#features/chat/prefetch-thread.ts';
import { outboxRow } from '../support/outbox-row.ts';

let db: AccountDb;
beforeEach(() => {
  db = new AccountDb('first screen', '1', { indexedDB: new IDBFactory(), IDBKeyRange });
});
afterEach(() => db.close());

const message = (seq: number): Message => ({
  id: `m${seq}`,
  client_id: null,
  conversation_id: 'c',
  seq,
  sender_id: '1',
  receiver_id: '2',
  message: `Line ${seq}`,
  ...PLAIN_MESSAGE,
  created_at: '2026-01-01T00:00:00.000Z',
});
const listed = (last: number) => ({ id: 'c', last: message(last), pending: null });

test('opens a conversation at once with its prefetched newest messages', async () => {
  await db.messages.bulkPut(Array.from({ length: 40 }, (_, at) => message(at + 1)));
  expect(getPrefetchedThread(db, listed(40))).toBeNull();
  const read = await prefetchThread(db, listed(40));
  expect(read.messages.at(-1)).toEqual(message(40));
  expect(read.messages.length).toBeGreaterThan(10);
  expect(getPrefetchedThread(db, listed(40))).toBe(read);
});

test('reads again after a new message', async () => {
  await db.messages.bulkPut([message(1), message(2)]);
  await prefetchThread(db, listed(2));
  await db.messages.put(message(3));
  expect(getPrefetchedThread(db, listed(3))).toBeNull();
  expect((await prefetchThread(db, listed(3))).messages.map(({ seq }) => seq)).toEqual([1, 2, 3]);
});

test('reads again after a message was written on this device', async () => {
  await db.messages.put(message(1));
  await prefetchThread(db, listed(1));
  await db.outbox.add(
    outboxRow({
      kind: 'send',
      type: 'message',
      lane: 'chat:c',
      parent: 'c',
      target: 'local:1',
      patch: { message: 'Hi' },
    }),
  );
  const pending = { id: 'local:1', op: 'x', conversation: 'c', message: 'Hi', state: 'phone', createdAt: 0 } as const;
  expect(getPrefetchedThread(db, { ...listed(1), pending })).toBeNull();
  expect((await prefetchThread(db, { ...listed(1), pending })).pending.map(({ message: text }) => text)).toEqual([
    'Hi',
  ]);
});
