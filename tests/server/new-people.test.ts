import { describe, expect, test } from 'vitest';
import type { SignedIn, User } from '#contract/records/account.ts';
import type { Profile } from '#contract/records/profile.ts';
import type { SyncPage } from '#contract/records/sync.ts';
import { sectionOf } from '#contract/sections/index.ts';
import { ADULT } from '../support/adult.ts';
import { mailboxOf } from './support/mailbox.ts';
import { addCredit, addPhoto, addProfile } from './support/people.ts';
import { openTestServer, useTestServer, type Person } from './support/test-server.ts';

const testServer = useTestServer();
const { readToken } = mailboxOf(testServer);

async function register(on = testServer): Promise<Person> {
  const details = {
    name: 'Noor Rahman',
    email: `noor-${Math.random()}@callboard.example`,
    password: 'the prompter never sleeps',
  };
  const { body } = await on.call<SignedIn>('POST /register', { body: { ...details, ...ADULT } });
  return { ...details, id: body.user.id, token: body.token };
}

const confirm = async (person: Person) =>
  testServer.call('POST /email/verify', { body: { token: await readToken(person, 'verify') } });
const statusOf = async (request: string, { token }: Partial<Person> = {}, body?: object) =>
  (await testServer.call(request, { ...(token && { token }), ...(body && { body }) })).status;

describe('a new person who has not confirmed the address', () => {
  test('is seen by nobody else, and by everybody at once after the confirmation', async () => {
    const [person, other] = [await register(), await testServer.join()];
    const { id } = await addProfile(testServer, person, 0, 'Nila of the Lanterns');
    await addCredit(testServer, person, id);
    const photo = await addPhoto(testServer, person, id);
    const calls = [`GET /profile/details/${id}`, `GET /profile/experiences/${id}`, `GET ${photo.path}`];
    const readAll = async () => {
      const statuses: number[] = [];
      for (const call of calls) for (const viewer of [other, {}]) statuses.push(await statusOf(call, viewer));
      const found = await testServer.call<{ id: string }[]>('GET /search?q=lanterns', { token: other.token });
      const others = await testServer.call<object[]>(`GET /profiles/shared/all/${person.id}`, { token: other.token });
      return { statuses: [...new Set(statuses)], found: found.body.map((row) => row.id), listed: others.body.length };
    };
    for (const call of calls) expect([call, await statusOf(call, person)]).toEqual([call, 200]);
    const before = await readAll();
    expect(before).toEqual({ statuses: [404], found: [], listed: 0 });
    expect((await confirm(person)).status).toBe(200);
    expect(await readAll()).toEqual({ statuses: [200], found: [id], listed: 1 });
    // A profile of later is shown too.
    const later = await addProfile(testServer, person, 1);
    expect(await statusOf(`GET /profile/details/${later.id}`)).toBe(200);
  });

  test('may save a profile, and its owner hears of it only from people who may reach them', async () => {
    const [person, owner] = [await register(), await testServer.join()];
    const { id } = await addProfile(testServer, owner);
    const news = async () =>
      (await testServer.call<SyncPage>('GET /sync', { token: owner.token })).body.records.filter(
        ({ type, body }) => type === 'notification' && body !== null,
      ).length;
    expect(await statusOf(`POST /profile/${id}/save`, person)).toBe(200);
    expect(await news()).toBe(0);
    await confirm(person);
    expect(await statusOf(`POST /profile/${id}/unsave`, person)).toBe(200);
    expect(await statusOf(`POST /profile/${id}/save`, person)).toBe(200);
    expect(await news()).toBe(1);
  });

  test('reads on the own profile that only they see it, until the confirmation', async () => {
    const person = await register();
    const { id } = await addProfile(testServer, person);
    const readOwn = async () =>
      (await testServer.call<Profile>(`GET /profile/details/${id}`, { token: person.token })).body.is_withheld;
    expect(await readOwn()).toBe(true);
    const before = await testServer.call<SyncPage>('GET /sync', { token: person.token });
    await confirm(person);
    expect(await readOwn()).toBeUndefined();
    // The person's devices hear of it.
    const after = await testServer.call<SyncPage>(`GET /sync?cursor=${before.body.cursor}`, { token: person.token });
    expect(after.body.records).toContainEqual(expect.objectContaining({ type: 'profile', id }));
  });

  test('reaches nobody: requests and feedback wait for the confirmation', async () => {
    const [person, other] = [await register(), await testServer.join()];
    const profile = await addProfile(testServer, other);
    const { endpoints, example } = sectionOf('feedback')!;
    const writes = [
      [`POST /connections/request/${other.id}`, { message: 'Hello' }],
      [`POST ${endpoints.create!.path}`, { ...example, profile_id: profile.id }],
    ] as const;
    for (const [request, body] of writes) {
      const refused = await testServer.call(request, { token: person.token, body });
      expect([refused.status, refused.body]).toEqual([
        403,
        { message: 'Confirm your e-mail address first', reason: 'verify' },
      ]);
    }
    await confirm(person);
    for (const [request, body] of writes) expect(await statusOf(request, person, body)).toBe(201);
  });

  test('keeps what they write for themselves', async () => {
    const person = await register();
    const { id } = await addProfile(testServer, person);
    await addCredit(testServer, person, id);
    expect(await statusOf(`GET /profile/experiences/${id}`, person)).toBe(200);
    const { body } = await testServer.call<User>('GET /user', { token: person.token });
    expect(body).toMatchObject({ email_verified: false, must_confirm_email: true });
  });

  test('is shown with a profile that is created while the address is confirmed', async () => {
    for (let round = 0; round < 5; round += 1) {
      const person = await register();
      const token = await readToken(person, 'verify');
      const [profile, confirmed] = await Promise.all([
        addProfile(testServer, person),
        testServer.call('POST /email/verify', { body: { token } }),
      ]);
      expect(confirmed.status).toBe(200);
      expect(await statusOf(`GET /profile/details/${profile.id}`)).toBe(200);
    }
  });

  test('is shown at once on a server that asks for no confirmation', async () => {
    const server = await openTestServer({ env: { CONFIRM_EMAIL: '0' } });
    try {
      const { id } = await addProfile(server, await register(server));
      expect((await server.call(`GET /profile/details/${id}`)).status).toBe(200);
    } finally {
      await server.close();
    }
  });
});

test('a person of before keeps being seen without a confirmation', async () => {
  const [person, other] = [await testServer.join(), await testServer.join()];
  const { id } = await addProfile(testServer, person);
  expect(await statusOf(`GET /profile/details/${id}`)).toBe(200);
  await addProfile(testServer, other);
  expect(await statusOf(`POST /connections/request/${other.id}`, person, {})).toBe(201);
});
