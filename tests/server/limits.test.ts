import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { tooManyRequests } from '#server/platform/http/errors.ts';
import type { SignedIn } from '#contract/records/account.ts';
import { mailboxOf } from './support/mailbox.ts';
import { addProfile, connect } from './support/people.ts';
import { useTestServer, type Person, type TestServer } from './support/test-server.ts';

const MINUTE = 60_000;
/** Returns the device cookie in the form in which a browser sends it back. */
function getDeviceCookie(headers: Awaited<ReturnType<TestServer['call']>>['headers']): string {
  const cookie = [headers['set-cookie']].flat().find((each) => each?.startsWith('callboard-device='));
  if (cookie === undefined) throw new Error('The answer sets no device cookie');
  expect(cookie).toMatch(/; HttpOnly; SameSite=Lax$/);
  return cookie.split(';', 1)[0] ?? '';
}
/** Advances the clock of the server, and the one of the database's limits, which go by the clock of the process. */
function passTime(testServer: TestServer, ms: number): void {
  testServer.clock.advance(ms);
  vi.setSystemTime(Date.now() + ms);
}
beforeEach(() => void vi.useFakeTimers({ toFake: ['Date'] }));
afterEach(() => void vi.useRealTimers());

const body = (email: string, password = 'not this one') => ({ body: { email, password } });

test.each([
  [2, 'Wait a moment and try again'],
  [15 * 60, 'Try again in about 15 minutes'],
  [5 * 3600 + 1, 'Try again in about 6 hours'],
  [23 * 3600, 'Try again tomorrow'],
])('a refusal for %i seconds says when to try again', (waitS, when) => {
  expect(tooManyRequests(waitS).body).toEqual({ message: `Too many requests. ${when}` });
  // The app may try a part of its queue sooner than the words say.
  const sooner = tooManyRequests(60, { waitS });
  expect([sooner.body, sooner.headers]).toEqual([{ message: `Too many requests. ${when}` }, { 'retry-after': '60' }]);
});

describe('sign-in', () => {
  const testServer = useTestServer({ env: { RATE_LIMIT_SCALE: '1' } });

  test('rejects even the correct password after ten failures in a quarter of an hour', async () => {
    const person = await testServer.join();
    for (let n = 0; n < 10; n += 1) {
      expect((await testServer.call('POST /login', body(person.email))).status).toBe(422);
    }
    const refused = await testServer.call('POST /login', body(person.email, person.password));
    expect(refused.status).toBe(429);
    expect(Number(refused.headers['retry-after'])).toBeGreaterThan(60);
    passTime(testServer, 31 * MINUTE);
    expect((await testServer.call('POST /login', body(person.email, person.password))).status).toBe(200);
  });

  test('counts concurrent guesses', async () => {
    const person = await testServer.join();
    const answers = await Promise.all(
      Array.from({ length: 30 }, () => testServer.call('POST /login', body(person.email))),
    );
    expect(answers.filter((answer) => answer.status === 422).length).toBe(10);
    expect(answers.filter((answer) => answer.status === 429).length).toBe(20);
  });

  test('does not count successful sign-ins', async () => {
    const person = await testServer.join();
    for (let n = 0; n < 15; n += 1) {
      expect((await testServer.call('POST /login', body(person.email, person.password))).status).toBe(200);
    }
  });

  test('limits an unknown address in the same way', async () => {
    const statuses: number[] = [];
    for (let n = 0; n < 11; n += 1)
      statuses.push((await testServer.call('POST /login', body('ghost@callboard.example'))).status);
    expect(statuses).toEqual([...Array<number>(10).fill(422), 429]);
  });
});

describe('password guesses from another network', () => {
  const testServer = useTestServer({ env: { RATE_LIMIT_SCALE: '1', TRUST_PROXY: '1' } });
  const from = (network: string, cookie?: string) => ({
    headers: { 'x-forwarded-for': network, ...(cookie !== undefined && { cookie }) },
  });
  type Known = Pick<Person, 'email' | 'password'>;
  const signIn = ({ email, password }: Known, network: string, { cookie, guess = password }: Guess = {}) =>
    testServer.call('POST /login', { ...body(email, guess), ...from(network, cookie) });
  interface Guess {
    cookie?: string;
    guess?: string;
  }
  const guesses = async (person: Known, network: string, count: number) => {
    const statuses: number[] = [];
    for (let n = 0; n < count; n += 1) statuses.push((await signIn(person, network, { guess: 'a guess' })).status);
    return statuses;
  };

  test('do not lock a person out who signs in from a different network', async () => {
    const person = await testServer.join();
    expect((await guesses(person, '203.0.113.1', 12)).at(-1)).toBe(429);
    expect((await signIn(person, '198.51.100.1')).status).toBe(200);
  });

  test('are limited across all networks, with an exemption for known networks', async () => {
    const person = await testServer.join();
    await signIn(person, '198.51.100.2');
    const statuses: number[] = [];
    for (let n = 0; n < 6; n += 1) statuses.push(...(await guesses(person, `203.0.113.${100 + n}`, 9)));
    expect(statuses.filter((status) => status === 422)).toHaveLength(50);
    expect((await signIn(person, '192.0.2.1')).status).toBe(429);
    expect((await signIn(person, '198.51.100.2')).status).toBe(200);
  });

  test('do not lock out a known device on the same network', async () => {
    const person = await testServer.join();
    const first = await signIn(person, '203.0.113.9');
    const cookie = getDeviceCookie(first.headers);
    expect((await guesses(person, '203.0.113.9', 11)).at(-1)).toBe(429);
    expect((await signIn(person, '203.0.113.9')).status).toBe(429);
    expect((await signIn(person, '203.0.113.9', { cookie })).status).toBe(200);
  });

  test('do not lock out the device or network that created the account', async () => {
    const person = { name: 'Ila Deshpande', email: 'ila@callboard.example', password: 'the ghost light stays on' };
    const made = await testServer.call('POST /register', { body: person, ...from('203.0.113.15') });
    const cookie = getDeviceCookie(made.headers);
    for (let n = 0; n < 6; n += 1) await guesses(person, `203.0.113.${200 + n}`, 9);
    expect((await signIn(person, '192.0.2.2')).status).toBe(429);
    expect((await signIn(person, '203.0.113.15')).status).toBe(200);
    expect((await guesses(person, '203.0.113.15', 11)).at(-1)).toBe(429);
    expect((await signIn(person, '203.0.113.15', { cookie })).status).toBe(200);
  });

  test('are limited on a known device too, whose cookie is valid for one account only', async () => {
    const [person, other] = [await testServer.join(), await testServer.join()];
    const cookie = getDeviceCookie((await signIn(person, '203.0.113.20')).headers);
    for (let n = 0; n < 10; n += 1) await signIn(person, '203.0.113.21', { cookie, guess: 'a guess' });
    expect((await signIn(person, '203.0.113.21', { cookie })).status).toBe(429);
    await guesses(other, '203.0.113.22', 10);
    expect((await signIn(other, '203.0.113.22', { cookie })).status).toBe(429);
  });
});

describe('limits of an address', () => {
  const testServer = useTestServer({ env: { RATE_LIMIT_SCALE: '0.1' } });

  test('count failures across all accounts', async () => {
    const statuses = new Set<number>();
    for (let n = 0; n < 10; n += 1)
      statuses.add((await testServer.call('POST /login', body(`g${n}@callboard.example`))).status);
    expect(statuses).toEqual(new Set([422]));
    expect((await testServer.call('POST /login', body('g10@callboard.example'))).status).toBe(429);
  });

  test('limit registrations per hour', async () => {
    const register = async (name: string) => {
      const body = { name: 'Ila Deshpande', email: `${name}@callboard.example`, password: 'the ghost light stays on' };
      return (await testServer.call('POST /register', { body })).status;
    };
    for (let n = 0; n < 10; n += 1) expect(await register(`new${n}`)).toBe(201);
    expect(await register('new10')).toBe(429);
    passTime(testServer, 2 * 60 * MINUTE);
    expect(await register('new10')).toBe(201);
  });
});

describe('limits of a person', () => {
  const testServer = useTestServer({ env: { RATE_LIMIT_SCALE: '0.05' } });

  test('limit reads and writes per minute and return Retry-After', async () => {
    const [one, two] = [await testServer.join(), await testServer.join()];
    const write = (token: string) => testServer.call('PUT /profile/update', { token, body: {} });
    for (let n = 0; n < 30; n += 1) expect((await write(one.token)).status).toBe(404);
    const refused = await write(one.token);
    expect(refused.status).toBe(429);
    expect(refused.body).toEqual({ message: expect.any(String) });
    const waitS = Number(refused.headers['retry-after']);
    expect(waitS).toBeGreaterThan(0);
    expect(waitS).toBeLessThanOrEqual(60);
    expect((await write(two.token)).status).toBe(404);
    expect((await testServer.call('GET /user', { token: one.token })).status).toBe(200);
    for (let n = 0; n < 149; n += 1) await testServer.call('GET /user', { token: one.token });
    expect((await testServer.call('GET /user', { token: one.token })).status).toBe(429);
    testServer.clock.advance(2 * MINUTE);
    expect((await write(one.token)).status).toBe(404);
  });
});

describe('limits of what reaches others', () => {
  const testServer = useTestServer({ env: { RATE_LIMIT_SCALE: '1' } });
  const { readMails } = mailboxOf(testServer);

  test('send five mails an hour about sign-ins, and refuse none', async () => {
    const person = await testServer.join();
    const signIn = () => testServer.call<SignedIn>('POST /login', body(person.email, person.password));
    for (let n = 0; n < 7; n += 1) expect((await signIn()).status).toBe(200);
    const { token } = (await signIn()).body;
    const change = { current_password: person.password, password: 'the prompter never sleeps' };
    expect((await testServer.call('PUT /password', { token, body: change })).status).toBe(200);
    expect(await readMails(person, 'signin.new')).toHaveLength(5);
    // No number of sign-ins keeps a person from hearing that their password was changed.
    expect(await readMails(person, 'password.changed')).toHaveLength(1);
    passTime(testServer, 61 * MINUTE);
    await testServer.call('POST /login', body(person.email, change.password));
    expect(await readMails(person, 'signin.new')).toHaveLength(6);
  });

  test('let a new account write on the pages of six strangers a day, and on those of connections', async () => {
    const author = await testServer.join();
    const write = async (to: { profileId: string }) =>
      testServer.call<{ data: { id: string } }>('POST /feedback', {
        token: author.token,
        body: { profile_id: to.profileId, feedback: 'Saw you on stage' },
      });
    const addPage = async () => {
      const owner = await testServer.join();
      return { ...owner, profileId: (await addProfile(testServer, owner)).id };
    };
    const page = await addPage();
    for (let n = 0; n < 6; n += 1) {
      const written = await write(page);
      expect(written.status).toBe(201);
      // Whoever takes it back has told the other person nevertheless.
      await testServer.call(`DELETE /feedback/${written.body.data.id}`, { token: author.token });
    }
    const refused = await write(await addPage());
    expect([refused.status, refused.headers['retry-after']]).toEqual([429, '60']);
    const colleague = await addPage();
    await connect(testServer, author, colleague);
    expect((await write(colleague)).status).toBe(201);
  });
});
