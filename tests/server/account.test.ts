import { describe, expect, test } from 'vitest';
import { endExpiredSessions } from '#server/features/account/store.ts';
import { useTestServer } from './support/test-server.ts';

const testServer = useTestServer();
const password = 'a very long rehearsal';

test('signs up, returns the current user and revokes the token on sign-out', async () => {
  const joined = await testServer.call<{ token: string; user: object }>('POST /register', {
    body: { name: '  Zoë D’Souza ', email: ' Zoe@Callboard.Example ', password },
  });
  expect(joined.status).toBe(201);
  expect(joined.body.user).toEqual({
    id: expect.any(String),
    name: 'Zoë D’Souza',
    email: 'zoe@callboard.example',
    email_verified: false,
    must_confirm_email: true,
    pending_email: null,
    unreachable_email: null,
    role: 'person',
    is_suspended: false,
    hidden_by_desk: [],
    // Older apps, such as this caller, do not say how old a person is.
    asks: 'born_on',
  });
  const { token } = joined.body;
  expect((await testServer.call('GET /user', { token })).body).toEqual(joined.body.user);
  expect((await testServer.call('POST /logout', { token })).status).toBe(200);
  expect((await testServer.call('GET /user', { token })).status).toBe(401);
});

test('rejects an email address that is taken, ignoring case', async () => {
  const person = await testServer.join();
  const again = await testServer.call('POST /register', {
    body: { name: 'Other', email: person.email.toUpperCase(), password },
  });
  expect(again.status).toBe(422);
  expect(again.body.errors).toEqual({ email: [expect.any(String)] });
});

test('creates one account for concurrent sign-ups with the same address', async () => {
  const body = { name: 'Twin', email: 'twin@callboard.example', password };
  const answers = await Promise.all([1, 2, 3].map(() => testServer.call('POST /register', { body })));
  expect(answers.map((answer) => answer.status).sort()).toEqual([201, 422, 422]);
});

test.each([
  ['a short password', 'nine char'],
  ['a common password', 'Password123'],
  ['a common password with spaces', 'pass word 123'],
  ['a repeated pattern', 'abcabcabcabc'],
  ['a keyboard sequence', '1234567890'],
  ['the name of the person', 'Radha Menon 1'],
  ['a common password followed by a year', 'iloveyou2026'],
  ['a common password with substituted letters', 'Passw0rd!23'],
  ['a word with a year and punctuation', 'Summer2026!'],
])('rejects %s', async (_, weak) => {
  const answer = await testServer.call('POST /register', {
    body: { name: 'Radha Menon', email: 'weak@callboard.example', password: weak },
  });
  expect(answer.status).toBe(422);
  expect(Object.keys(answer.body.errors as object)).toEqual(['password']);
});

test.each([
  ['Callboard Support', 'name'],
  ['Meera \u202Eoar', 'name'],
])('rejects the name %j', async (name, field) => {
  const answer = await testServer.call('POST /register', {
    body: { name, email: 'honest@callboard.example', password },
  });
  expect([answer.status, Object.keys(answer.body.errors as object)]).toEqual([422, [field]]);
});

test('rejects a reserved stage name on create and rename and keeps an existing one', async () => {
  const person = await testServer.join();
  const { token } = person;
  const types = await testServer.call<{ id: string }[]>('GET /profile_types');
  const create = (stage_name: string) =>
    testServer.call<{ data: { id: string } }>('POST /profile', {
      token,
      body: { profile_type_id: types.body[0]?.id, stage_name },
    });
  expect((await create('Callboard Team')).status).toBe(422);
  const { data } = (await create('Meera')).body;
  const rename = (stage_name: string) =>
    testServer.call('PUT /profile/update', { token, body: { profile_id: data.id, stage_name, title: 'Actor' } });
  expect((await rename('Adm1n')).status).toBe(422);
  await testServer.database.pool.query("update profiles set stage_name = 'Admin Rao' where id = $1", [data.id]);
  expect((await rename('Admin Rao')).status).toBe(200);
});

test('takes a password of any 200 characters, and compares it exactly as it was sent', async () => {
  const exact = ` Drei Köche, 🎭 und "मीरा" im Café  ${'x'.repeat(200)}`.slice(0, 199) + ' ';
  const account = { name: 'Ila Deshpande', email: 'exact@callboard.example', password: exact };
  expect((await testServer.call('POST /register', { body: account })).status).toBe(201);
  const signIn = async (guess: string) =>
    (await testServer.call('POST /login', { body: { email: account.email, password: guess } })).status;
  expect(await signIn(exact)).toBe(200);
  const altered = [exact.trim(), exact.toLowerCase(), exact.slice(0, 72), exact.slice(0, -1), exact.normalize('NFD')];
  for (const guess of altered) expect(await signIn(guess)).toBe(422);
});

test('answers a wrong password and an unknown address alike', async () => {
  const person = await testServer.join();
  const wrong = await testServer.call('POST /login', { body: { email: person.email, password: 'not this one' } });
  const unknown = await testServer.call('POST /login', {
    body: { email: 'nobody@callboard.example', password: 'not this one' },
  });
  expect([wrong.status, unknown.status]).toEqual([422, 422]);
  expect(wrong.body).toEqual(unknown.body);
});

test('takes about as long for an unknown address as for a known one', async () => {
  const person = await testServer.join();
  const time = async (email: string) => {
    const before = process.cpuUsage();
    await testServer.call('POST /login', { body: { email, password: 'not this one' } });
    const { user, system } = process.cpuUsage(before);
    return user + system;
  };
  // Compares the cheapest of several runs, by the processor time that hashing takes: a busy machine delays a response, but makes none cheaper.
  const known: number[] = [];
  const unknown: number[] = [];
  for (let round = 0; round < 9; round += 1) {
    known.push(await time(person.email));
    unknown.push(await time('nobody@callboard.example'));
  }
  expect(Math.min(...unknown)).toBeGreaterThan(Math.min(...known) / 2);
  expect(Math.min(...unknown)).toBeLessThan(Math.min(...known) * 2);
});

test('lists devices with their pending count and ends a session immediately', async () => {
  const person = await testServer.join();
  const phone = await testServer.call<{ token: string }>('POST /login', {
    body: { email: person.email, password: person.password },
    headers: { 'user-agent': 'Mozilla/5.0 (Linux; Android 16) AppleWebKit/537.36 Chrome/140.0 Mobile Safari/537.36' },
  });
  await testServer.call('GET /user', { token: phone.body.token, headers: { 'x-pending': '3' } });
  const list = await testServer.call<Record<string, unknown>[]>('GET /sessions', { token: person.token });
  expect(list.body).toHaveLength(2);
  const other = list.body.find((session) => !session.current);
  expect(other).toMatchObject({ device: 'Chrome on Android', pending: 3 });
  expect((await testServer.call(`DELETE /sessions/${String(other?.id)}`, { token: person.token })).status).toBe(200);
  expect((await testServer.call('GET /user', { token: phone.body.token })).status).toBe(401);
  expect((await testServer.call('GET /user', { token: person.token })).status).toBe(200);
});

describe('a session', () => {
  const DAY_MS = 24 * 60 * 60_000;
  const getStatus = async (token: string) => (await testServer.call('GET /user', { token })).status;

  test('expires after 90 days without use', async () => {
    const person = await testServer.join();
    testServer.clock.advance(89 * DAY_MS);
    expect(await getStatus(person.token)).toBe(200);
    testServer.clock.advance(90 * DAY_MS + 1);
    const answer = await testServer.call('GET /user', { token: person.token });
    expect([answer.status, answer.body]).toEqual([401, { message: expect.any(String) }]);
  });

  test('expires after a year of continuous use', async () => {
    const person = await testServer.join();
    for (let days = 0; days < 360; days += 60) {
      testServer.clock.advance(60 * DAY_MS);
      expect(await getStatus(person.token)).toBe(200);
    }
    testServer.clock.advance(6 * DAY_MS);
    expect(await getStatus(person.token)).toBe(401);
  });

  test('is removed from the database after it expires', async () => {
    const [old, fresh] = [await testServer.join(), await testServer.join()];
    testServer.clock.advance(80 * DAY_MS);
    await getStatus(fresh.token);
    testServer.clock.advance(11 * DAY_MS);
    await endExpiredSessions(testServer.database.db, testServer.clock.now());
    const left = await testServer.database.pool.query('select user_id from sessions where user_id in ($1, $2)', [
      old.id,
      fresh.id,
    ]);
    expect(left.rows).toEqual([{ user_id: fresh.id }]);
  });

  test('is ended when it is the oldest of more than 30', async () => {
    const person = await testServer.join();
    const signIn = async () => {
      testServer.clock.advance(1000);
      const { email, password: word } = person;
      return (await testServer.call<{ token: string }>('POST /login', { body: { email, password: word } })).body.token;
    };
    const second = await signIn();
    for (let n = 0; n < 28; n += 1) await signIn();
    expect(await getStatus(person.token)).toBe(200);
    await signIn();
    expect(await getStatus(person.token)).toBe(401);
    expect(await getStatus(second)).toBe(200);
    expect((await testServer.call('GET /sessions', { token: second })).body).toHaveLength(30);
  });

  test('answers a repeated sign-out like an unknown token', async () => {
    const { token } = await testServer.join();
    expect((await testServer.call('POST /logout', { token })).status).toBe(200);
    const again = await testServer.call('POST /logout', { token });
    const unknown = await testServer.call('POST /logout', { token: 'a-token-that-never-was-one' });
    expect([again.status, again.body]).toEqual([401, { message: expect.any(String) }]);
    expect([unknown.status, unknown.body]).toEqual([again.status, again.body]);
    expect(again.headers['content-type']).toContain('application/json');
  });
});

test('stores no readable password or token', async () => {
  const person = await testServer.join();
  const { rows } = await testServer.database.pool.query(
    'select u::text as person, s::text as session from users u join sessions s on s.user_id = u.id',
  );
  const everything = JSON.stringify(rows);
  expect(everything).not.toContain(person.token);
  expect(everything).not.toContain(person.password);
  expect(everything).toContain('$argon2id$');
});

test.each([
  ['Meera Rao', /^meera-rao$/],
  ['Meera  Rao', /^meera-rao-2$/],
  ['Experience', /^performer-experience$/],
  ['Update', /^performer-update$/],
  ['मीरा', /^performer(-\d+)?$/],
  ['12', /^performer-12$/],
])('gives %s a unique, valid slug', async (name, slug) => {
  const person = await testServer.join(name);
  const types = await testServer.call<{ id: string; slug: string }[]>('GET /profile_types');
  const made = await testServer.call<{ data: { slug: string } }>('POST /profile', {
    token: person.token,
    body: { profile_type_id: types.body[0]?.id, stage_name: name },
  });
  expect(made.body.data.slug).toMatch(slug);
  const found = await testServer.call(`GET /profiles/by-slug/${made.body.data.slug}/${types.body[0]?.slug}`);
  expect(found.status).toBe(200);
});
