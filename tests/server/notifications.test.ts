import { describe, expect, test } from 'vitest';
import type { Notification } from '#contract/records/notifications.ts';
import { deleteOldNotifications } from '#server/features/notifications/store.ts';
import { addProfile, requestConnection, block, connect } from './support/people.ts';
import { watchLiveEvents } from './support/live-events.ts';
import { useTestServer, type Person } from './support/test-server.ts';
import { viewerCalls } from './support/viewers.ts';

const testServer = useTestServer();
const { change, get, addPerformer, pull, getStatus } = viewerCalls(testServer);

const list = (person: Person, query = '') => get<Notification[]>(`GET /notifications${query}`, person);
/** Returns the list in short form, after checking that the sync feed contains the same list. */
const getList = async (person: Person) => {
  const listed = await list(person);
  const synced = (await pull(person)).records.filter((each) => each.type === 'notification').map((each) => each.body);
  const byId = (a: { id: string }, b: { id: string }) => Number(a.id) - Number(b.id);
  expect((synced as unknown as Notification[]).sort(byId)).toEqual([...listed].sort(byId));
  return listed.map(({ type, actor, data, read_at }) => [
    type,
    actor.name,
    data.text,
    read_at === null ? 'new' : 'read',
  ]);
};
const watchCreated = () => watchLiveEvents<{ notification: Notification }>('NotificationCreated');
const getConversationId = async (person: Person) =>
  (await get<{ conversation_id: string }[]>('GET /conversations', person))[0]!.conversation_id;
const write = (from: Person, to: Person, conversation_id: string, message: string) =>
  testServer.call('POST /chat/send', { token: from.token, body: { conversation_id, receiver_id: to.id, message } });
const feedback = (from: Person, profile_id: string, words: string) =>
  testServer.call<{ data: { id: string } }>('POST /feedback', {
    token: from.token,
    body: { profile_id, feedback: words },
  });

describe('notification', () => {
  test('exists for a connection request until it is answered', async () => {
    const [a, b] = [await addPerformer(), await addPerformer()];
    const live = watchCreated();
    const id = await requestConnection(testServer, a, b);
    expect(await getList(b)).toEqual([['connection.requested', a.name, undefined, 'new']]);
    expect(await getList(a)).toEqual([]);
    const [notification] = await list(b);
    expect(notification).toMatchObject({ actor: { user_id: a.id, title: 'Actor' }, data: { connection_id: id } });
    expect(live(b)).toEqual([{ notification }]);
    await getStatus(`DELETE /connections/${id}`, a);
    expect(await getList(b)).toEqual([]);
    const again = await requestConnection(testServer, a, b);
    await getStatus(`POST /connections/accept/${again}`, b);
    expect(await getList(b)).toEqual([['connection.requested', a.name, undefined, 'read']]);
    expect(await getList(a)).toEqual([['connection.accepted', b.name, undefined, 'new']]);
    await getStatus(`DELETE /connections/${again}`, a);
    expect([await getList(a), await getList(b)]).toEqual([[], []]);
  });

  test('exists once for a connection request after a decline, a second request and a mutual request', async () => {
    const [a, b] = [await addPerformer(), await addPerformer()];
    await getStatus(`POST /connections/decline/${await requestConnection(testServer, a, b)}`, b);
    expect(await getList(b)).toEqual([]);
    await requestConnection(testServer, a, b);
    await getStatus(`POST /connections/request/${b.id}`, a);
    expect(await getList(b)).toHaveLength(1);
    await getStatus(`POST /connections/request/${a.id}`, b);
    expect(await getList(b)).toEqual([['connection.requested', a.name, undefined, 'read']]);
    expect(await getList(a)).toEqual([['connection.accepted', b.name, undefined, 'new']]);
  });

  test('exists once per conversation for messages, is updated while unread and read with the conversation', async () => {
    const [a, b] = [await addPerformer(), await addPerformer()];
    await connect(testServer, a, b);
    const conversation = await getConversationId(a);
    const live = watchCreated();
    await write(a, b, conversation, 'Are you free on Friday?');
    await write(a, b, conversation, '🎭'.repeat(200));
    const text = `${'🎭'.repeat(159)}…`;
    const listed = await getList(b);
    expect(listed[0]).toEqual(['message.received', a.name, text, 'new']);
    expect(listed.filter(([type]) => type === 'message.received')).toHaveLength(1);
    expect(live(b).map(({ notification }) => notification.data.text)).toEqual(['Are you free on Friday?']);
    const read = (seq: number) =>
      testServer.call(`POST /conversations/${conversation}/read`, { token: b.token, body: { seq } });
    await read(1);
    expect((await getList(b))[0]?.[3]).toBe('new');
    await read(2);
    expect((await getList(b))[0]?.[3]).toBe('read');
    testServer.clock.advance(1000);
    await write(a, b, conversation, 'Saturday then');
    expect((await getList(b))[0]).toEqual(['message.received', a.name, 'Saturday then', 'new']);
    expect(live(b)).toHaveLength(1);
    // The reply was written before the last message was seen, so it does not mark that message as read.
    await write(b, a, conversation, 'Yes');
    expect((await getList(b))[0]).toEqual(['message.received', a.name, 'Saturday then', 'new']);
    await read(3);
    expect((await getList(b))[0]).toEqual(['message.received', a.name, 'Saturday then', 'read']);
    expect((await getList(a))[0]).toEqual(['message.received', b.name, 'Yes', 'new']);
  });

  test('contains the current text of feedback', async () => {
    const [a, b] = [await addPerformer(), await testServer.join('Bela Rane')];
    const { id } = (await feedback(b, a.profileId, 'Never late')).body.data;
    expect(await getList(a)).toEqual([['feedback.received', 'Bela Rane', 'Never late', 'new']]);
    expect((await list(a))[0]?.data).toMatchObject({ profile_id: a.profileId, feedback_id: id });
    await testServer.call('POST /notifications/read', { token: a.token, body: { all: true } });
    await testServer.call(`PUT /feedback/${id}`, { token: b.token, body: { feedback: 'Never ever late' } });
    expect(await getList(a)).toEqual([['feedback.received', 'Bela Rane', 'Never ever late', 'read']]);
    await getStatus(`DELETE /feedback/${id}`, b);
    expect(await getList(a)).toEqual([]);
  });

  test('exists for a saved profile until it is unsaved', async () => {
    const [a, b] = [await addPerformer(), await testServer.join('Bela Rane')];
    const save = () => getStatus(`POST /profile/${a.profileId}/save`, b);
    await Promise.all([save(), save()]);
    expect(await getList(a)).toEqual([['profile.saved', 'Bela Rane', undefined, 'new']]);
    await getStatus(`POST /profile/${a.profileId}/unsave`, b);
    expect(await getList(a)).toEqual([]);
  });

  test('contains the current summary of the actor', async () => {
    const [a, b] = [await addPerformer(), await addPerformer()];
    await getStatus(`POST /profile/${a.profileId}/save`, b);
    const { cursor } = await pull(a);
    await change(b, b.profileId, { title: 'Director' });
    expect((await pull(a, cursor)).records).toMatchObject([{ body: { actor: { title: 'Director' } } }]);
  });
});

describe('notification list', () => {
  test('returns every notification in pages, newest first', async () => {
    const a = await addPerformer();
    for (let n = 0; n < 7; n += 1) {
      await getStatus(`POST /profile/${a.profileId}/save`, await testServer.join(`Saver ${n}`));
      if (n % 3 === 0) testServer.clock.advance(1000);
    }
    const names: string[] = [];
    for (let next = ''; ;) {
      const path = `/notifications?limit=2${next && `&cursor=${next}`}`;
      const page = await testServer.call<Notification[]>(`GET ${path}`, { token: a.token });
      names.push(...page.body.map(({ actor }) => actor.name));
      const following = page.headers['x-next-cursor'];
      if (following === undefined) break;
      next = following;
    }
    expect(names).toEqual([6, 5, 4, 3, 2, 1, 0].map((n) => `Saver ${n}`));
  });

  test('is marked as read by ids or as a whole, only by its owner, and keeps the first read time', async () => {
    const [a, b] = [await addPerformer(), await addPerformer()];
    for (const name of ['One', 'Two', 'Three']) {
      await getStatus(`POST /profile/${a.profileId}/save`, await testServer.join(name));
      testServer.clock.advance(1000);
    }
    const read = (person: Person, body: object) =>
      testServer.call('POST /notifications/read', { token: person.token, body });
    const states = async () => (await getList(a)).map(([, name, , state]) => `${name} ${state}`);
    const [three] = await list(a);
    await read(b, { ids: [three!.id] });
    await read(b, { all: true });
    expect(await states()).toEqual(['Three new', 'Two new', 'One new']);
    expect((await read(a, { ids: [three!.id, '999999', 'x'] })).status).toBe(200);
    expect(await states()).toEqual(['Three read', 'Two new', 'One new']);
    const { read_at } = (await list(a))[0]!;
    const { cursor } = await pull(a);
    await read(a, { all: true });
    expect(await states()).toEqual(['Three read', 'Two read', 'One read']);
    expect((await pull(a, cursor)).records).toHaveLength(2);
    expect((await list(a))[0]?.read_at).toBe(read_at);
    expect((await read(a, {})).status).toBe(422);
    expect((await read(a, { ids: Array.from({ length: 501 }, (_, n) => `${n}`) })).status).toBe(422);
  });
});

test('stays unread when it was raised again after the person saw it', async () => {
  const [a, b] = [await addPerformer(), await addPerformer()];
  const read = (body: object) => testServer.call('POST /notifications/read', { token: a.token, body });
  await connect(testServer, a, b);
  const conversation = await getConversationId(a);
  await write(b, a, conversation, 'Friday?');
  const isAboutMessage = ({ type }: Notification) => type === 'message.received';
  const { id, created_at } = (await list(a)).find(isAboutMessage)!;
  testServer.clock.advance(1000);
  await write(b, a, conversation, 'Or Saturday?');
  const getState = async () => (await list(a)).find(isAboutMessage)!.read_at === null;
  expect((await read({ ids: [id], created_at: { [id]: created_at } })).status).toBe(200);
  expect(await getState()).toBe(true);
  const again = (await list(a)).find(isAboutMessage)!;
  await read({ ids: [id], created_at: { [id]: again.created_at } });
  expect(await getState()).toBe(false);
  // A time that no notification can have is judged like any other.
  await getStatus(`POST /profile/${a.profileId}/save`, b);
  const [saved] = await list(a);
  expect((await read({ ids: [saved!.id], created_at: { [saved!.id]: '0000-01-01T00:00:00Z' } })).status).toBe(200);
  expect((await list(a))[0]?.read_at).toBeNull();
  expect((await read({ ids: [saved!.id], created_at: { [saved!.id]: 'today' } })).status).toBe(422);
  // An older app sends no times.
  await read({ ids: [saved!.id] });
  expect((await list(a))[0]?.read_at).not.toBeNull();
});

test('deletes notifications that were read more than 180 days ago and keeps unread ones', async () => {
  const a = await addPerformer();
  for (const name of ['Old', 'Unread'])
    await getStatus(`POST /profile/${a.profileId}/save`, await testServer.join(name));
  const old = (await list(a)).find(({ actor }) => actor.name === 'Old')!;
  await testServer.call('POST /notifications/read', { token: a.token, body: { ids: [old.id] } });
  const later = (days: number) => new Date(testServer.clock.now().getTime() + days * 86_400_000);
  const { cursor } = await pull(a);
  await deleteOldNotifications(testServer.database.db, later(179));
  expect(await getList(a)).toHaveLength(2);
  await deleteOldNotifications(testServer.database.db, later(181));
  expect(await getList(a)).toEqual([['profile.saved', 'Unread', undefined, 'new']]);
  expect((await pull(a, cursor)).records).toEqual([{ type: 'notification', id: old.id, parent: null, body: null }]);
});

describe('blocked people', () => {
  test('receive no notifications about each other and lose the existing ones', async () => {
    const [a, b] = [await addPerformer(), await addPerformer()];
    await connect(testServer, a, b);
    await write(a, b, await getConversationId(a), 'Hello');
    await write(b, a, await getConversationId(a), 'Hello');
    for (const [from, to] of [
      [a, b],
      [b, a],
    ] as const) {
      await feedback(from, to.profileId, 'Good');
      await getStatus(`POST /profile/${to.profileId}/save`, from);
    }
    expect([(await getList(a)).length, (await getList(b)).length]).toEqual([4, 4]);
    await block(testServer, a, b);
    expect([await getList(a), await getList(b)]).toEqual([[], []]);
  });

  test.each([
    ['POST /connections/request/:user', 404, {}],
    ['POST /connections/accept/:connection', 404, {}],
    ['POST /connections/decline/:connection', 404, {}],
    ['DELETE /connections/:connection', 404, {}],
    ['POST /reports', 404, { user_id: ':user', reason: 'spam' }],
    ['POST /profile/:profile/save', 404, {}],
    ['POST /profile/:profile/unsave', 404, {}],
    ['POST /feedback', 404, { profile_id: ':profile', feedback: 'Still here' }],
    ['POST /chat/send', 404, { conversation_id: ':conversation', receiver_id: ':user', message: 'Hello' }],
    ['GET /chat/:connection', 404, {}],
    ['POST /conversations/:conversation/read', 404, { seq: 1 }],
    ['POST /conversations/:conversation/delivered', 404, { seq: 1 }],
    ['POST /conversations/:conversation/star', 404, {}],
    ['POST /conversations/:conversation/unstar', 404, {}],
    ['POST /broadcasting/auth', 403, { socket_id: '1.2', channel_name: 'private-chat.:conversation' }],
    ['GET /profile/details/:profile', 404, {}],
    ['POST /blocks/:user', 404, {}],
  ])('have no effect on the other person by %s', async (request, status, body) => {
    const [a, b] = [await addPerformer(), await addPerformer()];
    const connectionId = await connect(testServer, b, a);
    const conversation = await getConversationId(a);
    await block(testServer, a, b);
    const { cursor } = await pull(a);
    const live = watchCreated();
    const fillIn = (text: string) =>
      text
        .replace(':user', a.id)
        .replace(':profile', a.profileId)
        .replace(':connection', connectionId)
        .replace(':conversation', conversation);
    const [method, path] = request.split(' ') as [string, string];
    const sent = method === 'GET' ? {} : { body: JSON.parse(fillIn(JSON.stringify(body))) as object };
    const answer = await testServer.call(`${method} ${fillIn(path)}`, { token: b.token, ...sent });
    expect(answer.status).toBe(status);
    expect((await pull(a, cursor)).records).toEqual([]);
    expect([await getList(a), live(a)]).toEqual([[], []]);
    for (const path of ['requests/received', 'requests/sent', 'accepted']) {
      expect(await get(`GET /connections/${path}`, b)).toEqual([]);
    }
    expect([await get('GET /conversations', b), await list(b)]).toEqual([[], []]);
  });
});

test('deletes the notifications by and for a person with the account', async () => {
  const [a, b] = [await addPerformer(), await addPerformer()];
  await connect(testServer, a, b);
  await write(a, b, await getConversationId(a), 'Hello');
  await addProfile(testServer, b, 1);
  const { cursor } = await pull(b);
  expect((await testServer.call('DELETE /account', { token: a.token, body: { password: a.password } })).status).toBe(
    200,
  );
  const gone = (await pull(b, cursor)).records;
  expect(gone.filter(({ body }) => body !== null)).toEqual([]);
  expect([...new Set(gone.map(({ type }) => type))].sort()).toEqual(['connection', 'conversation', 'notification']);
  expect(await getList(b)).toEqual([]);
});
