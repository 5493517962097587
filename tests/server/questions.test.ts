import { randomUUID } from 'node:crypto';
import { eq } from 'drizzle-orm';
import { describe, expect, test } from 'vitest';
import { QUESTION_DAYS } from '#contract/casting/questions.ts';
import type { Conversation, Message } from '#contract/records/chat.ts';
import { users } from '#server/platform/db/schema.ts';
import { castingCalls } from './support/casting.ts';
import { block, connect } from './support/people.ts';
import { openTestServer, useTestServer, type Person } from './support/test-server.ts';

const testServer = useTestServer();
const { addPerformer, ask, cast, castingCall, createScene, read, readNews, send } = castingCalls(testServer);
const DAY_MS = 86_400_000;
const waitDays = (days: number) => testServer.clock.advance(days * DAY_MS);

const question = (performer: Person, id: string, text = 'May I play it in Marathi?', more: object = {}) =>
  send<Message>(performer, `POST /auditions/${id}/question`, { text, ...more });
const conversations = (person: Person) => read<Conversation>(person, 'conversation');
const write = (from: Person, to: Person, conversation: string, more: object = {}) =>
  send<Message>(from, 'POST /chat/send', {
    conversation_id: conversation,
    receiver_id: to.id,
    message: 'Yes',
    ...more,
  });
const messagesOf = async (person: Person, connectionId: string) => {
  const { status, body } = await testServer.call<{ messages: Message[] }>(`GET /chat/${connectionId}`, {
    token: person.token,
  });
  return status === 200 ? body.messages.map(({ message }) => message) : status;
};

/** A performer who has asked something about an audition. */
async function createAsked() {
  const scene = await createScene();
  const sent = await question(scene.performer, scene.request.id);
  return { ...scene, sent, conversation: sent.body.data.conversation_id };
}

describe('a question about an audition', () => {
  test('under one client id for two auditions at the same moment is asked once and refused once', async () => {
    const { owner, performer, role, request } = await createScene();
    const callback = await ask(owner, role, performer, { round: 'callback', previous_id: request.id });
    for (let round = 0; round < 5; round += 1) {
      const client_id = randomUUID();
      const sent = await Promise.all(
        [request.id, callback.id].map((id) => question(performer, id, 'When?', { client_id })),
      );
      expect(sent.map(({ status }) => status).sort()).toEqual([201, 422]);
    }
  });

  test('opens a conversation without a connection, which names the audition to both', async () => {
    const { owner, performer, role, request, sent, conversation } = await createAsked();
    expect(sent).toMatchObject({
      status: 201,
      body: { data: { seq: 1, message: 'May I play it in Marathi?', audition_id: request.id } },
    });
    const about = { id: request.id, title: 'Naseem, The Salt Road', closes_at: null };
    const connection_id = `conversation-${conversation}`;
    const shared = { conversation_id: conversation, connection_id, connected: false };
    expect(await conversations(performer)).toMatchObject([{ ...shared, audition: { ...about, role_id: null } }]);
    expect(await conversations(owner)).toMatchObject([
      { ...shared, audition: { ...about, role_id: role.id }, unread_count: 1, other: { user_id: performer.id } },
    ]);
    expect((await write(owner, performer, conversation)).status).toBe(201);
    expect((await write(performer, owner, conversation)).status).toBe(201);
    expect(await messagesOf(performer, connection_id)).toEqual(['May I play it in Marathi?', 'Yes', 'Yes']);
  });

  test('goes into the conversation of people who are connected', async () => {
    const { owner, performer, request } = await createScene();
    const connection_id = await connect(testServer, owner, performer);
    const [before] = await conversations(owner);
    await question(performer, request.id);
    expect(await conversations(owner)).toMatchObject([
      { conversation_id: before!.conversation_id, connection_id, connected: true, audition: { id: request.id } },
    ]);
  });

  test('is asked once, however often its client id comes', async () => {
    const { owner, performer, role, request } = await createScene();
    const client_id = randomUUID();
    const sent = await Promise.all([1, 2, 3].map(() => question(performer, request.id, 'When?', { client_id })));
    expect(sent.map(({ status }) => status).sort()).toEqual([200, 200, 201]);
    expect(new Set(sent.map(({ body }) => body.data.id)).size).toBe(1);
    expect(await messagesOf(owner, `conversation-${sent[0]!.body.data.conversation_id}`)).toEqual(['When?']);
    await castingCall(owner, request.id, 'withdraw');
    const other = await ask(owner, role, performer);
    expect((await question(performer, other.id, 'When?', { client_id })).status).toBe(422);
  });

  test('tells the owner once, until they have read it', async () => {
    const { owner, performer, request, conversation } = await createAsked();
    await question(performer, request.id, 'And when?');
    expect(await readNews(owner)).toEqual(['casting.question']);
    await testServer.call(`POST /conversations/${conversation}/read`, { token: owner.token, body: { seq: 2 } });
    const [news] = await read<{ read_at: string | null; data: object }>(owner, 'notification');
    expect(news?.read_at).not.toBe(null);
    expect(news?.data).toMatchObject({
      conversation_id: conversation,
      request_id: request.id,
      text: expect.any(String),
    });
    expect(await readNews(performer)).toEqual(['audition.requested']);
  });

  test('is a matter of the performer alone', async () => {
    const { owner, request } = await createScene();
    for (const person of [owner, await addPerformer()]) expect((await question(person, request.id)).status).toBe(404);
  });

  test('takes no photos, and shows none, between people who are not connected', async () => {
    const { owner, performer, conversation } = await createAsked();
    const refused = await write(owner, performer, conversation, { upload_id: randomUUID() });
    expect([refused.status, Object.keys(refused.body.errors ?? {})]).toEqual([422, ['image']]);
  });

  test('is limited by the day', async () => {
    const limited = await openTestServer({ env: { RATE_LIMIT_SCALE: '1' } });
    try {
      const own = castingCalls(limited);
      const { performer, request } = await own.createScene();
      const statuses: number[] = [];
      for (let index = 0; index < 61; index += 1)
        statuses.push((await own.send(performer, `POST /auditions/${request.id}/question`, { text: 'When?' })).status);
      expect(statuses).toEqual([...Array.from({ length: 60 }, () => 201), 429]);
    } finally {
      await limited.close();
    }
  });
});

describe('the conversation about an audition', () => {
  test.each([
    ['its answer', async (owner: Person, id: string) => castingCall(owner, id, 'answer', { kind: 'no_thank_you' })],
    ['its withdrawal', async (owner: Person, id: string) => castingCall(owner, id, 'withdraw')],
    ['the end of its role', async (owner: Person, _: string, role: string) => cast(owner, role)],
  ])(`closes ${QUESTION_DAYS} days after %s`, async (_, end) => {
    const { owner, performer, role, request, conversation } = await createAsked();
    await end(owner, request.id, role.id);
    const closes_at = new Date(testServer.clock.now().getTime() + QUESTION_DAYS * DAY_MS).toISOString();
    for (const person of [owner, performer])
      expect(await conversations(person)).toMatchObject([{ audition: { closes_at } }]);
    waitDays(QUESTION_DAYS - 1);
    expect((await write(owner, performer, conversation)).status).toBe(201);
    expect((await question(performer, request.id)).status).toBe(201);
    waitDays(1);
    const refused = [
      await write(owner, performer, conversation),
      await write(performer, owner, conversation),
      await question(performer, request.id),
    ];
    expect(refused.map(({ status }) => status)).toEqual([409, 409, 409]);
    expect(refused[0]?.body.message).toContain('Connect');
    // It can still be read, and goes on once they are connected.
    expect(await messagesOf(performer, `conversation-${conversation}`)).toHaveLength(3);
    await connect(testServer, owner, performer);
    expect((await write(owner, performer, conversation)).status).toBe(201);
  });

  test('stays open for as long as answers follow each other', async () => {
    const { owner, performer, request, conversation } = await createAsked();
    await castingCall(owner, request.id, 'answer', { kind: 'callback' });
    waitDays(20);
    await castingCall(owner, request.id, 'answer', { kind: 'cast' });
    waitDays(20);
    expect((await write(performer, owner, conversation)).status).toBe(201);
  });

  test.each(['owner', 'performer'] as const)('ends when the %s blocks the other, for good', async (who) => {
    const { owner, performer, request, conversation } = await createAsked();
    const [one, other] = who === 'owner' ? [owner, performer] : [performer, owner];
    await block(testServer, one, other);
    for (const person of [owner, performer]) {
      expect(await conversations(person)).toEqual([]);
      expect(await messagesOf(person, `conversation-${conversation}`)).toBe(404);
    }
    expect((await write(owner, performer, conversation)).status).toBe(404);
    expect((await question(performer, request.id)).status).toBe(404);
    expect(await readNews(owner)).toEqual([]);
  });

  test('closes with a connection, and a later question opens it again', async () => {
    const { owner, performer, request } = await createScene();
    const connectionId = await connect(testServer, owner, performer);
    await question(performer, request.id);
    await send(performer, `DELETE /connections/${connectionId}`);
    expect(await conversations(owner)).toEqual([]);
    expect((await question(performer, request.id, 'Are you there?')).status).toBe(201);
    expect(await conversations(owner)).toMatchObject([{ connected: false, unread_count: 2 }]);
  });

  test('goes with the account of either', async () => {
    const { owner, performer } = await createAsked();
    await send(performer, 'DELETE /account', { password: performer.password });
    expect(await conversations(owner)).toEqual([]);
  });
});

describe('strangers and minors', () => {
  const makeMinor = (person: Person) =>
    testServer.database.db
      .update(users)
      .set({ isMinor: true, bornOn: '2011-03-05' })
      .where(eq(users.id, Number(person.id)));

  test('do not write to each other about an audition', async () => {
    const { owner, performer, conversation } = await createAsked();
    await makeMinor(performer);
    expect((await write(owner, performer, conversation)).status).toBe(403);
    await connect(testServer, performer, owner).catch(() => undefined);
    const grown = await createAsked();
    await makeMinor(grown.owner);
    const refused = await question(grown.performer, grown.request.id);
    expect([refused.status, refused.body.message]).toEqual([403, expect.stringContaining('Connect first')]);
  });

  test('wait until they may reach others', async () => {
    const { performer, request } = await createScene();
    await testServer.database.db
      .update(users)
      .set({ mustConfirmEmail: true })
      .where(eq(users.id, Number(performer.id)));
    const refused = await question(performer, request.id);
    expect([refused.status, refused.body]).toMatchObject([403, { reason: 'verify' }]);
  });
});
