import { and, count, eq, inArray, like } from 'drizzle-orm';
import { expect, test, vi } from 'vitest';
import { CALLS } from '#contract/calls.ts';
import { PROFILE_TYPES } from '#contract/profile-types.ts';
import { CROWD } from '#server/demo/crowd.ts';
import { DEMO_PEOPLE } from '#server/demo/people.ts';
import type { DemoProfile } from '#server/demo/person.ts';
import { DEMO_SIGN_IN, seedCrowd, seedDemo } from '#server/demo/seed.ts';
import { profiles, sectionRows, sessions, users } from '#server/platform/db/schema.ts';
import { useTestServer } from './support/test-server.ts';

const testServer = useTestServer();

test('creates connected demo people with industries and profiles once', async () => {
  expect(await seedDemo(testServer.app)).toBe(true);
  const { body } = await testServer.call<{ token: string }>('POST /login', { body: DEMO_SIGN_IN });
  const { token } = body;
  // The one that just signed in; the seeding leaves no session behind.
  expect((await testServer.call<object[]>('GET /sessions', { token })).body).toHaveLength(1);
  const records: { type: string; body: Record<string, unknown> | null }[] = [];
  for (let cursor = '', more = true; more;) {
    const page = await testServer.call<{ records: typeof records; cursor: string; has_more: boolean }>(
      `GET /sync${cursor && `?cursor=${cursor}`}`,
      { token },
    );
    records.push(...page.body.records);
    ({ cursor, has_more: more } = page.body);
  }
  const of = (type: string) => records.filter((each) => each.type === type).map((each) => each.body);
  const [home, ...others] = of('profile').sort((a, b) => Number(a?.['id']) - Number(b?.['id']));
  expect([home?.['stage_name'], others.length > 0]).toEqual(['Meera Kulkarni', true]);
  expect(of('connection').map((each) => [each?.['name'], each?.['status']])).toEqual([
    ['Arjun Nair', 'accepted'],
    ['Tenzin Dolma', 'accepted'],
    ['Zoya Sheikh', 'pending'],
  ]);
  expect(of('conversation').map((each) => each?.['unread_count'])).toEqual([1, 0]);
  expect(of('message').filter((each) => each?.['media'])).toHaveLength(1);
  expect(of('saved_profile').map((each) => each?.['stage_name'])).toEqual(['Zoya Sheikh']);
  const industries = await testServer.call<{ name: string; count: number }[]>('GET /filters/industry');
  expect(industries.body.find(({ name }) => name === 'Theatre')?.count).toBe(2);
  expect(await seedDemo(testServer.app)).toBe(true);
  expect((await testServer.call<object[]>('GET /profiles/all?limit=100', { token })).body).toHaveLength(5);
});

test('resumes seeding where it was stopped and creates nobody twice', async () => {
  const { app, database } = testServer;
  const { db, pool } = database;
  const people = CROWD.slice(0, 3);
  const emails = people.map(({ email }) => email);
  const getSeeded = async () =>
    db
      .select({ email: users.email, photo: profiles.photoKey, skills: count(sectionRows.id) })
      .from(users)
      .innerJoin(profiles, eq(profiles.userId, users.id))
      .leftJoin(sectionRows, and(eq(sectionRows.profileId, profiles.id), eq(sectionRows.section, 'skill')))
      .where(inArray(users.email, emails))
      .groupBy(users.email, profiles.id)
      .orderBy(profiles.id);
  const stop = new AbortController();
  const original = app.inject.bind(app);
  const inject = vi.spyOn(app, 'inject');
  let profilesMade = 0;
  inject.mockImplementation(((request: { url: string }) => {
    if (request.url === CALLS.createProfile.path) profilesMade += 1;
    // Stops while the second person has a profile but few entries.
    if (profilesMade === 2) stop.abort();
    return original(request as never);
  }) as never);
  await seedCrowd(app, pool, stop.signal, people);
  inject.mockRestore();
  expect((await getSeeded()).map(({ email }) => email)).toEqual(emails.slice(0, 2));

  for (const round of ['continued', 'repeated']) {
    await seedCrowd(app, pool, undefined, people);
    const made = await getSeeded();
    expect(
      made.map(({ email, skills }) => [email, skills]),
      round,
    ).toEqual(people.map(({ email, profiles: [profile] }) => [email, profile!.sections['skill']!.length]));
    expect(
      made.every(({ photo }) => photo !== null),
      round,
    ).toBe(true);
  }
  const left = await db.select().from(sessions).where(like(sessions.device, 'Callboard demo%'));
  expect(left).toEqual([]);
});

test('asks the demo account to tape for a role, once', async () => {
  const { body } = await testServer.call<{ token: string }>('POST /login', { body: DEMO_SIGN_IN });
  const { records } = (
    await testServer.call<{ records: { type: string; body: { role?: { name: string } } }[] }>('GET /sync', {
      token: body.token,
    })
  ).body;
  const auditions = records.filter(({ type }) => type === 'audition');
  expect(auditions.map((each) => each.body.role?.name)).toEqual(['Naseem']);
});

test('contains every profile type and groups large enough for Industry Insights', () => {
  const everyone = [...DEMO_PEOPLE, ...CROWD];
  const countBy = (read: (profile: DemoProfile) => string) => {
    const found = new Map<string, number>();
    for (const {
      profiles: [first],
    } of everyone)
      found.set(read(first!), (found.get(read(first!)) ?? 0) + 1);
    return found;
  };
  const large = (groups: Map<string, number>) => [...groups.values()].filter((people) => people >= 5).length;
  expect(everyone).toHaveLength(60);
  expect(new Set(everyone.map(({ email }) => email)).size).toBe(60);
  expect([...countBy(({ type }) => type).keys()].sort()).toEqual(PROFILE_TYPES.map(({ slug }) => slug).sort());
  expect(large(countBy(({ location }) => location))).toBeGreaterThanOrEqual(5);
  expect(large(countBy(({ industry }) => industry))).toBeGreaterThanOrEqual(5);
});
