import { randomUUID } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import type { SignedIn, User } from '#contract/records/account.ts';
import { SEND_MAIL } from '#server/features/mail/queue.ts';
import { FRESH_MS } from '#server/platform/http/fresh-sign-in.ts';
import { addJob } from '#server/platform/jobs/add.ts';
import { addProfile, connect } from './support/people.ts';
import { mailboxOf } from './support/mailbox.ts';
import { openTestServer, useTestServer, type Person } from './support/test-server.ts';
import { viewerCalls } from './support/viewers.ts';

const testServer = useTestServer();
const { readMails, readToken } = mailboxOf(testServer);
const { pull } = viewerCalls(testServer);
const BROKEN = { token: ['This link no longer works. Ask for a new one.'] };
const TAKEN = 'There is an account with this e-mail by now, so yours stays as it is';
const DAY_MS = 24 * 3_600_000;

interface Changed {
  message: string;
  data: User;
  errors?: Record<string, string[]>;
}
const buildAddress = () => `new-${randomUUID()}@callboard.example`;
const changeEmail = ({ token }: Pick<Person, 'token'>, email: string, on = testServer) =>
  on.call<Changed>('PUT /email', { token, body: { email } });
const post = (path: string, token: string) => testServer.call<Changed>(`POST ${path}`, { body: { token } });
const getUser = async (token: string) => (await testServer.call<User>('GET /user', { token })).body;
const signIn = async (email: string, { password }: Person) =>
  (await testServer.call<SignedIn>('POST /login', { body: { email, password } })).status;

/** A person with a confirmed address. */
async function joinConfirmed(): Promise<Person> {
  const person = await testServer.join();
  await testServer.call('POST /email/verify/send', { token: person.token });
  expect((await post('/email/verify', await readToken(person, 'verify'))).status).toBe(200);
  return person;
}

/** A person who has moved to another address. */
async function moveAddress(): Promise<{ person: Person; email: string }> {
  const person = await joinConfirmed();
  const email = buildAddress();
  expect((await changeEmail(person, email)).status).toBe(202);
  expect((await post('/email/verify', await readToken({ email }, 'email.change'))).status).toBe(200);
  return { person, email };
}

/** A person whose confirmed address somebody has changed to another and then to a third one, and the link that takes the first change back. */
async function moveTwice(): Promise<{ person: Person; between: string; first: string }> {
  const { person, email: between } = await moveAddress();
  const first = await readToken(person, 'email.changed');
  const email = buildAddress();
  expect((await changeEmail(person, email)).status).toBe(202);
  expect((await post('/email/verify', await readToken({ email }, 'email.change'))).status).toBe(200);
  return { person, between, first };
}

/** Sends a mail a second time, as after a crash between the answer of the mail server and the commit. */
async function sendAgain({ email }: Person, kind: string): Promise<void> {
  const { db, pool } = testServer.database;
  const { rows } = await pool.query<{ id: string }>(
    `update mails set state = 'queued' where address = $1 and kind = $2 returning id`,
    [email, kind],
  );
  await addJob(db, SEND_MAIL, { mail: Number(rows[0]!.id) });
}

describe('a name', () => {
  test('changes for the person and in the lists of others, and the address of the page stays', async () => {
    const [person, friend] = [await testServer.join('Ila Deshpande'), await testServer.join()];
    const { id } = await addProfile(testServer, person);
    await connect(testServer, friend, person);
    const { cursor } = await pull(friend);
    const readSlug = async () =>
      (await testServer.call<{ slug: string }>(`GET /profile/details/${id}`, { token: friend.token })).body.slug;
    const slug = await readSlug();
    const { status, body } = await testServer.call<Changed>('PUT /name', {
      token: person.token,
      body: { name: '  Ila Deshpande-Rao ' },
    });
    expect([status, body.data.name, (await getUser(person.token)).name]).toEqual([
      200,
      'Ila Deshpande-Rao',
      'Ila Deshpande-Rao',
    ]);
    const { records } = await pull(friend, cursor);
    expect(records.map(({ type }) => type).sort()).toEqual(['connection', 'conversation', 'notification']);
    expect(JSON.stringify(records)).toContain('Ila Deshpande-Rao');
    expect(await readSlug()).toBe(slug);
  });

  test('that is empty or belongs to Callboard is refused', async () => {
    const { token } = await testServer.join();
    for (const name of ['  ', 'Callboard Support', 'Nora\u202eRao', 'x'.repeat(101)]) {
      const { status, body } = await testServer.call<Changed>('PUT /name', { token, body: { name } });
      expect([status, Object.keys(body.errors ?? {})]).toEqual([422, ['name']]);
    }
  });
});

describe('an e-mail address', () => {
  test('changes when the link in the mail to the new one is used, and the old one is told', async () => {
    const person = await joinConfirmed();
    const email = buildAddress();
    const asked = await changeEmail(person, ` ${email.toUpperCase()} `);
    expect([asked.status, asked.body.data]).toMatchObject([202, { email: person.email, pending_email: email }]);
    expect([await signIn(person.email, person), await signIn(email, person)]).toEqual([200, 422]);
    const token = await readToken({ email }, 'email.change');
    // The answer may be lost, so a repeat succeeds.
    for (let opened = 0; opened < 2; opened += 1) expect((await post('/email/verify', token)).status).toBe(200);
    expect(await getUser(person.token)).toMatchObject({ email, pending_email: null, email_verified: true });
    expect([await signIn(person.email, person), await signIn(email, person)]).toEqual([422, 200]);
    expect(await readMails(person, 'email.changed')).toHaveLength(1);
  });

  test('stays without a fresh sign-in, and for an address that is taken, and can be asked for three times a day', async () => {
    const server = await openTestServer({ env: { RATE_LIMIT_SCALE: '1' } });
    try {
      const [person, other] = [await server.join(), await server.join()];
      const refused = [await changeEmail(person, other.email, server), await changeEmail(person, 'nowhere', server)];
      expect(refused.map(({ status, body }) => [status, Object.keys(body.errors ?? {})])).toEqual([
        [422, ['email']],
        [422, ['email']],
      ]);
      const statuses: number[] = [];
      for (let n = 0; n < 4; n += 1) statuses.push((await changeEmail(person, buildAddress(), server)).status);
      expect(statuses).toEqual([202, 202, 202, 429]);
      // From then on, nothing tells whether an address has an account.
      expect((await changeEmail(person, other.email, server)).status).toBe(429);
      server.clock.advance(FRESH_MS);
      const late = await changeEmail(person, buildAddress(), server);
      expect([late.status, late.body]).toMatchObject([403, { reason: 'reauth' }]);
    } finally {
      await server.close();
    }
  });

  test('stays when the change is taken back, replaced by another one, or too old', async () => {
    const person = await joinConfirmed();
    const [first, second] = [buildAddress(), buildAddress()];
    await changeEmail(person, first);
    const firstToken = await readToken({ email: first }, 'email.change');
    await changeEmail(person, second);
    expect((await post('/email/verify', firstToken)).body.errors).toEqual(BROKEN);
    const secondToken = await readToken({ email: second }, 'email.change');
    const kept = await changeEmail(person, person.email);
    expect([kept.status, kept.body.data.pending_email]).toEqual([200, null]);
    expect((await post('/email/verify', secondToken)).body.errors).toEqual(BROKEN);
    await changeEmail(person, first);
    const late = await readToken({ email: first }, 'email.change');
    testServer.clock.advance(DAY_MS);
    expect((await post('/email/verify', late)).body.errors).toEqual(BROKEN);
    expect((await getUser(person.token)).email).toBe(person.email);
  });

  test('goes to whoever confirms it first', async () => {
    const people = [await joinConfirmed(), await joinConfirmed()];
    const email = buildAddress();
    const tokens: string[] = [];
    for (const person of people) {
      await changeEmail(person, email);
      tokens.push(await readToken({ email }, 'email.change'));
    }
    const answers = await Promise.all(tokens.map((token) => post('/email/verify', token)));
    expect(answers.map(({ status, body }) => `${status} ${body.message}`).sort()).toEqual([
      `200 ${TAKEN}`,
      '200 Your e-mail is confirmed',
    ]);
    const addresses = await Promise.all(people.map(async ({ token }) => (await getUser(token)).email));
    expect(addresses.filter((each) => each === email)).toHaveLength(1);
  });

  test('that somebody registers with before it is confirmed is no longer waited for', async () => {
    const person = await joinConfirmed();
    const email = buildAddress();
    await changeEmail(person, email);
    const token = await readToken({ email }, 'email.change');
    const body = { name: 'Noor Rahman', email, password: 'the prompter never sleeps' };
    expect((await testServer.call('POST /register', { body })).status).toBe(201);
    const answer = await post('/email/verify', token);
    expect([answer.status, answer.body.message]).toEqual([200, TAKEN]);
    expect(await getUser(person.token)).toMatchObject({ email: person.email, pending_email: null });
  });

  test('comes back, and all devices are signed out, by the link that the old one gets', async () => {
    const { person, email } = await moveAddress();
    const token = await readToken(person, 'email.changed');
    const restored = await post('/secure', token);
    expect(restored.body.message).toBe(`All devices are signed out, and your e-mail is ${person.email} again`);
    expect((await testServer.call('GET /user', { token: person.token })).status).toBe(401);
    expect([await signIn(person.email, person), await signIn(email, person)]).toEqual([200, 422]);
    const again = await post('/secure', token);
    expect([again.status, again.body.message]).toEqual([200, 'All devices are signed out']);
  });

  test('that was restored is safe from the links of later changes', async () => {
    const { person, between, first } = await moveTwice();
    const later = await readToken({ email: between }, 'email.changed');
    expect((await post('/secure', first)).status).toBe(200);
    expect((await post('/secure', later)).body.errors).toEqual(BROKEN);
    expect(await signIn(person.email, person)).toBe(200);
  });

  test('that was restored is safe from the link of a later change whose mail still waits', async () => {
    const { between, first } = await moveTwice();
    expect((await post('/secure', first)).status).toBe(200);
    expect(await readMails({ email: between }, 'email.changed')).toEqual([]);
  });

  test('that was restored is safe from the link of a later change whose mail was sent first', async () => {
    const { person, between } = await moveTwice();
    const later = await readToken({ email: between }, 'email.changed');
    await sendAgain(person, 'email.changed');
    expect((await post('/secure', await readToken(person, 'email.changed'))).status).toBe(200);
    expect((await post('/secure', later)).body.errors).toEqual(BROKEN);
  });

  test('that was changed first comes back although the link of a later change was used before', async () => {
    const { person, between, first } = await moveTwice();
    expect((await post('/secure', await readToken({ email: between }, 'email.changed'))).status).toBe(200);
    expect((await post('/secure', first)).status).toBe(200);
    expect(await signIn(person.email, person)).toBe(200);
  });

  test('that somebody else has taken by then does not come back', async () => {
    const { person, email } = await moveAddress();
    const { status } = await testServer.call('POST /register', {
      body: { name: 'Noor Rahman', email: person.email, password: 'the prompter never sleeps' },
    });
    expect(status).toBe(201);
    const answer = await post('/secure', await readToken(person, 'email.changed'));
    expect([answer.status, answer.body.message]).toEqual([
      200,
      `All devices are signed out. There is another account with ${person.email} by now, so your e-mail stays as it is`,
    ]);
    expect(await signIn(email, person)).toBe(200);
  });

  test('that somebody registers with at the same moment belongs to one of the two', async () => {
    for (let round = 0; round < 5; round += 1) {
      const person = await joinConfirmed();
      const email = buildAddress();
      await changeEmail(person, email);
      const token = await readToken({ email }, 'email.change');
      const [changed, registered] = await Promise.all([
        post('/email/verify', token),
        testServer.call('POST /register', {
          body: { name: 'Noor Rahman', email, password: 'the prompter never sleeps' },
        }),
      ]);
      expect([
        ['Your e-mail is confirmed', 422],
        [TAKEN, 201],
      ]).toContainEqual([changed.body.message, registered.status]);
    }
  });

  test('that was mistyped at registration is replaced without telling its owner', async () => {
    const mistyped = buildAddress();
    const password = 'the prompter never sleeps';
    const joined = await testServer.call<SignedIn>('POST /register', {
      body: { name: 'Noor Rahman', email: mistyped, password },
    });
    const person = { token: joined.body.token, email: mistyped };
    const email = buildAddress();
    await changeEmail(person, email);
    expect((await post('/email/verify', await readToken({ email }, 'email.change'))).status).toBe(200);
    expect(await getUser(person.token)).toMatchObject({ email, email_verified: true, must_confirm_email: false });
    expect(await readMails(person, 'email.changed')).toHaveLength(0);
  });
});
