import { describe, expect, test } from 'vitest';
import type { SignedIn } from '#contract/records/account.ts';
import type {
  ChallengeRecord,
  PasskeyRecord,
  RemainingPasskeys,
  ReauthOptionsRecord,
} from '#contract/records/sign-in.ts';
import { deleteOldChallenges } from '#server/features/account/challenges.ts';
import { TestAuthenticator } from './support/authenticator.ts';
import { openTestServer, TEST_HOME, useTestServer, type Person } from './support/test-server.ts';

const testServer = useTestServer({ env: { PUBLIC_URL: TEST_HOME } });
const MINUTE_MS = 60_000;
const REMOVED = { passkey: ['This passkey was removed. Use another way to sign in.'] };
const EXPIRED = { challenge_id: ['That took too long. Try again.'] };

type Errors = { errors?: Record<string, string[]> };
const post = <T>(path: string, token: string | null, body?: object) =>
  testServer.call<T & Errors>(`POST ${path}`, { token, ...(body && { body }) });
const getStatus = async (token: string) => (await testServer.call('GET /user', { token })).status;

async function ask(path: string, token: string | null): Promise<ChallengeRecord> {
  const answer = await post<ChallengeRecord>(path, token);
  expect(answer.status).toBe(200);
  return answer.body;
}
const askToAdd = ({ token }: Pick<Person, 'token'>) => ask('/passkeys/options', token);
const askToSignIn = () => ask('/login/passkey/options', null);

/** Adds the authenticator's passkey to a person. */
async function add(person: Person, passkey = new TestAuthenticator(TEST_HOME)): Promise<TestAuthenticator> {
  const answer = await post<{ data: PasskeyRecord }>('/passkeys', person.token, passkey.create(await askToAdd(person)));
  expect(answer.status, JSON.stringify(answer.body)).toBe(201);
  return passkey;
}
const signIn = async (passkey: TestAuthenticator) =>
  post<SignedIn>('/login/passkey', null, passkey.get(await askToSignIn()));
const list = async ({ token }: Person) => (await testServer.call<PasskeyRecord[]>('GET /passkeys', { token })).body;
const remove = ({ token }: Person, id: string, body = {}) =>
  testServer.call<{ data: RemainingPasskeys; message: string } & Errors>(`DELETE /passkeys/${id}`, { token, body });

async function readMails({ email }: Person, kind: string) {
  await testServer.runJobs();
  return testServer.mails.filter((mail) => mail.to === email && mail.kind === kind);
}

describe('a passkey', () => {
  test('is added, told by mail, and signs in without a name', async () => {
    const person = await testServer.join();
    const passkey = await add(person);
    expect(await list(person)).toEqual([
      {
        id: passkey.id,
        name: 'Unknown device',
        created_at: testServer.clock.now().toISOString(),
        last_used_at: null,
        synced: true,
      },
    ]);
    expect((await readMails(person, 'passkey.added'))[0]?.text).toContain('Unknown device');
    testServer.clock.advance(MINUTE_MS);
    const answer = await signIn(passkey);
    expect([answer.status, answer.body.user.email]).toEqual([200, person.email]);
    expect(await getStatus(answer.body.token)).toBe(200);
    expect((await list(person))[0]?.last_used_at).toBe(testServer.clock.now().toISOString());
    const { rows } = await testServer.database.pool.query(
      'select method from sessions where user_id = $1 order by id',
      [person.id],
    );
    expect(rows).toEqual([{ method: 'password' }, { method: 'passkey' }]);
    expect(await readMails(person, 'signin.new')).toHaveLength(1);
  });

  test('is asked for with a screen lock, and none twice on one device', async () => {
    const person = await testServer.join();
    const passkey = await add(person);
    const { options } = await askToAdd(person);
    expect(options).toMatchObject({
      rp: { id: 'callboard.example', name: 'Callboard' },
      attestation: 'none',
      authenticatorSelection: { residentKey: 'required', userVerification: 'required' },
      excludeCredentials: [{ id: passkey.id }],
    });
    expect((options['user'] as { id: string }).id).toBe(passkey.userHandle);
    expect(JSON.stringify(await askToSignIn())).not.toContain(passkey.id);
    const again = await post('/passkeys', person.token, passkey.create(await askToAdd(person)));
    expect([again.status, Object.keys(again.body.errors!)]).toEqual([422, ['response']]);
    expect(await list(person)).toHaveLength(1);
  });

  test.each([
    ['of another host', () => new TestAuthenticator('https://callboard.evil')],
    ['of another port', () => new TestAuthenticator(`${TEST_HOME}:8443`)],
    ['without a screen lock', () => new TestAuthenticator(TEST_HOME, { isVerified: false })],
  ])('is refused when it is made by a page or device %s', async (_, make) => {
    const person = await testServer.join();
    const passkey = make();
    const added = await post('/passkeys', person.token, passkey.create(await askToAdd(person)));
    expect([added.status, Object.keys(added.body.errors!)]).toEqual([422, ['response']]);
    expect(await list(person)).toEqual([]);
  });

  test.each([
    ['another host', (passkey: TestAuthenticator) => Object.assign(passkey, { origin: 'https://callboard.evil' })],
    ['another port', (passkey: TestAuthenticator) => Object.assign(passkey, { origin: `${TEST_HOME}:8443` })],
    ['another relying party', (passkey: TestAuthenticator) => Object.assign(passkey, { rpId: 'callboard.evil' })],
    ['another user', (passkey: TestAuthenticator) => Object.assign(passkey, { userHandle: 'c29tZWJvZHk' })],
  ])('signs nobody in from %s', async (_, change) => {
    const passkey = change(await add(await testServer.join()));
    const answer = await signIn(passkey);
    expect([answer.status, Object.keys(answer.body.errors!)]).toEqual([422, ['response']]);
  });

  test('signs nobody in with a signature of another key', async () => {
    const passkey = await add(await testServer.join());
    const forger = Object.assign(new TestAuthenticator(TEST_HOME), { userHandle: passkey.userHandle });
    const asked = await askToSignIn();
    const { id } = passkey;
    const forged = forger.get(asked);
    const body = { ...forged, response: { ...forged.response, id, rawId: id } };
    expect((await post('/login/passkey', null, body)).status).toBe(422);
  });

  test('belongs to one person: nobody else can see, rename, remove or use it', async () => {
    const [person, stranger] = [await testServer.join(), await testServer.join('Stranger')];
    const passkey = await add(person);
    await add(stranger);
    expect((await list(stranger)).map(({ id }) => id)).not.toContain(passkey.id);
    const rename = await testServer.call(`PATCH /passkeys/${passkey.id}`, {
      token: stranger.token,
      body: { name: 'Mine' },
    });
    expect([rename.status, (await remove(stranger, passkey.id)).status]).toEqual([404, 404]);
    const { challenge } = (await post<ReauthOptionsRecord>('/reauth/options', stranger.token)).body;
    const answer = await post('/reauth', stranger.token, passkey.get(challenge!));
    expect([answer.status, answer.body.errors]).toEqual([422, REMOVED]);
    const taken = await post('/passkeys', stranger.token, passkey.create(await askToAdd(stranger)));
    expect(taken.status).toBe(422);
    expect((await list(person)).map(({ id, name }) => [id, name])).toEqual([[passkey.id, 'Unknown device']]);
  });

  test('is renamed', async () => {
    const person = await testServer.join();
    const { id } = await add(person);
    const rename = (name: string) =>
      testServer.call<Errors>(`PATCH /passkeys/${id}`, { token: person.token, body: { name } });
    expect((await rename('  Studio laptop ')).status).toBe(200);
    expect((await list(person))[0]?.name).toBe('Studio laptop');
    for (const name of ['', 'x'.repeat(51)]) expect((await rename(name)).body.errors).toHaveProperty('name');
  });

  test('is removed, told by mail, and then signs nobody in', async () => {
    const person = await testServer.join();
    const [gone, left] = [await add(person), await add(person)];
    const answer = await remove(person, gone.id);
    expect([answer.status, answer.body.data]).toEqual([
      200,
      { rp_id: 'callboard.example', user_handle: gone.userHandle, credential_ids: [left.id] },
    ]);
    expect(await readMails(person, 'passkey.removed')).toHaveLength(1);
    const refused = await signIn(gone);
    expect([refused.status, refused.body.errors]).toEqual([422, REMOVED]);
    expect((await signIn(left)).status).toBe(200);
  });

  test('is removed together with the other sessions if the person wants that', async () => {
    const person = await testServer.join();
    const [first, second] = [await add(person), await add(person)];
    const other = await testServer.signIn(person);
    await remove(person, first.id);
    expect(await getStatus(other.token)).toBe(200);
    await remove(person, second.id, { sign_out_others: true });
    expect([await getStatus(other.token), await getStatus(person.token)]).toEqual([401, 200]);
  });

  test('stays when it is the only way to sign in', async () => {
    const person = await testServer.join();
    const [first, last] = [await add(person), await add(person)];
    await testServer.database.pool.query('update users set password_hash = null where id = $1', [person.id]);
    expect((await remove(person, first.id)).status).toBe(200);
    const answer = await remove(person, last.id);
    expect([answer.status, answer.body.message]).toEqual([422, expect.stringContaining('only way to sign in')]);
    expect((await signIn(last)).status).toBe(200);
  });

  test('stays one of two when two devices remove the last two at the same moment', async () => {
    const person = await testServer.join();
    const both = [await add(person), await add(person)];
    await testServer.database.pool.query('update users set password_hash = null where id = $1', [person.id]);
    const answers = await Promise.all(both.map(({ id }) => remove(person, id)));
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 422]);
    expect(await list(person)).toHaveLength(1);
  });

  test('is the twentieth and last', async () => {
    const person = await testServer.join();
    for (let n = 0; n < 20; n += 1) await add(person);
    const answer = await post('/passkeys/options', person.token);
    expect([answer.status, answer.body]).toEqual([422, { message: expect.stringContaining('20 passkeys') }]);
  });
});

describe('a challenge', () => {
  test('works once', async () => {
    const passkey = await add(await testServer.join());
    const asked = await askToSignIn();
    expect((await post('/login/passkey', null, passkey.get(asked))).status).toBe(200);
    const again = await post('/login/passkey', null, passkey.get(asked));
    expect([again.status, again.body.errors]).toEqual([422, EXPIRED]);
  });

  test('works once for two requests at the same moment', async () => {
    const passkey = await add(await testServer.join());
    const body = passkey.get(await askToSignIn());
    const answers = await Promise.all([1, 2, 3].map(() => post('/login/passkey', null, body)));
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 422, 422]);
  });

  test('works for five minutes, and is then removed', async () => {
    const passkey = await add(await testServer.join());
    const asked = await askToSignIn();
    testServer.clock.advance(5 * MINUTE_MS);
    expect((await post('/login/passkey', null, passkey.get(asked))).body.errors).toEqual(EXPIRED);
    const { db, pool } = testServer.database;
    await deleteOldChallenges(db, testServer.clock.now());
    expect((await pool.query('select 1 from challenges')).rows).toEqual([]);
  });

  test('works only for what it was made for, and for whom', async () => {
    const [person, stranger] = [await testServer.join(), await testServer.join()];
    const passkey = await add(person);
    const toAdd = await askToAdd(person);
    expect((await post('/login/passkey', null, passkey.get(toAdd))).body.errors).toEqual(EXPIRED);
    const fresh = new TestAuthenticator(TEST_HOME);
    const ofOther = await post('/passkeys', stranger.token, fresh.create(await askToAdd(person)));
    expect(ofOther.body.errors).toEqual(EXPIRED);
    const otherSession = await testServer.signIn(person);
    const elsewhere = await post('/passkeys', otherSession.token, fresh.create(await askToAdd(person)));
    expect(elsewhere.body.errors).toEqual(EXPIRED);
  });

  test('is not answered by the signature of another', async () => {
    const passkey = await add(await testServer.join());
    const [one, other] = [await askToSignIn(), await askToSignIn()];
    const body = { ...passkey.get(one), challenge_id: other.challenge_id };
    const answer = await post('/login/passkey', null, body);
    expect([answer.status, Object.keys(answer.body.errors!)]).toEqual([422, ['response']]);
  });
});

describe('the counter of a passkey', () => {
  test('may not fall on a device that keeps its passkeys to itself: the sign-in is refused and told by mail', async () => {
    const person = await testServer.join();
    const passkey = await add(person, new TestAuthenticator(TEST_HOME, { isSynced: false }));
    expect((await list(person))[0]?.synced).toBe(false);
    expect((await signIn(passkey)).status).toBe(200);
    passkey.counter = 0;
    const refused = await signIn(passkey);
    expect([refused.status, Object.keys(refused.body.errors!)]).toEqual([422, ['response']]);
    expect(await readMails(person, 'passkey.refused')).toHaveLength(1);
    passkey.counter = 5;
    expect((await signIn(passkey)).status).toBe(200);
  });

  test('may jump and fall on one that is synced', async () => {
    const passkey = await add(await testServer.join());
    for (const counter of [7, 0, 3]) {
      passkey.counter = counter;
      expect((await signIn(passkey)).status).toBe(200);
    }
  });
});

describe('proving who one is', () => {
  test('works with a passkey, and gives a new token', async () => {
    const person = await testServer.join();
    const passkey = await add(person);
    testServer.clock.advance(5 * MINUTE_MS);
    expect((await remove(person, passkey.id)).status).toBe(403);
    expect((await post('/passkeys/options', person.token)).status).toBe(403);
    const asked = (await post<ReauthOptionsRecord>('/reauth/options', person.token)).body;
    expect(asked.ways).toEqual({ password: true, passkeys: 1 });
    expect(asked.challenge?.options).toMatchObject({
      allowCredentials: [{ id: passkey.id, transports: ['internal'] }],
    });
    const proven = await post<SignedIn>('/reauth', person.token, passkey.get(asked.challenge!));
    expect(proven.status).toBe(200);
    expect((await remove({ ...person, token: proven.body.token }, passkey.id)).status).toBe(200);
  });

  test('is needed again for a passkey that is answered too late', async () => {
    const person = await testServer.join();
    const passkey = new TestAuthenticator(TEST_HOME);
    testServer.clock.advance(4 * MINUTE_MS);
    const body = passkey.create(await askToAdd(person));
    testServer.clock.advance(MINUTE_MS);
    const late = await testServer.call('POST /passkeys', { token: person.token, body });
    expect([late.status, late.body.reason]).toEqual([403, 'reauth']);
  });

  test('offers no passkey to a person without one', async () => {
    const { token } = await testServer.join();
    const asked = await post<ReauthOptionsRecord>('/reauth/options', token);
    expect(asked.body).toEqual({ ways: { password: true, passkeys: 0 }, challenge: null });
  });
});

describe('taking an account back', () => {
  async function reset(person: Person): Promise<void> {
    await post('/password/forgot', null, { email: person.email });
    const token = (await readMails(person, 'reset')).at(-1)!.url.split('#t=')[1];
    expect((await post('/password/reset', null, { token, password: 'the prompter never sleeps' })).status).toBe(200);
  }

  test('by a link removes passkeys and codes from before the address was confirmed', async () => {
    const person = await testServer.join();
    const passkey = await add(person);
    await post('/recovery-codes', person.token);
    await reset(person);
    expect((await signIn(passkey)).body.errors).toEqual(REMOVED);
    const { rows } = await testServer.database.pool.query('select 1 from recovery_codes where user_id = $1', [
      person.id,
    ]);
    expect(rows).toEqual([]);
  });

  test('by a link keeps passkeys that were added after the address was confirmed', async () => {
    const person = await testServer.join();
    const early = await add(person);
    testServer.clock.advance(MINUTE_MS);
    await post('/email/verify/send', person.token);
    const token = (await readMails(person, 'verify')).at(-1)!.url.split('#t=')[1];
    await post('/email/verify', null, { token });
    const late = await add(person);
    await reset(person);
    expect([(await signIn(early)).status, (await signIn(late)).status]).toEqual([422, 200]);
  });

  test('by the link in the mail about a new passkey removes it', async () => {
    const person = await testServer.join();
    const own = await add(person);
    const foreign = await add(person);
    const mail = (await readMails(person, 'passkey.added')).at(-1)!;
    const token = mail.url.split('#t=')[1];
    expect((await post('/secure', null, { token })).status).toBe(200);
    expect(await getStatus(person.token)).toBe(401);
    expect([(await signIn(foreign)).status, (await signIn(own)).status]).toEqual([422, 200]);
  });
});

describe('mails about passkeys and recovery codes', () => {
  const limited = useTestServer({ env: { RATE_LIMIT_SCALE: '1', PUBLIC_URL: TEST_HOME } });

  const addTo = async ({ token }: Person, passkey = new TestAuthenticator(TEST_HOME)) => {
    const asked = await limited.call<ChallengeRecord>('POST /passkeys/options', { token });
    const added = await limited.call('POST /passkeys', { token, body: passkey.create(asked.body) });
    expect(added.status).toBe(201);
    return passkey;
  };
  const removeFrom = async ({ token }: Person, id: string) =>
    (await limited.call(`DELETE /passkeys/${id}`, { token, body: {} })).status;
  const countMails = async ({ email }: Person) => {
    await limited.runJobs();
    return limited.mails.filter(({ to }) => to === email).length;
  };

  test('are five an hour, whatever they are about, and further changes succeed without a word', async () => {
    const person = await limited.join();
    for (let n = 0; n < 2; n += 1) expect(await removeFrom(person, (await addTo(person)).id)).toBe(200);
    const { token } = person;
    const made = await limited.call<{ codes: string[] }>('POST /recovery-codes', { token });
    expect([made.status, await countMails(person)]).toEqual([201, 5]);
    await addTo(person);
    const body = { email: person.email, code: made.body.codes[0] };
    expect((await limited.call('POST /login/recovery', { body })).status).toBe(200);
    expect(await countMails(person)).toBe(5);
  });

  test('about a copied passkey count as well', async () => {
    const person = await limited.join();
    const passkey = await addTo(person, new TestAuthenticator(TEST_HOME, { isSynced: false }));
    const signInWith = async (counter: number) => {
      passkey.counter = counter;
      const asked = await limited.call<ChallengeRecord>('POST /login/passkey/options');
      return (await limited.call('POST /login/passkey', { body: passkey.get(asked.body) })).status;
    };
    expect(await signInWith(5)).toBe(200);
    for (let n = 0; n < 6; n += 1) expect(await signInWith(0)).toBe(422);
    await limited.runJobs();
    const kinds = limited.mails.filter(({ to }) => to === person.email).map(({ kind }) => kind);
    expect(kinds.filter((kind) => kind === 'passkey.refused')).toHaveLength(4);
  });

  test('are not used up by changes that are refused', async () => {
    const person = await limited.join();
    for (let n = 0; n < 6; n += 1) expect(await removeFrom(person, 'unknown')).toBe(404);
    await addTo(person);
    expect(await countMails(person)).toBe(1);
  });
});

describe('limits', () => {
  test('count refused passkeys of a network, and not good ones', async () => {
    const server = await openTestServer({ env: { RATE_LIMIT_SCALE: '0.05', PUBLIC_URL: TEST_HOME } });
    try {
      const unknown = Object.assign(new TestAuthenticator(TEST_HOME), { userHandle: 'bm9ib2R5' });
      const statuses: number[] = [];
      for (let n = 0; n < 6; n += 1) {
        const asked = await server.call<ChallengeRecord>('POST /login/passkey/options');
        statuses.push((await server.call('POST /login/passkey', { body: unknown.get(asked.body) })).status);
      }
      expect(statuses).toEqual([422, 422, 422, 422, 422, 429]);
    } finally {
      await server.close();
    }
  });
});

describe('the address', () => {
  test('is localhost when the operator has set none, and passkeys are not offered elsewhere', async () => {
    const server = await openTestServer();
    try {
      const at = (host: string) => server.call<ChallengeRecord>('POST /login/passkey/options', { headers: { host } });
      expect((await at('localhost:3000')).body.options).toMatchObject({ rpId: 'localhost' });
      expect((await at('127.0.0.1:3000')).status).toBe(404);
      expect((await at('callboard.evil')).status).toBe(404);
      const { token } = await server.join();
      const elsewhere = await server.call('DELETE /passkeys/unknown', { token, headers: { host: '127.0.0.1:3000' } });
      expect(elsewhere.body.message).toBe('This passkey no longer exists, or you can’t see it');
      const asked = await server.call<ChallengeRecord>('POST /passkeys/options', { token });
      // The page of another port on the same machine passes its own address on.
      const passkey = new TestAuthenticator('http://localhost:4000');
      const headers = { host: 'localhost:4000' };
      expect((await server.call('POST /passkeys', { token, headers, body: passkey.create(asked.body) })).status).toBe(
        422,
      );
    } finally {
      await server.close();
    }
  });
});
