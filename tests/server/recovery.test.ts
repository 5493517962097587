import { describe, expect, test } from 'vitest';
import type { SignedIn } from '#contract/records/account.ts';
import { createResetPath, OPERATOR_LINK_MINUTES } from '#server/features/account/reset.ts';
import { queueMail } from '#server/features/mail/queue.ts';
import { tidyMails } from '#server/features/mail/send.ts';
import { ACCOUNT_DELETED } from '#server/features/mail/templates/account-deleted.ts';
import { mailboxOf } from './support/mailbox.ts';
import { openTestServer, TEST_HOME, useTestServer, type Person } from './support/test-server.ts';

const testServer = useTestServer();
const { readMails, readToken } = mailboxOf(testServer);
const NEW = 'the prompter never sleeps';
const MINUTE_MS = 60_000;
const DAY_MS = 24 * 60 * MINUTE_MS;
const BROKEN = { token: ['This link no longer works. Ask for a new one.'] };

const post = (path: string, body: object, on = testServer) =>
  on.call<SignedIn & { errors?: Record<string, string[]> }>(`POST ${path}`, { body });
const getStatus = async (token: string) => (await testServer.call('GET /user', { token })).status;
const signIn = ({ email }: Person, password: string) => post('/login', { email, password });
const isVerified = async (token: string) =>
  (await testServer.call<{ email_verified: boolean }>('GET /user', { token })).body.email_verified;

async function askForReset(person: Person): Promise<string> {
  expect((await post('/password/forgot', { email: person.email })).status).toBe(202);
  return readToken(person, 'reset');
}

describe('a forgotten password', () => {
  test('is answered the same for every address, and only the person gets a link', async () => {
    const person = await testServer.join();
    const known = await post('/password/forgot', { email: ` ${person.email.toUpperCase()} ` });
    const unknown = await post('/password/forgot', { email: 'nobody@callboard.example' });
    expect([known.status, known.body]).toEqual([202, unknown.body]);
    expect(await readMails(person, 'reset')).toHaveLength(1);
    expect(await readMails({ email: 'nobody@callboard.example' }, 'reset')).toHaveLength(0);
    expect(testServer.mails.at(-1)?.url).toMatch(new RegExp(`^${TEST_HOME}/reset#t=`));
  });

  test('is replaced with the link, which ends all sessions, signs in and confirms the address', async () => {
    const person = await testServer.join();
    expect(await isVerified(person.token)).toBe(false);
    const token = await askForReset(person);
    const checked = await post('/links/check', { token, purpose: 'reset' });
    expect(checked.body).toEqual({ email: person.email, expires_at: '2026-11-21T09:30:00.000Z' });
    const done = await post('/password/reset', { token, password: NEW });
    expect([done.status, done.body.user.email_verified]).toEqual([200, true]);
    expect([await getStatus(person.token), await getStatus(done.body.token)]).toEqual([401, 200]);
    expect([(await signIn(person, person.password)).status, (await signIn(person, NEW)).status]).toEqual([422, 200]);
    expect(await readMails(person, 'password.changed')).toHaveLength(1);
  });

  test('keeps the link when the new password is refused', async () => {
    const person = await testServer.join();
    const token = await askForReset(person);
    for (const password of ['short', 'Password123', person.email]) {
      const refused = await post('/password/reset', { token, password });
      expect([refused.status, Object.keys(refused.body.errors ?? {})]).toEqual([422, ['password']]);
    }
    expect((await post('/password/reset', { token, password: NEW })).status).toBe(200);
  });

  test('has links that work once, and end with each other', async () => {
    const person = await testServer.join();
    const [first, second] = [await askForReset(person), await askForReset(person)];
    expect((await post('/password/reset', { token: second, password: NEW })).status).toBe(200);
    for (const token of [first, second]) {
      const again = await post('/password/reset', { token, password: 'a lantern under the stairs' });
      expect([again.status, again.body.errors]).toEqual([422, BROKEN]);
      expect((await post('/links/check', { token, purpose: 'reset' })).body.errors).toEqual(BROKEN);
    }
    expect((await signIn(person, NEW)).status).toBe(200);
  });

  test('is replaced once by two people who use the link at the same moment', async () => {
    const person = await testServer.join();
    const token = await askForReset(person);
    const passwords = ['the first new one', 'the second new one'];
    const answers = await Promise.all(passwords.map((password) => post('/password/reset', { token, password })));
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 422]);
  });

  test.each([
    ['is too old', async (token: string) => (testServer.clock.advance(30 * MINUTE_MS), token)],
    ['is cut off', async (token: string) => token.slice(0, -1)],
    ['is invented', async () => 'A'.repeat(43)],
    [
      'was sent to an address that is no longer the person’s',
      async (token: string, { id }: Person) => {
        await testServer.database.pool.query(`update users set email = 'other' || id where id = $1`, [id]);
        return token;
      },
    ],
    ['is for something else', async (_: string, person: Person) => confirmationToken(person)],
  ])('stays when the link %s', async (_, change) => {
    const person = await testServer.join();
    const token = await change(await askForReset(person), person);
    const answer = await post('/password/reset', { token, password: NEW });
    expect([answer.status, answer.body.errors]).toEqual([422, BROKEN]);
    const { rows } = await testServer.database.pool.query('select 1 from sessions where user_id = $1', [person.id]);
    expect(rows).toHaveLength(1);
  });

  test('ends neither token nor account for a person who deletes the account meanwhile', async () => {
    const person = await testServer.join();
    await post('/password/forgot', { email: person.email });
    await testServer.call('DELETE /account', { token: person.token, body: { password: person.password } });
    expect(await readMails(person, 'reset')).toHaveLength(0);
    const [gone] = await readMails(person, 'account.deleted');
    expect(gone?.text).toContain('has been deleted');
  });

  test('limits the mails to one address', async () => {
    const server = await openTestServer({ env: { RATE_LIMIT_SCALE: '1' } });
    try {
      const person = await server.join();
      const statuses: number[] = [];
      for (let n = 0; n < 4; n += 1)
        statuses.push((await post('/password/forgot', { email: person.email }, server)).status);
      expect(statuses).toEqual([202, 202, 202, 429]);
    } finally {
      await server.close();
    }
  });
});

async function confirmationToken(person: Person): Promise<string> {
  expect((await testServer.call('POST /email/verify/send', { token: person.token })).status).toBe(202);
  return readToken(person, 'verify');
}

describe('an e-mail address', () => {
  test('is confirmed with the link that is sent at registration, also when it is opened twice', async () => {
    const email = 'noor@callboard.example';
    const joined = await post('/register', { name: 'Noor Rahman', email, password: NEW });
    expect(joined.body.user.email_verified).toBe(false);
    const token = await readToken({ email }, 'verify');
    for (let opened = 0; opened < 2; opened += 1) {
      const answer = await post('/email/verify', { token });
      expect([answer.status, Object.keys(answer.body)]).toEqual([200, ['message']]);
      expect(await isVerified(joined.body.token)).toBe(true);
    }
    const again = await testServer.call('POST /email/verify/send', { token: joined.body.token });
    expect([again.status, again.body.message]).toEqual([202, 'Your e-mail is confirmed already']);
    expect(await readMails({ email }, 'verify')).toHaveLength(1);
  });

  test('is not confirmed by a link that is too old or for something else', async () => {
    const person = await testServer.join();
    const [token, other] = [await confirmationToken(person), await askForReset(person)];
    expect((await post('/email/verify', { token: other })).body.errors).toEqual(BROKEN);
    testServer.clock.advance(7 * DAY_MS);
    expect((await post('/email/verify', { token })).body.errors).toEqual(BROKEN);
    expect(await isVerified(person.token)).toBe(false);
  });
});

describe('a sign-in', () => {
  const AGENT = 'Mozilla/5.0 (Linux; Android 14) AppleWebKit/537.36 Chrome/131.0.0.0 Mobile Safari/537.36';
  const signInFrom = (person: Person, headers: Record<string, string> = {}, more = {}) =>
    testServer.call<SignedIn>('POST /login', {
      body: { email: person.email, password: person.password, ...more },
      headers: { 'user-agent': AGENT, ...headers },
    });

  test('on a new device is reported, on a known one not', async () => {
    const person = await testServer.join();
    const first = await signInFrom(person, {}, { time_zone: 'Asia/Kolkata' });
    const [mail] = await readMails(person, 'signin.new');
    expect(mail?.text.replace(/\s+/g, ' ')).toContain(
      'a new device signed in to your Callboard account: Chrome on Android, on 28 November 2026 at 15:00.',
    );
    expect(mail?.text.replace(/\s+/g, ' ')).toContain(
      'it is probably in India. Its clock is set to the time of Kolkata.',
    );
    const [cookie] = /callboard-device=[^;]+/.exec(String(first.headers['set-cookie']))!;
    await signInFrom(person, { cookie });
    expect(await readMails(person, 'signin.new')).toHaveLength(1);
  });

  test('is not reported to a person who switched that off, and ignores an unknown time zone', async () => {
    const person = await testServer.join();
    await signInFrom(person, {}, { time_zone: 'Mars/Olympus' });
    expect((await readMails(person, 'signin.new'))[0]?.text).toContain('UTC');
    const { token } = person;
    const changed = await testServer.call('PUT /settings', { token, body: { sign_in_mail: false } });
    expect(changed.body.data).toMatchObject({ read_receipts: true, sign_in_mail: false });
    await signInFrom(person);
    expect(await readMails(person, 'signin.new')).toHaveLength(1);
  });

  test('that was not the person’s ends with all others by the link in the mail', async () => {
    const person = await testServer.join();
    const stranger = await signInFrom(person);
    const token = await readToken(person, 'signin.new');
    expect((await post('/links/check', { token, purpose: 'secure' })).body).toMatchObject({ email: person.email });
    for (let opened = 0; opened < 2; opened += 1) expect((await post('/secure', { token })).status).toBe(200);
    expect([await getStatus(person.token), await getStatus(stranger.body.token)]).toEqual([401, 401]);
  });
});

describe('the link of an operator', () => {
  test('lets the person choose a new password within the hour', async () => {
    const person = await testServer.join();
    const { db } = testServer.database;
    const path = await createResetPath(db, ` ${person.email.toUpperCase()} `, testServer.clock.now());
    expect(path).toMatch(/^\/reset#t=[\w-]{43}$/);
    testServer.clock.advance((OPERATOR_LINK_MINUTES - 1) * MINUTE_MS);
    const done = await post('/password/reset', { token: path!.split('=')[1], password: NEW });
    expect(done.status).toBe(200);
    expect(await createResetPath(db, 'nobody@callboard.example')).toBeNull();
  });
});

test('a mail that was given up is dropped after a week, with its address and its content', async () => {
  const { db, pool } = testServer.database;
  await queueMail(
    db,
    ACCOUNT_DELETED,
    { name: 'Vik Anand' },
    { userId: null, address: 'vik@callboard.example' },
    testServer.clock.now(),
  );
  const read = async () =>
    (
      await pool.query(
        "select state, address, params from mails where kind = 'account.deleted' order by id desc limit 1",
      )
    ).rows;
  testServer.clock.advance(6 * DAY_MS);
  await tidyMails(db, testServer.clock.now());
  expect(await read()).toMatchObject([{ state: 'queued', address: 'vik@callboard.example' }]);
  testServer.clock.advance(2 * DAY_MS);
  await tidyMails(db, testServer.clock.now());
  expect(await read()).toEqual([{ state: 'dropped', address: null, params: null }]);
});

test('addresses and contents of mails are removed a week after they were sent, and the rest after 90 days', async () => {
  const person = await testServer.join();
  await askForReset(person);
  const { db, pool } = testServer.database;
  const read = async () =>
    (await pool.query('select state, address, params from mails where user_id = $1', [person.id])).rows;
  testServer.clock.advance(6 * DAY_MS);
  await tidyMails(db, testServer.clock.now());
  expect(await read()).toEqual([{ state: 'sent', address: person.email, params: {} }]);
  testServer.clock.advance(2 * DAY_MS);
  await tidyMails(db, testServer.clock.now());
  expect(await read()).toEqual([{ state: 'sent', address: null, params: null }]);
  testServer.clock.advance(90 * DAY_MS);
  await tidyMails(db, testServer.clock.now());
  expect(await read()).toEqual([]);
});
