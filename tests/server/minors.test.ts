import { beforeAll, describe, expect, test } from 'vitest';
import type { Profile } from '#contract/records/profile.ts';
import { sectionOf } from '#contract/sections/index.ts';
import { protectKnownMinors, tellOfAge } from '#server/features/account/age.ts';
import { addCredit, addPhoto, addProfile, connect, requestConnection } from './support/people.ts';
import { newcomersOf } from './support/newcomers.ts';
import { useTestServer, type Person } from './support/test-server.ts';
import { viewerCalls } from './support/viewers.ts';

const DAY_MS = 24 * 60 * 60_000;
const testServer = useTestServer();
const { addMinor, bornYearsAgo, confirm, decide, register } = newcomersOf(testServer);
const { addPerformer, change, get, getStatus } = viewerCalls(testServer);

const FEEDBACK = sectionOf('feedback')!;
const writeFeedback = (author: Person, profile_id: string) =>
  testServer.call('POST /feedback', { token: author.token, body: { ...FEEDBACK.example, profile_id } });
const isShown = async ({ profileId }: { profileId: string }) =>
  (await getStatus(`GET /profile/details/${profileId}`)) === 200;

/** A minor whose page lacks nothing, with an accepted connection and a stranger who has saved the page before. */
async function createScene() {
  const minor = { ...(await addMinor('Lumi Firefly')), profileId: '' };
  const performer = await addPerformer(minor);
  const [friend, stranger] = [await testServer.join('A friend'), await testServer.join('A stranger')];
  await addProfile(testServer, friend);
  await addCredit(testServer, minor, performer.profileId);
  const photo = await addPhoto(testServer, minor, performer.profileId);
  await decide(minor.guardian, true);
  await connect(testServer, minor, friend);
  for (const path of [`profile/${performer.profileId}/save`, `media/${photo.id}/save`])
    expect(await getStatus(`POST /${path}`, stranger)).toBe(200);
  return { ...performer, guardian: minor.guardian, friend, stranger, photo };
}

describe('the page of a minor', () => {
  let scene: Awaited<ReturnType<typeof createScene>>;
  let reads: string[];
  beforeAll(async () => {
    scene = await createScene();
    const { profileId, photo, id } = scene;
    const { slug } = await get<Profile>(`GET /profile/details/${profileId}`, scene);
    reads = [
      `GET /profile/details/${profileId}`,
      `GET /profiles/page/${slug}/actor-performer`,
      `GET /profiles/by-slug/${slug}/actor-performer`,
      `GET /profile/aboutme/${profileId}`,
      `GET /profile/experiences/${profileId}`,
      `GET /contact/${profileId}`,
      `GET /feedback/${profileId}`,
      `GET /media?profile_id=${profileId}`,
      `GET ${photo.path}`,
      `GET /profiles/shared/all/${id}`,
    ];
  });

  const viewersOf = ({ friend, stranger }: typeof scene) =>
    [
      ['a visitor', undefined],
      ['a stranger', stranger],
      ['a connection', friend],
    ] as const;

  /** Who finds the minor in which list. */
  async function findListed() {
    const { profileId, stranger, friend, id } = scene;
    const found: string[] = [];
    const note = async (list: string, who: string, request: string, person: Person | undefined, text: string) => {
      const answer = await testServer.call(request, { token: person?.token });
      expect([list, answer.status]).toEqual([list, 200]);
      if (answer.text.includes(text)) found.push(`${list} of ${who}`);
    };
    for (const [who, person] of viewersOf(scene)) {
      await note('search', who, 'GET /search?q=lumi', person, `"id":"${profileId}"`);
      await note('profiles of the person', who, `GET /profiles/shared/all/${id}`, person, `"id":"${profileId}"`);
    }
    for (const [who, person] of [['a stranger', stranger] as const, ['a connection', friend] as const]) {
      await note('all profiles', who, 'GET /profiles/all', person, 'Lumi Firefly');
      await note('suggestions', who, 'GET /connections/suggested', person, `"user_id":"${id}"`);
      await note('saved media', who, 'GET /media/saved', person, 'On stage');
      await note('saved profiles', who, 'GET /sync', person, '"title":"Actor"');
    }
    return found;
  }

  test('is seen by everybody once the guardian has agreed, but never suggested', async () => {
    for (const read of reads) {
      for (const [who, person] of viewersOf(scene))
        expect([read, who, await getStatus(read, person)]).toEqual([read, who, 200]);
    }
    expect(await findListed()).toEqual([
      'search of a visitor',
      'profiles of the person of a visitor',
      'search of a stranger',
      'profiles of the person of a stranger',
      'search of a connection',
      'profiles of the person of a connection',
      'all profiles of a stranger',
      'saved media of a stranger',
      'saved profiles of a stranger',
      'all profiles of a connection',
      'saved profiles of a connection',
    ]);
  });

  test('shows contacts and the day rate to accepted connections only', async () => {
    const { profileId, friend, stranger, basicId, agentId } = scene;
    const seen: unknown[] = [];
    const slug = (await get<Profile>(`GET /profile/details/${profileId}`)).slug;
    for (const person of [undefined, stranger, friend, scene]) {
      const rows = await get<{ id: string; mobile: string | null }[]>(`GET /contact/${profileId}`, person);
      const page = await get<{ rows: { contact: object[] }; profile: Profile }>(
        `GET /profiles/page/${slug}/actor-performer`,
        person,
      );
      const { per_day } = await get(`GET /profile/details/${profileId}`, person);
      seen.push([rows.length, page.rows.contact.length, per_day, page.profile.per_day]);
    }
    expect(seen).toEqual([
      [0, 0, null, null],
      [0, 0, null, null],
      [2, 2, 18_000, 18_000],
      [2, 2, 18_000, 18_000],
    ]);
    const viewAs = (viewer: string) => get<object[]>(`GET /contact/${profileId}`, scene, { 'x-view-as': viewer });
    expect(await viewAs('member')).toEqual([]);
    expect(await viewAs('stranger')).toEqual([]);
    expect(await viewAs('connection')).toHaveLength(2);
    for (const id of [basicId, agentId]) expect(await getStatus(`DELETE /contact/${id}`, stranger)).toBe(404);
  });

  test('takes no request and no text from a stranger, as after a block', async () => {
    const { stranger, friend, id, profileId } = scene;
    const blocking = await testServer.join();
    await addProfile(testServer, blocking);
    await testServer.call(`POST /blocks/${stranger.id}`, { token: blocking.token });
    const refused = await testServer.call(`POST /connections/request/${id}`, { token: stranger.token, body: {} });
    const blocked = await testServer.call(`POST /connections/request/${blocking.id}`, {
      token: stranger.token,
      body: {},
    });
    expect([refused.status, refused.body]).toEqual([404, blocked.body]);
    expect((await writeFeedback(stranger, profileId)).status).toBe(404);
    expect((await writeFeedback(friend, profileId)).status).toBe(201);
  });

  test('takes messages of a connection, and none of anybody else', async () => {
    const { friend, stranger, id } = scene;
    const [conversation] = await get<{ conversation_id: string }[]>('GET /conversations', friend);
    const body = { conversation_id: conversation!.conversation_id, receiver_id: id, message: 'Break a leg' };
    const send = async ({ token }: Person) => (await testServer.call('POST /chat/send', { token, body })).status;
    expect([await send(friend), await send(stranger)]).toEqual([201, 403]);
  });

  test('is hidden from everybody else within a second when the guardian withdraws, and kept for the minor', async () => {
    const before = Date.now();
    expect((await decide(scene.guardian, false, 'guardian.done')).status).toBe(200);
    for (const read of reads.slice(0, -1)) {
      for (const [who, person] of viewersOf(scene))
        expect([read, who, await getStatus(read, person)]).toEqual([read, who, 404]);
      expect([read, await getStatus(read, scene)]).toEqual([read, 200]);
    }
    expect(Date.now() - before).toBeLessThan(5000);
    expect(await findListed()).toEqual([]);
    const request = await testServer.call(`POST /connections/request/${scene.id}`, {
      token: scene.stranger.token,
      body: {},
    });
    expect(request.status).toBe(404);
    expect((await writeFeedback(scene.friend, scene.profileId)).status).toBe(404);
    // A conversation of before goes on.
    expect(await get<object[]>('GET /conversations', scene.friend)).toHaveLength(1);
    expect((await decide(scene.guardian, true, 'guardian.done')).status).toBe(200);
    expect(await isShown(scene)).toBe(true);
  });
});

describe('a minor whose guardian has not agreed', () => {
  test('is seen by nobody, and reaches nobody', async () => {
    const [minor, other] = [await addMinor(), await testServer.join()];
    const [own, others] = [await addProfile(testServer, minor), await addProfile(testServer, other)];
    expect(await isShown({ profileId: own.id })).toBe(false);
    const wait = { message: 'Your parent or guardian has to agree first', reason: 'verify' };
    const request = () => testServer.call(`POST /connections/request/${other.id}`, { token: minor.token, body: {} });
    for (const refused of [await request(), await writeFeedback(minor, others.id)])
      expect([refused.status, refused.body]).toEqual([403, wait]);
    await decide(minor.guardian, true);
    expect((await request()).status).toBe(201);
    expect((await writeFeedback(minor, others.id)).status).toBe(201);
    expect(await isShown({ profileId: own.id })).toBe(true);
    // A profile of later is shown too.
    expect(await isShown({ profileId: (await addProfile(testServer, minor, 1)).id })).toBe(true);
  });

  test('stays hidden until the address is confirmed too, in whichever order', async () => {
    const guardian = { email: 'mother@callboard.example' };
    const minor = await register({
      born_on: bornYearsAgo(14),
      guardian_email: guardian.email,
      terms: '1',
      privacy: '1',
    });
    const { id: profileId } = await addProfile(testServer, minor);
    await decide(guardian, true);
    expect(await isShown({ profileId })).toBe(false);
    await confirm(minor);
    expect(await isShown({ profileId })).toBe(true);
  });

  test('accepts the request that a stranger sent before', async () => {
    const [person, asker] = [await testServer.join(), await testServer.join()];
    const { id } = await addProfile(testServer, person);
    await addProfile(testServer, asker);
    const requestId = await requestConnection(testServer, asker, person);
    await change(person, id, { dob: bornYearsAgo(16) });
    expect(await getStatus(`POST /connections/accept/${requestId}`, person)).toBe(200);
  });
});

describe('age', () => {
  test('changes on the birthday in UTC, wherever the device is', async () => {
    // 2026-11-21 in UTC, when it is the 22nd in Kiritimati (UTC+14) and the 20th in Pago Pago (UTC−11) at the edges of the day.
    const treated = async (bornOn: string) => {
      const { token } = await register({ born_on: bornOn });
      return (await get<{ is_minor: boolean }>('GET /account', { token } as Person)).is_minor;
    };
    const birthday = bornYearsAgo(18);
    const [dayAfter, dayBefore] = [bornYearsAgo(18, 1), bornYearsAgo(18, -1)];
    for (const hour of ['00:00:00', '10:30:00', '23:59:59']) {
      const day = testServer.clock.now().toISOString().slice(0, 10);
      testServer.clock.advance(Date.parse(`${day}T${hour}Z`) - testServer.clock.now().getTime());
      const found = [await treated(dayBefore), await treated(birthday), await treated(dayAfter)];
      expect([hour, found]).toEqual([hour, [false, false, true]]);
    }
    testServer.clock.advance(1000);
    expect(await treated(dayAfter)).toBe(false);
  });

  test('counts as under 18 when a new account gives none, until the person says', async () => {
    const person = await register({});
    expect(person.asks).toBe('born_on');
    await confirm(person);
    const { id: profileId } = await addProfile(testServer, person);
    expect(await isShown({ profileId })).toBe(false);
    const say = (born_on: string) =>
      testServer.call<{ data: { asks: string } }>('PUT /born-on', { token: person.token, body: { born_on } });
    expect((await say('1994-08-17')).body.data.asks).toBe('consent');
    for (const document of ['terms', 'privacy'])
      await testServer.call('POST /consents', { token: person.token, body: { document, version: '1' } });
    expect(await isShown({ profileId })).toBe(true);
    // A slip can be corrected.
    expect((await say('1994-08-18')).status).toBe(200);
    const refused = await say(bornYearsAgo(0, 1));
    expect([refused.status, refused.body]).toMatchObject([422, { errors: { born_on: [expect.any(String)] } }]);
  });

  test('of an older account stays unknown until a profile or the person says it', async () => {
    const [person, friend] = [await testServer.join(), await testServer.join()];
    const { id: profileId } = await addProfile(testServer, person);
    await addProfile(testServer, friend);
    await connect(testServer, friend, person);
    expect(await isShown({ profileId })).toBe(true);
    expect(await get('GET /user', person)).toMatchObject({ asks: 'born_on' });
    await change(person, profileId, { dob: bornYearsAgo(17) });
    expect(await isShown({ profileId })).toBe(false);
    expect(await getStatus(`GET /profile/details/${profileId}`, person)).toBe(200);
    expect(await get('GET /user', person)).toMatchObject({ asks: 'guardian' });
    // An edit of the profile makes nobody an adult.
    await change(person, profileId, { dob: '1990-01-01' });
    expect(await isShown({ profileId })).toBe(false);
    const body = { born_on: '1990-01-01' };
    expect((await testServer.call('PUT /born-on', { token: person.token, body })).status).toBe(202);
    expect(await isShown({ profileId })).toBe(false);
  });

  test('of an adult who gave it is not changed by a profile', async () => {
    const person = await register();
    await confirm(person);
    const { id: profileId } = await addProfile(testServer, person);
    await change(person, profileId, { dob: bornYearsAgo(12) });
    expect(await isShown({ profileId })).toBe(true);
  });
});

describe('coming of age', () => {
  test('opens nothing by itself: the person is asked, both are told once', async () => {
    const minor = await addMinor('Mina', bornYearsAgo(18, 2));
    const { id: profileId } = await addProfile(testServer, minor);
    const ofAge = () => testServer.call<{ message: string }>('POST /of-age', { token: minor.token });
    expect((await ofAge()).status).toBe(422);
    await testServer.runJobs();
    testServer.clock.advance(3 * DAY_MS);
    const signedIn = await testServer.signIn(minor);
    for (let round = 0; round < 2; round += 1) await tellOfAge(testServer.database.db, testServer.clock.now());
    await testServer.runJobs();
    const told = testServer.mails.filter(({ kind }) => kind.startsWith('age.turned')).map(({ to }) => to);
    for (const { email } of [minor, minor.guardian]) expect(told.filter((to) => to === email)).toEqual([email]);
    expect(await isShown({ profileId })).toBe(false);
    expect(await get('GET /user', signedIn)).toMatchObject({ asks: 'of_age' });
    expect(await getStatus('POST /of-age', signedIn)).toBe(200);
    expect(await isShown({ profileId })).toBe(true);
    expect(await get('GET /account', signedIn)).toMatchObject({ is_minor: false });
    expect(await getStatus(`POST /connections/request/${minor.id}`, await testServer.join())).toBe(201);
    // The guardian has nothing to decide any more.
    expect((await decide(minor.guardian, false)).status).toBe(422);
  });
});

test('protects people whose profiles say that they are under 18 when the server starts', async () => {
  const person = await testServer.join();
  const { id: profileId } = await addProfile(testServer, person);
  // As an earlier release left it.
  await testServer.database.pool.query('update profiles set dob = $1 where id = $2', [bornYearsAgo(15), profileId]);
  expect(await isShown({ profileId })).toBe(true);
  for (let round = 0; round < 2; round += 1) await protectKnownMinors(testServer.database.db, testServer.clock.now());
  expect(await isShown({ profileId })).toBe(false);
  expect(await get('GET /account', person)).toMatchObject({ is_minor: true, born_on: bornYearsAgo(15) });
});
