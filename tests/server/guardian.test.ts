import { describe, expect, test } from 'vitest';
import { ADULT } from '../support/adult.ts';
import { remindGuardians } from '#server/features/account/guardian.ts';
import { addProfile } from './support/people.ts';
import { mailboxOf } from './support/mailbox.ts';
import { newcomersOf } from './support/newcomers.ts';
import { openTestServer, useTestServer, type Person } from './support/test-server.ts';

const DAY_MS = 24 * 60 * 60_000;
const testServer = useTestServer();
const { addMinor, bornYearsAgo, decide, register } = newcomersOf(testServer);
const { readMails, readToken } = mailboxOf(testServer);

const post = (path: string, body: object) => testServer.call<{ message: string }>(`POST ${path}`, { body });
const nameGuardian = ({ token }: Pick<Person, 'token'>, email: string) =>
  testServer.call('PUT /guardian', { token, body: { email } });
const getGuardian = async ({ token }: Pick<Person, 'token'>) =>
  (await testServer.call<{ guardian: object | null }>('GET /account', { token })).body.guardian;
const isShown = async (profileId: string) =>
  (await testServer.call(`GET /profile/details/${profileId}`)).status === 200;

describe('a guardian', () => {
  test('is asked by mail with a link that only a button uses', async () => {
    const minor = await addMinor('Mina Rahman');
    const token = await readToken(minor.guardian, 'guardian.ask');
    const [mail] = await readMails(minor.guardian, 'guardian.ask');
    expect(mail!.url).toBe(`https://callboard.example/guardian#t=${token}`);
    expect(mail!.subject).toBe('Mina Rahman asks for your permission');
    for (let look = 0; look < 2; look += 1) {
      const answer = await post('/links/check', { token, purpose: 'guardian' });
      expect([answer.status, answer.body]).toMatchObject([
        200,
        { email: minor.guardian.email, child: { name: 'Mina Rahman', state: 'asked' } },
      ]);
    }
    expect(await getGuardian(minor)).toEqual({ email: minor.guardian.email, state: 'asked' });
  });

  test('agrees, withdraws and agrees again, and both are told each time', async () => {
    const minor = await addMinor();
    const { id } = await addProfile(testServer, minor);
    const steps = [
      [true, 'agreed', true],
      [false, 'withdrawn', false],
      [true, 'agreed', true],
    ] as const;
    let kind = 'guardian.ask';
    for (const [n, [agree, state, shown]] of steps.entries()) {
      expect((await decide(minor.guardian, agree, kind)).status).toBe(200);
      expect([await getGuardian(minor), await isShown(id)]).toMatchObject([{ state }, shown]);
      kind = 'guardian.done';
      expect(await readMails(minor.guardian, kind)).toHaveLength(n + 1);
      const told = await readMails(minor, 'guardian.told');
      expect(told).toHaveLength(n + 1);
      // The guardian’s link is not in the minor’s mail.
      expect(told.at(-1)!.text).not.toContain('#t=');
    }
    const { body } = await testServer.call<object[]>('GET /consents', { token: minor.token });
    expect(body).toMatchObject([
      { document: 'terms' },
      { document: 'privacy' },
      { document: 'terms' },
      { document: 'privacy' },
    ]);
  });

  test('declines: the page stays hidden, and another can be named', async () => {
    const minor = await addMinor();
    const { id } = await addProfile(testServer, minor);
    expect((await decide(minor.guardian, false)).status).toBe(200);
    expect([await getGuardian(minor), await isShown(id)]).toMatchObject([{ state: 'declined' }, false]);
    const other = { email: 'aunt@callboard.example' };
    expect((await nameGuardian(minor, other.email)).status).toBe(202);
    // The links of the one before no longer work.
    expect((await decide(minor.guardian, true, 'guardian.done')).status).toBe(422);
    expect((await decide(other, true)).status).toBe(200);
    expect(await isShown(id)).toBe(true);
    expect((await nameGuardian(minor, 'uncle@callboard.example')).status).toBe(422);
  });

  test('repeats an answer that was lost, but decides nothing else with a used link', async () => {
    const minor = await addMinor();
    const token = await readToken(minor.guardian, 'guardian.ask');
    const answers = await Promise.all([1, 2].map(() => post('/guardian/decide', { token, agree: true })));
    expect(answers.map(({ status }) => status)).toEqual([200, 200]);
    expect(await readMails(minor.guardian, 'guardian.done')).toHaveLength(1);
    expect((await post('/guardian/decide', { token, agree: false })).status).toBe(422);
    expect(await getGuardian(minor)).toMatchObject({ state: 'agreed' });
  });

  test('gets one answer for links that are unknown, expired, foreign or broken', async () => {
    const minor = await addMinor();
    const token = await readToken(minor.guardian, 'guardian.ask');
    const foreign = await readToken(minor, 'verify');
    const expected = [422, { errors: { token: ['This link no longer works. Ask for a new one.'] } }];
    for (const each of ['x'.repeat(43), foreign, token.slice(1)]) {
      const answer = await post('/guardian/decide', { token: each, agree: true });
      expect([answer.status, answer.body]).toMatchObject(expected);
    }
    expect((await post('/email/verify', { token })).status).toBe(422);
    testServer.clock.advance(31 * DAY_MS);
    const late = await post('/guardian/decide', { token, agree: true });
    expect([late.status, late.body]).toMatchObject(expected);
    expect((await post('/links/check', { token, purpose: 'guardian' })).status).toBe(422);
  });

  test('is reminded after 3 and 10 days, unless they answered', async () => {
    const [waiting, answered] = [await addMinor(), await addMinor()];
    await decide(answered.guardian, false);
    await readToken(waiting.guardian, 'guardian.ask');
    const counts: number[] = [];
    for (const days of [2, 2, 4, 3, 20]) {
      testServer.clock.advance(days * DAY_MS);
      for (let round = 0; round < 2; round += 1) await remindGuardians(testServer.database.db, testServer.clock.now());
      counts.push((await readMails(waiting.guardian, 'guardian.remind')).length);
    }
    expect(counts).toEqual([0, 1, 1, 2, 2]);
    expect(await readMails(answered.guardian, 'guardian.remind')).toEqual([]);
  });

  test('is not the minor’s own address, except for a young child', async () => {
    const minor = await addMinor();
    expect((await nameGuardian(minor, minor.email)).body).toMatchObject({ errors: { email: [expect.any(String)] } });
    const details = { name: 'Tilda', email: 'family@callboard.example', password: 'the prompter never sleeps' };
    const joinAs = (years: number, guardian_email?: string) =>
      post('/register', { ...details, ...ADULT, born_on: bornYearsAgo(years), guardian_email });
    expect((await joinAs(12, 'other@callboard.example')).body).toMatchObject({
      errors: { guardian_email: [expect.stringContaining('Under 13')] },
    });
    expect((await joinAs(13, details.email)).body).toMatchObject({ errors: { guardian_email: [expect.any(String)] } });
    expect((await joinAs(12)).status).toBe(201);
    expect(await readMails(details, 'guardian.ask')).toHaveLength(1);
  });

  test('is not needed by an adult', async () => {
    const person = await register();
    expect((await nameGuardian(person, 'mother@callboard.example')).status).toBe(422);
    expect(await getGuardian(person)).toBeNull();
    // The app may send an address that was typed before the date of birth was corrected.
    const typed = await register({ ...ADULT, guardian_email: 'typed@callboard.example' });
    expect(await getGuardian(typed)).toBeNull();
  });

  test('is gone with the account', async () => {
    const minor = await addMinor();
    const { token, password } = minor;
    expect((await testServer.call('DELETE /account', { token, body: { password } })).status).toBe(200);
    const { rows } = await testServer.database.pool.query('select from guardians where email = $1', [
      minor.guardian.email,
    ]);
    expect(rows).toEqual([]);
    await testServer.runJobs();
    expect((await decide(minor.guardian, true).catch(() => ({ status: 422 }))).status).toBe(422);
  });
});

test('limits how often guardians are named to three a day', async () => {
  const server = await openTestServer({ env: { RATE_LIMIT_SCALE: '1' } });
  try {
    const people = newcomersOf(server);
    const { token } = await people.register({ ...ADULT, born_on: people.bornYearsAgo(15) });
    const statuses: number[] = [];
    for (let n = 0; n < 4; n += 1) {
      const body = { email: `guardian${n}@callboard.example` };
      statuses.push((await server.call('PUT /guardian', { token, body })).status);
    }
    expect(statuses).toEqual([202, 202, 202, 429]);
  } finally {
    await server.close();
  }
});
