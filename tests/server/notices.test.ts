import { describe, expect, test } from 'vitest';
import type { Audition, AuditionRequest } from '#contract/records/casting.ts';
import { castingCalls } from './support/casting.ts';
import { block } from './support/people.ts';
import { useTestServer, type Person } from './support/test-server.ts';

const testServer = useTestServer();
const calls = castingCalls(testServer);
const { addPerformer, addProject, addRole, ask, castingCall, createScene, inDays } = calls;
const { readAuditions, readNews, readRequests, say, send, tryAsk } = calls;
const wait = (minutes: number) => testServer.clock.advance(minutes * 60_000);
const now = () => testServer.clock.now().toISOString();
const OLD = 'A kiss, clothed. An intimacy coordinator is booked.';
const NEW = 'A scene in bed, clothed. An intimacy coordinator is booked.';

const changeRole = (owner: Person, id: string, body: object) => send(owner, `PUT /casting/roles/${id}`, body);
const changesOf = async (performer: Person): Promise<Audition['notice_changes']> =>
  (await readAuditions(performer))[0]!.notice_changes;

/** A performer who said yes before the notices changed. */
async function createChanged() {
  const scene = await createScene();
  await say(scene.performer, scene.request.id, 'confirm');
  wait(5);
  await changeRole(scene.owner, scene.role.id, { intimacy: NEW });
  return { ...scene, at: now() };
}

describe('changed notices', () => {
  test('are told to the performer with both versions, and clear nothing', async () => {
    const { owner, performer, request, at } = await createChanged();
    const change = { at, confirmed_at: null, before: { intimacy: OLD }, after: { intimacy: NEW } };
    const expected = { notices: { intimacy: OLD }, notice_changes: [change], confirmed_at: expect.any(String) };
    expect(await readAuditions(performer)).toMatchObject([expected]);
    expect(await readRequests(owner)).toMatchObject([{ ...expected, id: request.id }]);
    expect(await readNews(performer)).toContain('audition.changed');
  });

  test('hold once the performer has said yes to the words that they read', async () => {
    const { owner, performer, request, at } = await createChanged();
    const before = (await readRequests(owner))[0]!;
    wait(3);
    await say(performer, request.id, 'confirm', { at: now() });
    expect((await changesOf(performer))[0]!.confirmed_at).toBe(null);
    const agreed = await say(performer, request.id, 'confirm', { at: now(), notices_at: at });
    const change = { at, before: { intimacy: OLD }, after: { intimacy: NEW }, confirmed_at: now() };
    const expected = { notices: { intimacy: NEW }, notice_changes: [change], confirmed_at: before.confirmed_at };
    expect(agreed).toMatchObject({ status: 200, body: { data: expected } });
    expect(await readRequests(owner)).toMatchObject([expected]);
    // Said again, nothing changes.
    const again = await say(performer, request.id, 'confirm', { notices_at: at });
    expect(again.body.data.version).toBe(agreed.body.data.version);
  });

  test('that changed again are not agreed to by a yes to older words', async () => {
    const { owner, performer, role, request, at } = await createChanged();
    wait(5);
    await changeRole(owner, role.id, { nudity: 'Bare back' });
    await say(performer, request.id, 'confirm', { notices_at: at });
    // What the performer has not agreed to is asked as one change.
    const change = { at: now(), confirmed_at: null, before: { intimacy: OLD, nudity: 'None' } };
    expect(await changesOf(performer)).toMatchObject([{ ...change, after: { intimacy: NEW, nudity: 'Bare back' } }]);
  });

  test('keep the newest twenty changes', async () => {
    const { owner, performer, role, request } = await createScene();
    for (let n = 0; n < 22; n += 1) {
      wait(1);
      await changeRole(owner, role.id, { stunts: `A fall from ${n} m` });
      await say(performer, request.id, 'confirm', { notices_at: now() });
    }
    const kept = await changesOf(performer);
    expect([kept.length, kept.at(-1)?.after.stunts]).toEqual([20, 'A fall from 21 m']);
  });

  test('that are as before ask for nothing', async () => {
    const { owner, performer, role } = await createChanged();
    await changeRole(owner, role.id, { intimacy: OLD });
    expect(await changesOf(performer)).toEqual([]);
  });

  test('are agreed to together with a first yes', async () => {
    const { owner, performer, role, request } = await createScene();
    await changeRole(owner, role.id, { stunts: 'A fall' });
    const { body } = await say(performer, request.id, 'confirm', { notices_at: now() });
    expect(body.data).toMatchObject({ confirmed_at: now(), notices: { stunts: 'A fall' } });
  });

  test('are never agreed to before they changed, whatever the clock of the phone says', async () => {
    const { performer, request, at } = await createChanged();
    wait(5);
    const early = new Date(Date.parse(at) - 60_000).toISOString();
    await say(performer, request.id, 'confirm', { at: early, notices_at: at });
    expect((await changesOf(performer))[0]!.confirmed_at).toBe(at);
  });

  test('keep every version that was agreed to', async () => {
    const { owner, performer, role, request, at } = await createChanged();
    await say(performer, request.id, 'confirm', { notices_at: at });
    wait(5);
    await changeRole(owner, role.id, { other_notice: 'Smoke' });
    expect(await changesOf(performer)).toMatchObject([
      { before: { intimacy: OLD }, confirmed_at: expect.any(String) },
      { before: { intimacy: NEW, other: null }, after: { other: 'Smoke' }, confirmed_at: null },
    ]);
  });

  test('concern those who may still take part, also whoever was cast', async () => {
    const owner = await testServer.join('Tideline Casting');
    const role = await addRole(owner, await addProject(owner));
    const people = await Promise.all(['cast', 'refused', 'withdrawn', 'blocked', 'declined'].map(() => addPerformer()));
    const requests: AuditionRequest[] = [];
    for (const person of people) requests.push(await ask(owner, role, person));
    await castingCall(owner, requests[0]!.id, 'answer', { kind: 'cast' });
    await castingCall(owner, requests[1]!.id, 'answer', { kind: 'no_thank_you' });
    await castingCall(owner, requests[2]!.id, 'withdraw');
    await block(testServer, people[3]!, owner);
    await say(people[4]!, requests[4]!.id, 'decline');
    await changeRole(owner, role.id, { nudity: 'Bare back' });
    const changed = (await readRequests(owner)).sort((a, b) => Number(a.id) - Number(b.id));
    expect(changed.map(({ notice_changes }) => notice_changes.length)).toEqual([1, 0, 0, 0, 1]);
    expect(await readNews(people[1]!)).not.toContain('audition.changed');
  });

  test('of another kind than notices change no request', async () => {
    const { owner, role, request } = await createScene();
    await changeRole(owner, role.id, { pay: 'Scale' });
    expect(await readRequests(owner)).toEqual([request]);
  });
});

describe('a moved deadline', () => {
  test('says what it was before', async () => {
    const { owner, performer, request } = await createScene();
    expect(request.deadline_before).toBe(null);
    const [first, second] = [inDays(11), inDays(12)];
    await calls.change(owner, request.id, { deadline_at: first });
    expect(await readAuditions(performer)).toMatchObject([{ deadline_before: request.deadline_at }]);
    await calls.change(owner, request.id, { deadline_at: second });
    await calls.change(owner, request.id, { instructions: 'Slower.' });
    expect(await readAuditions(performer)).toMatchObject([{ deadline_before: first, deadline_at: second }]);
  });
});

describe('days off of a project', () => {
  test('count like holidays when a request is accepted', async () => {
    const owner = await testServer.join('Tideline Casting');
    const days = Array.from({ length: 12 }, (_, index) => inDays(index).slice(0, 10));
    const [plain, busy] = [await addProject(owner), await addProject(owner, { extra_holidays: days.join(', ') })];
    expect(busy.extra_holidays).toBe(days.join(', '));
    const performer = await addPerformer();
    const deadline_at = inDays(10);
    expect((await tryAsk(owner, await addRole(owner, plain), performer, { deadline_at })).status).toBe(201);
    const refused = await tryAsk(owner, await addRole(owner, busy), performer, { deadline_at });
    expect([refused.status, refused.body.breaches?.map(({ rule }) => rule)]).toEqual([422, ['notice']]);
    expect(refused.body.breaches![0]!.earliest).toBeGreaterThan(Date.parse(inDays(12)));
  });

  test('are checked', async () => {
    const owner = await testServer.join('Tideline Casting');
    const refused = await send(owner, 'POST /casting/projects', {
      ...(await addProject(owner)),
      client_id: undefined,
      extra_holidays: 'Diwali',
    });
    expect([refused.status, Object.keys(refused.body.errors ?? {})]).toEqual([422, ['extra_holidays']]);
  });
});
