import { beforeAll, afterAll, describe, expect, test } from 'vitest';
import { SECTIONS } from '#contract/sections/index.ts';
import { addCredit, addPhoto, addSkill, askToConnect, block } from './support/people.ts';
import { CREDENTIALS, Line } from './support/live-line.ts';
import { useStage, type Person } from './support/stage.ts';
import { viewerCalls } from './support/viewers.ts';
import { SECTION_CALLS } from './section-routes.table.ts';

const stage = useStage({ env: { PUSHER_KEY: CREDENTIALS.key, PUSHER_SECRET: CREDENTIALS.secret } });
const { performer, change, statusOf } = viewerCalls(stage);

let me: Awaited<ReturnType<typeof performer>>;
let other: Awaited<ReturnType<typeof performer>>;
let mine: Line;
let theirs: Line;
beforeAll(async () => {
  await stage.app.listen({ port: 0, host: '127.0.0.1' });
  const { port } = stage.app.server.address() as { port: number };
  [me, other] = [await performer(), await performer()];
  const listen = async ({ id }: Person) => {
    const line = new Line(port);
    await line.signIn(id);
    await line.subscribe(`private-App.Models.User.${id}`);
    return line;
  };
  [mine, theirs] = [await listen(me), await listen(other)];
});
afterAll(() => [mine, theirs].forEach((line) => line.end()));

const POKE = 'App\\Events\\RecordsChanged';
/** What a device of the person is poked to pull, since it was last asked. */
const poked = (line: Line) =>
  line.frames
    .filter(({ event }) => event === POKE)
    .flatMap(({ data }) => (JSON.parse(data ?? '') as { types: string[] }).types);

/** Does it, and waits until the device has heard of these kinds of records. */
async function reaches(line: Line, types: string[], work: () => Promise<unknown>): Promise<void> {
  line.frames.length = 0;
  await work();
  await expect.poll(() => poked(line), { timeout: 1000 }).toEqual(expect.arrayContaining(types));
}
const call = async (request: string, body: object, person: Person = me) => {
  const answer = await stage.call<{ data: { id: string } | { id: string }[] }>(request, { token: person.token, body });
  expect(answer.status, answer.text).toBeLessThan(300);
  const { data } = answer.body;
  return Array.isArray(data) ? data[0]!.id : data?.id;
};

describe('a person’s other devices hear within a second of', () => {
  test('their profile and About me', async () => {
    await reaches(mine, ['profile'], () => change(me, me.profileId, { title: 'Actor and dancer' }));
    await reaches(mine, ['about_me'], () => change(me, me.profileId, { description: 'Trained in Pune.' }));
    await reaches(mine, ['profile'], () => change(me, me.profileId, { status: 'inactive' }));
    await reaches(mine, ['profile'], () => change(me, me.profileId, { status: 'active' }));
  });

  test.each(SECTION_CALLS)('$write.path', async ({ list, write, change: changed, remove }) => {
    const section = SECTIONS.find(({ endpoints }) => endpoints.list.path === list)!;
    let id = '';
    await reaches(mine, [section.key], async () => {
      id = (await call(`POST ${write.path}`, { profile_id: me.profileId, ...write.body })) ?? '';
    });
    if (changed) {
      const request = `${changed.method} ${changed.path.replace(':id', id)}`;
      await reaches(mine, [section.key], () => call(request, { profile_id: me.profileId, ...changed.body }));
    }
    if (remove) {
      await reaches(mine, [section.key], () => statusOf(`DELETE ${remove.replace(':id', id)}`, me));
    }
  });

  test('credits, skills and what somebody writes about them', async () => {
    await reaches(mine, ['experience'], () => addCredit(stage, me, me.profileId));
    await reaches(mine, ['skill'], () => addSkill(stage, me, me.profileId));
    const feedback = { profile_id: me.profileId, feedback: 'A joy to work with.' };
    await reaches(mine, ['feedback', 'notification'], () => call('POST /feedback', feedback, other));
  });

  test('media: new ones, changed ones, those that are gone', async () => {
    let id = '';
    await reaches(mine, ['media'], async () => {
      ({ id } = await addPhoto(stage, me, me.profileId));
    });
    await reaches(mine, ['media'], () => call(`PUT /media/${id}`, { name: 'In the wings' }));
    await reaches(mine, ['media'], () => statusOf(`DELETE /media/${id}`, me));
  });

  test('what they keep', async () => {
    await reaches(mine, ['saved_profile'], () => statusOf(`POST /profile/${other.profileId}/save`, me));
    await reaches(mine, ['saved_profile'], () => statusOf(`POST /profile/${other.profileId}/unsave`, me));
  });

  test('whom they ask, who accepts, what is written and who is blocked, on both sides', async () => {
    let id = '';
    await reaches(theirs, ['connection', 'notification'], async () => {
      await reaches(mine, ['connection'], async () => {
        id = await askToConnect(stage, me, other);
      });
    });
    await reaches(theirs, ['connection', 'conversation'], () =>
      reaches(mine, ['connection', 'conversation', 'notification'], () =>
        statusOf(`POST /connections/accept/${id}`, other),
      ),
    );
    const found = await stage.call<{ conversation_id: string }[]>('GET /conversations', { token: me.token });
    const { conversation_id } = found.body[0]!;
    const message = { conversation_id, receiver_id: other.id, message: 'Places, please' };
    await reaches(theirs, ['message', 'conversation', 'notification'], () => call('POST /chat/send', message));
    await reaches(theirs, ['notification'], () => call('POST /notifications/read', { all: true }, other));
    await reaches(theirs, ['conversation'], () =>
      stage.call(`POST /conversations/${conversation_id}/read`, { token: other.token, body: { seq: 1 } }),
    );
    await reaches(theirs, ['connection', 'conversation'], () =>
      reaches(mine, ['connection', 'conversation'], () => block(stage, me, other)),
    );
  });

  test('nothing that is others’', async () => {
    mine.frames.length = 0;
    await reaches(theirs, ['skill'], () => addSkill(stage, other, other.profileId));
    await mine.settle();
    expect(poked(mine)).toEqual([]);
  });
});
