import { beforeAll, afterAll, describe, expect, test } from 'vitest';
import { SECTIONS } from '#contract/sections/index.ts';
import { addCredit, addPhoto, addSkill, requestConnection, block } from './support/people.ts';
import { CREDENTIALS, LiveClient } from './support/live-client.ts';
import { useTestServer, type Person } from './support/test-server.ts';
import { viewerCalls } from './support/viewers.ts';
import { SECTION_CALLS } from './section-routes.table.ts';

const testServer = useTestServer({ env: { PUSHER_KEY: CREDENTIALS.key, PUSHER_SECRET: CREDENTIALS.secret } });
const { addPerformer, change, getStatus } = viewerCalls(testServer);

let me: Awaited<ReturnType<typeof addPerformer>>;
let other: Awaited<ReturnType<typeof addPerformer>>;
let mine: LiveClient;
let theirs: LiveClient;
beforeAll(async () => {
  await testServer.app.listen({ port: 0, host: '127.0.0.1' });
  const { port } = testServer.app.server.address() as { port: number };
  [me, other] = [await addPerformer(), await addPerformer()];
  const listen = async ({ id }: Person) => {
    const client = new LiveClient(port);
    await client.signIn(id);
    await client.subscribe(`private-App.Models.User.${id}`);
    return client;
  };
  [mine, theirs] = [await listen(me), await listen(other)];
});
afterAll(() => [mine, theirs].forEach((client) => client.end()));

const RECORDS_CHANGED = 'App\\Events\\RecordsChanged';
/** Returns the record types that the device was told to pull. */
const getChangedTypes = (client: LiveClient) =>
  client.frames
    .filter(({ event }) => event === RECORDS_CHANGED)
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
