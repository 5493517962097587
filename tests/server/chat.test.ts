import { randomUUID } from 'node:crypto';
import { sql } from 'drizzle-orm';
import { describe, expect, test } from 'vitest';
import { LIMITS } from '#contract/limits.ts';
import type { ChatPage, Conversation, Message } from '#contract/records/chat.ts';
import { findOpenConversation } from '#server/features/chat/conversations.ts';
import { recordSeq } from '#server/features/chat/read-cursors.ts';
import { addMessage } from '#server/features/chat/messages.ts';
import { ChangeLog } from '#server/platform/db/change-log.ts';
import { requestConnection, block, connect } from './support/people.ts';
import { useTestServer, type Person } from './support/test-server.ts';
import { viewerCalls } from './support/viewers.ts';

const testServer = useTestServer();
const { addPerformer, pull, getStatus } = viewerCalls(testServer);

interface Pair {
  a: Person;
  b: Person;
  connectionId: string;
  conversationId: string;
}

async function addConnectedPair(): Promise<Pair> {
  const [a, b] = [await addPerformer(), await addPerformer()];
  const connectionId = await connect(testServer, a, b);
  const [conversation] = await conversations(a);
  return { a, b, connectionId, conversationId: conversation!.conversation_id };
}

const conversations = async (person: Person) =>
  (await testServer.call<Conversation[]>('GET /conversations', { token: person.token })).body;

const send = (from: Person, to: Person, conversationId: string, message: string, more: object = {}) =>
  testServer.call<{ data: Message }>('POST /chat/send', {
    token: from.token,
    body: { conversation_id: conversationId, receiver_id: to.id, message, ...more },
  });

const page = async (person: Person, connectionId: string, query = '') =>
  (await testServer.call<ChatPage>(`GET /chat/${connectionId}${query}`, { token: person.token })).body;

const texts = ({ messages }: ChatPage) => messages.map(({ message }) => message);

describe('conversation', () => {
  test('opens when a request is accepted and contains the message of the request', async () => {
    const [a, b] = [await addPerformer(), await addPerformer()];
    const requested = await testServer.call<{ data: { id: string } }>(`POST /connections/request/${b.id}`, {
      token: a.token,
      body: { message: 'We met at Prithvi' },
    });
    const { id } = requested.body.data;
    expect(await conversations(a)).toEqual([]);
    expect(await getStatus(`GET /chat/${id}`, b)).toBe(404);
    expect(await getStatus(`POST /connections/accept/${id}`, b)).toBe(200);
    expect(await conversations(b)).toMatchObject([
      { connection_id: id, other: { user_id: a.id, name: a.name }, unread_count: 1, starred: false },
    ]);
    expect(await conversations(a)).toMatchObject([{ unread_count: 0, last_message: { message: 'We met at Prithvi' } }]);
    expect(await page(b, id)).toMatchObject({
      messages: [{ seq: 1, sender_id: a.id, receiver_id: b.id, message: 'We met at Prithvi' }],
      has_more: false,
    });
  });

  test('keeps which message another one answers', async () => {
    const { a, b, connectionId, conversationId } = await addConnectedPair();
    await send(a, b, conversationId, 'Call is at six');
    const reply = await send(b, a, conversationId, 'Thank you', { reply_to: 1 });
    expect(reply).toMatchObject({ status: 201, body: { data: { seq: 2, reply_to: 1 } } });
    expect((await page(a, connectionId)).messages.map(({ reply_to }) => reply_to)).toEqual([null, 1]);
  });

  test('refuses an answer to a message that does not exist and keeps its numbers without gaps', async () => {
    const { a, b, conversationId } = await addConnectedPair();
    for (const reply_to of [1, 0, 1.5, '1']) {
      const refused = await send(a, b, conversationId, 'To nothing', { reply_to });
      expect(refused).toMatchObject({ status: 422, body: { errors: { reply_to: [expect.any(String)] } } });
    }
    expect(await send(a, b, conversationId, 'First')).toMatchObject({ body: { data: { seq: 1, reply_to: null } } });
  });

  test('numbers its messages from 1 without gaps under concurrent writes', async () => {
    const { a, b, connectionId, conversationId } = await addConnectedPair();
    const isDone = { yet: false };
    const read: number[] = [];
    const reader = (async () => {
      while (!isDone.yet || read.length < 40) {
        const found = await page(b, connectionId, `?after_seq=${read.at(-1) ?? 0}&limit=3`);
        read.push(...found.messages.map(({ seq }) => seq));
      }
    })();
    const answers = await Promise.all(
      Array.from({ length: 40 }, (_, n) =>
        n % 2 === 0 ? send(a, b, conversationId, `a ${n}`) : send(b, a, conversationId, `b ${n}`),
      ),
    );
    isDone.yet = true;
    await reader;
    const expected = Array.from({ length: 40 }, (_, n) => n + 1);
    expect(answers.map(({ status }) => status)).toEqual(expected.map(() => 201));
    expect(answers.map(({ body }) => body.data.seq).sort((one, other) => one - other)).toEqual(expected);
    expect(read).toEqual(expected);
  });

  test('pages in both directions and starts at the newest message', async () => {
    const { a, b, connectionId, conversationId } = await addConnectedPair();
    for (let n = 1; n <= 7; n += 1) await send(a, b, conversationId, String(n));
    expect(await page(b, connectionId, '?limit=3')).toMatchObject({ has_more: true });
    expect(texts(await page(b, connectionId, '?limit=3'))).toEqual(['5', '6', '7']);
    expect(texts(await page(b, connectionId, '?limit=3&before_seq=5'))).toEqual(['2', '3', '4']);
    const first = await page(b, connectionId, '?limit=3&before_seq=2');
    expect([texts(first), first.has_more]).toEqual([['1'], false]);
    const next = await page(b, connectionId, '?limit=3&after_seq=2');
    expect([texts(next), next.has_more]).toEqual([['3', '4', '5'], true]);
    expect(await getStatus(`GET /chat/${connectionId}?after_seq=x`, b)).toBe(422);
  });

  test('stores a message once, however it is repeated', async () => {
    const { a, b, connectionId, conversationId } = await addConnectedPair();
    const client_id = randomUUID();
    const answers = await Promise.all(
      Array.from({ length: 5 }, () => send(a, b, conversationId, 'Once', { client_id })),
    );
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 200, 200, 200, 201]);
    expect(new Set(answers.map(({ body }) => body.data.id)).size).toBe(1);
    await send(a, b, conversationId, 'Twice');
    expect((await page(b, connectionId)).messages.map(({ seq, message }) => [seq, message])).toEqual([
      [1, 'Once'],
      [2, 'Twice'],
    ]);
    const other = await addConnectedPair();
    expect((await send(other.a, other.b, other.conversationId, 'Mine', { client_id })).status).toBe(201);
  });

  test('keeps messages unread that arrived before a delayed reply was sent', async () => {
    const { a, b, conversationId } = await addConnectedPair();
    await send(a, b, conversationId, 'one');
    await send(b, a, conversationId, 'written without signal');
    expect((await conversations(b))[0]).toMatchObject({ read_seq: 0, unread_count: 1 });
    expect((await conversations(a))[0]).toMatchObject({ other_read_seq: 0 });
    await testServer.call(`POST /conversations/${conversationId}/read`, { token: b.token, body: { seq: 2 } });
    await send(b, a, conversationId, 'having read all');
    expect((await conversations(b))[0]).toMatchObject({ read_seq: 3, unread_count: 0 });
  });

  test('keeps the notification of a new message unread while an older message is marked as read', async () => {
    const { a, b, conversationId } = await addConnectedPair();
    await send(a, b, conversationId, 'one');
    const { db } = testServer.database;
    const before = (await findOpenConversation(db, Number(b.id), { id: Number(conversationId) }))!;
    await send(a, b, conversationId, 'two');
    await db.transaction((tx) =>
      recordSeq(tx, new ChangeLog(), before, Number(b.id), 'readSeq', before.lastSeq, testServer.clock.now()),
    );
    expect((await conversations(b))[0]).toMatchObject({ read_seq: 1, unread_count: 1 });
    const notifications = (await pull(b)).records.filter(({ body }) => body?.['type'] === 'message.received');
    expect(notifications).toMatchObject([{ body: { read_at: null } }]);
  });

  test('caps the unread count', async () => {
    const { a, b, conversationId } = await addConnectedPair();
    const length = LIMITS.maxUnreadCount + 50;
    await testServer.database.db.execute(sql`
      insert into messages (conversation_id, seq, sender_id, receiver_id, message, created_at)
      select ${conversationId}::int, n, ${a.id}::int, ${b.id}::int, 'Hello', now() from generate_series(1, ${length}::int) as n`);
    await testServer.database.db.execute(
      sql`update conversations set last_seq = ${length}::int where id = ${conversationId}::int`,
    );
    expect((await conversations(b))[0]).toMatchObject({ unread_count: LIMITS.maxUnreadCount });
  });

  test('advances the read cursor over own messages once everything before them is read', async () => {
    const { a, b, conversationId } = await addConnectedPair();
    await send(a, b, conversationId, 'one');
    await send(b, a, conversationId, 'written without signal');
    await testServer.call(`POST /conversations/${conversationId}/read`, { token: b.token, body: { seq: 1 } });
    expect((await conversations(b))[0]).toMatchObject({ read_seq: 2, unread_count: 0 });
    expect((await conversations(a))[0]).toMatchObject({ other_read_seq: 2, other_delivered_seq: 2 });
    await send(a, b, conversationId, 'two');
    expect((await conversations(b))[0]).toMatchObject({ read_seq: 2, unread_count: 1 });
  });

  test('counts unread messages per person and shows receipts while both people allow them', async () => {
    const { a, b, conversationId } = await addConnectedPair();
    await send(a, b, conversationId, 'one');
    await send(a, b, conversationId, 'two');
    const mark = (person: Person, what: string, seq: number) =>
      testServer.call(`POST /conversations/${conversationId}/${what}`, { token: person.token, body: { seq } });
    expect((await conversations(b))[0]).toMatchObject({ unread_count: 2, read_seq: 0 });
    await mark(b, 'delivered', 2);
    await mark(b, 'read', 1);
    expect((await conversations(b))[0]).toMatchObject({ unread_count: 1, read_seq: 1 });
    expect((await conversations(a))[0]).toMatchObject({ other_delivered_seq: 2, other_read_seq: 1 });
    await mark(b, 'read', 0);
    await mark(b, 'read', 99);
    expect((await conversations(a))[0]).toMatchObject({ other_read_seq: 2 });
    const { cursor } = await pull(a);
    await testServer.call('PUT /settings', { token: b.token, body: { read_receipts: false } });
    // Turning read receipts off removes the marks that were shown, without a new message.
    const { records } = await pull(a, cursor);
    expect(records).toMatchObject([{ type: 'conversation', id: conversationId, body: { other_read_seq: null } }]);
    expect((await conversations(a))[0]).toMatchObject({ other_delivered_seq: null, other_read_seq: null });
    expect((await conversations(b))[0]).toMatchObject({ other_delivered_seq: null, unread_count: 0 });
  });

  test('is starred per person', async () => {
    const { a, b, conversationId } = await addConnectedPair();
    expect(await getStatus(`POST /conversations/${conversationId}/star`, a)).toBe(200);
    expect([(await conversations(a))[0]?.starred, (await conversations(b))[0]?.starred]).toEqual([true, false]);
    expect(await getStatus(`POST /conversations/${conversationId}/unstar`, a)).toBe(200);
    expect((await conversations(a))[0]?.starred).toBe(false);
  });

  test('is pinned per person', async () => {
    const { a, b, conversationId } = await addConnectedPair();
    expect(await getStatus(`POST /conversations/${conversationId}/pin`, a)).toBe(200);
    expect([(await conversations(a))[0]?.pinned, (await conversations(b))[0]?.pinned]).toEqual([true, false]);
    expect(await getStatus(`POST /conversations/${conversationId}/unpin`, a)).toBe(200);
    expect((await conversations(a))[0]?.pinned).toBe(false);
  });

  test('rejects reading, writing and marking by anybody else', async () => {
    const { a, b, connectionId, conversationId } = await addConnectedPair();
    const stranger = await addPerformer();
    expect(await getStatus(`GET /chat/${connectionId}`, stranger)).toBe(404);
    expect((await send(stranger, b, conversationId, 'Hello')).status).toBe(403);
    expect((await send(stranger, b, '999999', 'Hello')).status).toBe(403);
    expect((await send(a, stranger, conversationId, 'Hello')).status).toBe(422);
    expect(await getStatus(`POST /conversations/${conversationId}/star`, stranger)).toBe(404);
  });

  test.each([
    ['an empty message', ''],
    ['only spaces', ' \n\t '],
    ['4,001 characters', 'a'.repeat(4001)],
    ['a number', 7],
  ])('rejects %s', async (_, message) => {
    const { a, b, conversationId } = await addConnectedPair();
    const answer = await send(a, b, conversationId, message as string);
    expect([answer.status, Object.keys((answer.body as unknown as { errors: object }).errors)]).toEqual([
      422,
      ['message'],
    ]);
  });

  test('stores 4,000 characters of any script unchanged', async () => {
    const { a, b, connectionId, conversationId } = await addConnectedPair();
    const message = `  ${'नमस्ते 🎭'.repeat(400)}\n`;
    expect((await send(a, b, conversationId, message)).status).toBe(201);
    expect(texts(await page(b, connectionId))).toEqual([message]);
  });

  test('closes on disconnect and continues after a new connection', async () => {
    const { a, b, connectionId, conversationId } = await addConnectedPair();
    await send(a, b, conversationId, 'Before');
    const before = (await pull(b)).cursor;
    expect(await getStatus(`DELETE /connections/${connectionId}`, a)).toBe(200);
    expect(await conversations(b)).toEqual([]);
    expect(await getStatus(`GET /chat/${connectionId}`, b)).toBe(404);
    expect((await send(b, a, conversationId, 'Still there?')).status).toBe(404);
    expect((await pull(b, before)).records).toContainEqual({
      type: 'conversation',
      id: conversationId,
      parent: null,
      body: null,
    });
    const again = await connect(testServer, b, a);
    expect(await conversations(a)).toMatchObject([{ conversation_id: conversationId, connection_id: again }]);
    await send(b, a, conversationId, 'After');
    expect(texts(await page(a, again))).toEqual(['Before', 'After']);
  });

  test('takes no message that was under way when it was closed', async () => {
    const { a, b, conversationId } = await addConnectedPair();
    await block(testServer, b, a);
    const sent = {
      conversationId: Number(conversationId),
      senderId: Number(a.id),
      receiverId: Number(b.id),
      message: 'One more thing',
      ...{ replyTo: null, requestId: null, photo: null, clientId: null, createdAt: new Date() },
    };
    // The request had read the conversation while it was open.
    const late = testServer.database.db.transaction((tx) => addMessage(tx, new ChangeLog(), sent));
    await expect(late).rejects.toMatchObject({ status: 404 });
  });

  test('closes for both people on a block', async () => {
    const { a, b, connectionId, conversationId } = await addConnectedPair();
    await block(testServer, a, b);
    for (const person of [a, b]) {
      expect(await conversations(person)).toEqual([]);
      expect(await getStatus(`GET /chat/${connectionId}`, person)).toBe(404);
    }
    expect((await send(b, a, conversationId, 'Why?')).status).toBe(404);
    expect(await testServer.call(`POST /connections/request/${b.id}`, { token: a.token })).toMatchObject({
      status: 404,
    });
  });

  test('adds the newest fifty messages to the first sync and each later message', async () => {
    const { a, b, conversationId } = await addConnectedPair();
    for (let n = 1; n <= 53; n += 1) await send(a, b, conversationId, String(n));
    const first = await pull(b);
    const messages = first.records.filter(({ type }) => type === 'message');
    expect(messages.map(({ body }) => body?.['seq'])).toEqual(Array.from({ length: 50 }, (_, n) => n + 4));
    expect(messages[0]?.parent).toBe(conversationId);
    await send(a, b, conversationId, 'News');
    expect((await pull(b, first.cursor)).records.filter(({ type }) => type === 'message')).toMatchObject([
      { parent: conversationId, body: { message: 'News', seq: 54 } },
    ]);
  });
});

test('opens the conversation when both people request a connection', async () => {
  const [a, b] = [await addPerformer(), await addPerformer()];
  await requestConnection(testServer, a, b);
  expect(await getStatus(`POST /connections/request/${a.id}`, b)).toBe(200);
  expect(await conversations(a)).toHaveLength(1);
  expect(await conversations(b)).toHaveLength(1);
});
