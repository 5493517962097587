import { beforeAll, afterAll, describe, expect, onTestFinished, test } from 'vitest';
import { LIMITS } from '#contract/limits.ts';
import type { ChatPage } from '#contract/records/chat.ts';
import type { RecordsChanged } from '#contract/records/live.ts';
import type { Notification } from '#contract/records/notifications.ts';
import { SECTIONS } from '#contract/sections/index.ts';
import { addCredit, addPhoto, addSkill, requestConnection, block } from './support/people.ts';
import { CREDENTIALS, LiveClient } from './support/live-client.ts';
import { useTestServer, type Person } from './support/test-server.ts';
import { viewerCalls } from './support/viewers.ts';
import { SECTION_CALLS } from './section-routes.table.ts';

const testServer = useTestServer({ env: { PUSHER_KEY: CREDENTIALS.key, PUSHER_SECRET: CREDENTIALS.secret } });
const { addPerformer, change, get, getStatus } = viewerCalls(testServer);

let me: Awaited<ReturnType<typeof addPerformer>>;
let other: Awaited<ReturnType<typeof addPerformer>>;
let mine: LiveClient;
let theirs: LiveClient;
beforeAll(async () => {
  await testServer.app.listen({ port: 0, host: '127.0.0.1' });
  [me, other] = [await addPerformer(), await addPerformer()];
  [mine, theirs] = [await listen(me), await listen(other)];
});
afterAll(() => [mine, theirs].forEach((client) => client.end()));

/** Opens a device that listens to both of the person's channels. */
async function listen({ id }: Person): Promise<LiveClient> {
  const { port } = testServer.app.server.address() as { port: number };
  const client = new LiveClient(port);
  await client.signIn(id);
  await client.subscribe(`private-App.Models.User.${id}`);
  await client.subscribe(`private-changes.${id}`);
  return client;
}

const RECORDS_CHANGED = 'App\\Events\\RecordsChanged';
/** Returns the record types that the device was told to pull. */
const getChangedTypes = (client: LiveClient) =>
  client.frames
    .filter(({ event, channel }) => event === RECORDS_CHANGED && channel?.startsWith('private-App.'))
    .flatMap(({ data }) => (JSON.parse(data ?? '') as { types: string[] }).types);

/** Runs `work` and waits until the device was told of these record types. */
async function expectChange(client: LiveClient, types: string[], work: () => Promise<unknown>): Promise<void> {
  client.frames.length = 0;
  await work();
  await expect.poll(() => getChangedTypes(client), { timeout: 1000 }).toEqual(expect.arrayContaining(types));
}
const call = async (request: string, body: object, person: Person = me) => {
  const answer = await testServer.call<{ data: { id: string } | { id: string }[] }>(request, {
    token: person.token,
    body,
  });
  expect(answer.status, answer.text).toBeLessThan(300);
  const { data } = answer.body;
  return Array.isArray(data) ? data[0]!.id : data?.id;
};

describe('other devices of a person are notified within a second of changes to', () => {
  test('the profile and About me', async () => {
    await expectChange(mine, ['profile'], () => change(me, me.profileId, { title: 'Actor and dancer' }));
    await expectChange(mine, ['about_me'], () => change(me, me.profileId, { description: 'Trained in Pune.' }));
    await expectChange(mine, ['profile'], () => change(me, me.profileId, { status: 'inactive' }));
    await expectChange(mine, ['profile'], () => change(me, me.profileId, { status: 'active' }));
  });

  test.each(SECTION_CALLS)('$write.path', async ({ list, write, change: changed, remove }) => {
    const section = SECTIONS.find(({ endpoints }) => endpoints.list.path === list)!;
    let id = '';
    await expectChange(mine, [section.key], async () => {
      id = (await call(`POST ${write.path}`, { profile_id: me.profileId, ...write.body })) ?? '';
    });
    if (changed) {
      const request = `${changed.method} ${changed.path.replace(':id', id)}`;
      await expectChange(mine, [section.key], () => call(request, { profile_id: me.profileId, ...changed.body }));
    }
    if (remove) {
      await expectChange(mine, [section.key], () => getStatus(`DELETE ${remove.replace(':id', id)}`, me));
    }
  });

  test('credits, skills and received feedback', async () => {
    await expectChange(mine, ['experience'], () => addCredit(testServer, me, me.profileId));
    await expectChange(mine, ['skill'], () => addSkill(testServer, me, me.profileId));
    const feedback = { profile_id: me.profileId, feedback: 'A joy to work with.' };
    await expectChange(mine, ['feedback', 'notification'], () => call('POST /feedback', feedback, other));
  });

  test('created, edited and deleted media', async () => {
    let id = '';
    await expectChange(mine, ['media'], async () => {
      ({ id } = await addPhoto(testServer, me, me.profileId));
    });
    await expectChange(mine, ['media'], () => call(`PUT /media/${id}`, { name: 'In the wings' }));
    await expectChange(mine, ['media'], () => getStatus(`DELETE /media/${id}`, me));
  });

  test('saved profiles', async () => {
    await expectChange(mine, ['saved_profile'], () => getStatus(`POST /profile/${other.profileId}/save`, me));
    await expectChange(mine, ['saved_profile'], () => getStatus(`POST /profile/${other.profileId}/unsave`, me));
  });

  test('connections, messages, notifications and blocks, on both sides', async () => {
    let id = '';
    await expectChange(theirs, ['connection', 'notification'], async () => {
      await expectChange(mine, ['connection'], async () => {
        id = await requestConnection(testServer, me, other);
      });
    });
    await expectChange(theirs, ['connection', 'conversation'], () =>
      expectChange(mine, ['connection', 'conversation', 'notification'], () =>
        getStatus(`POST /connections/accept/${id}`, other),
      ),
    );
    const found = await testServer.call<{ conversation_id: string }[]>('GET /conversations', { token: me.token });
    const { conversation_id } = found.body[0]!;
    const message = { conversation_id, receiver_id: other.id, message: 'Places, please' };
    await expectChange(theirs, ['message', 'conversation', 'notification'], () => call('POST /chat/send', message));
    await expectChange(theirs, ['notification'], () => call('POST /notifications/read', { all: true }, other));
    await expectChange(theirs, ['conversation'], () =>
      testServer.call(`POST /conversations/${conversation_id}/read`, { token: other.token, body: { seq: 1 } }),
    );
    await expectChange(theirs, ['connection', 'conversation'], () =>
      expectChange(mine, ['connection', 'conversation'], () => block(testServer, me, other)),
    );
  });

  test('nothing of other people', async () => {
    mine.frames.length = 0;
    await expectChange(theirs, ['skill'], () => addSkill(testServer, other, other.profileId));
    await mine.settle();
    expect(getChangedTypes(mine)).toEqual([]);
  });
});

describe('a changes channel', () => {
  const getEvents = (client: LiveClient) =>
    client.frames
      .filter(({ channel }) => channel?.startsWith('private-changes.'))
      .map(({ event, data }) => {
        expect(event).toBe(RECORDS_CHANGED);
        return JSON.parse(data ?? '') as RecordsChanged;
      });
  /** Returns what each of two people gets on the channel for one write. */
  async function collectEvents(devices: [LiveClient, LiveClient], work: () => Promise<unknown>) {
    for (const client of devices) client.frames.length = 0;
    await work();
    await expect.poll(() => devices.every((client) => getEvents(client).length > 0), { timeout: 1000 }).toBe(true);
    for (const client of devices) await client.settle();
    return devices.map(getEvents);
  }
  /** Two people with a listening device each, one of whom has asked the other to connect. */
  async function requestFrom(message?: string) {
    const [a, b] = [await addPerformer(), await addPerformer()];
    const devices: [LiveClient, LiveClient] = [await listen(a), await listen(b)];
    onTestFinished(() => devices.forEach((client) => client.end()));
    let id = '';
    await collectEvents(devices, async () => {
      id = (await call(`POST /connections/request/${b.id}`, { message }, a)) ?? '';
    });
    return { a, b, devices, id, accept: () => getStatus(`POST /connections/accept/${id}`, b) };
  }
  /** Two people who are connected, each with a listening device. */
  async function connectTwo() {
    const { a, b, devices, id: connectionId, accept } = await requestFrom();
    await collectEvents(devices, accept);
    const [found] = await get<{ conversation_id: string }[]>('GET /conversations', a);
    return { a, b, connectionId, conversation_id: found!.conversation_id, devices };
  }

  test('has one event for a message, with the message and the notification of its receiver', async () => {
    const { a, b, connectionId, conversation_id, devices } = await connectTwo();
    for (const text of ['Places, please', 'Half hour, please']) {
      const body = { conversation_id, receiver_id: b.id, message: text };
      const [ofSender, ofReceiver] = await collectEvents(devices, () => call('POST /chat/send', body, a));
      const message = (await get<ChatPage>(`GET /chat/${connectionId}`, a)).messages.at(-1);
      expect(message).toMatchObject({ message: text });
      const listed = await get<Notification[]>('GET /notifications', b);
      const notification = listed.find(({ type }) => type === 'message.received');
      expect(notification).toMatchObject({ data: { text } });
      expect(ofSender).toEqual([{ types: ['message', 'conversation'], message, is_whole: true }]);
      const types = ['message', 'conversation', 'notification'];
      expect(ofReceiver).toEqual([{ types, message, notification, is_whole: true }]);
    }
  });

  test('has one event for a receipt, whole for the person who sent the message', async () => {
    const { a, b, conversation_id, devices } = await connectTwo();
    const body = { conversation_id, receiver_id: b.id, message: 'Places, please' };
    await collectEvents(devices, () => call('POST /chat/send', body, a));
    const read = () => call(`POST /conversations/${conversation_id}/read`, { seq: 1 }, b);
    const [ofSender, ofReader] = await collectEvents(devices, read);
    const receipt = { conversation_id, delivered_seq: 1, read_seq: 1 };
    expect(ofSender).toEqual([{ types: ['conversation'], receipt, is_whole: true }]);
    expect(ofReader).toEqual([{ types: ['notification', 'conversation'], is_whole: false }]);
  });

  test('has an event that is not whole for a message that is too large for one', async () => {
    const { a, b, conversation_id, devices } = await connectTwo();
    const body = { conversation_id, receiver_id: b.id, message: '🎭'.repeat(LIMITS.messageText) };
    const [ofSender, ofReceiver] = await collectEvents(devices, () => call('POST /chat/send', body, a));
    expect(ofSender).toEqual([{ types: ['message', 'conversation'], is_whole: false }]);
    expect(ofReceiver).toEqual([{ types: ['message', 'conversation', 'notification'], is_whole: false }]);
  });

  test('has an event that is not whole for a request whose note becomes the first message', async () => {
    const { devices, accept } = await requestFrom('We met at Prithvi');
    const events = await collectEvents(devices, accept);
    for (const each of events) {
      expect(each).toMatchObject([{ message: { message: 'We met at Prithvi' }, is_whole: false }]);
      expect(each[0]?.types).toEqual(expect.arrayContaining(['connection', 'conversation', 'message']));
    }
  });

  test('belongs to one person', async () => {
    const asked = { socket_id: await mine.id(), channel_name: `private-changes.${other.id}` };
    const answer = await testServer.call('POST /broadcasting/auth', {
      token: me.token,
      body: new URLSearchParams(asked).toString(),
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
    });
    expect(answer.status).toBe(403);
  });
});
