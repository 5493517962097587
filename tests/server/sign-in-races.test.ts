import { expect, test } from 'vitest';
import type { SignedIn } from '#contract/records/account.ts';
import { hashPassword } from '#server/features/account/passwords.ts';
import { TestAuthenticator } from './support/authenticator.ts';
import { mailboxOf } from './support/mailbox.ts';
import { TEST_HOME, useTestServer, type Person } from './support/test-server.ts';

/** What becomes of a sign-in when the account changes between the check of who it is and the session. */
const testServer = useTestServer({ env: { PUBLIC_URL: TEST_HOME } });
const { readToken } = mailboxOf(testServer);
const NEW = 'the prompter never sleeps';

type Errors = { errors?: Record<string, string[]> };
const post = (path: string, body: object, token: string | null = null) =>
  testServer.call<SignedIn & Errors>(`POST ${path}`, { token, body });
const countSessions = async ({ id }: Person) =>
  Number(
    (await testServer.database.pool.query('select count(*) from sessions where user_id = $1', [id])).rows[0].count,
  );

/** Resolves once a statement waits for the lock of a row, or `work` has ended without. */
async function untilWaiting(work: Promise<unknown>): Promise<void> {
  let hasEnded = false;
  void work.finally(() => (hasEnded = true));
  await expect
    .poll(
      async () => {
        const { rows } = await testServer.database.pool.query(
          `select 1 from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`,
        );
        return hasEnded || rows.length > 0;
      },
      { interval: 5, timeout: 10_000 },
    )
    .toBe(true);
}

/** Runs `work` beside a transaction that has run these statements and commits once `work` waits for it. */
async function beside<T>(statements: [text: string, values: unknown[]][], work: () => Promise<T>): Promise<T> {
  const other = await testServer.database.pool.connect();
  try {
    await other.query('begin');
    for (const [text, values] of statements) await other.query(text, values);
    const running = work();
    await untilWaiting(running);
    await other.query('commit');
    return await running;
  } finally {
    other.release();
  }
}

test('an old password signs nobody in while it is being replaced', async () => {
  const person = await testServer.join();
  const replace: [string, unknown[]][] = [
    ['update users set password_hash = $2 where id = $1', [person.id, await hashPassword(NEW)]],
    ['delete from sessions where user_id = $1', [person.id]],
  ];
  const { status, body } = await beside(replace, () =>
    post('/login', { email: person.email, password: person.password }),
  );
  expect([status, body.errors]).toEqual([422, { email: ['The e-mail or the password is wrong'] }]);
  expect(await countSessions(person)).toBe(0);
});

test('nobody signs in while the account is being removed', async () => {
  const person = await testServer.join();
  const remove: [string, unknown[]][] = [
    [`update users set state = 'removing' where id = $1`, [person.id]],
    ['delete from sessions where user_id = $1', [person.id]],
  ];
  const { status } = await beside(remove, () => post('/login', { email: person.email, password: person.password }));
  expect(status).toBe(403);
  expect(await countSessions(person)).toBe(0);
});

test('a passkey signs nobody in while it is being removed', async () => {
  const person = await testServer.join();
  const passkey = new TestAuthenticator(TEST_HOME);
  const ask = async (path: string, token: string | null) =>
    (await testServer.call<Parameters<TestAuthenticator['create']>[0]>(`POST ${path}`, { token })).body;
  await post('/passkeys', passkey.create(await ask('/passkeys/options', person.token)), person.token);
  const signed = passkey.get(await ask('/login/passkey/options', null));
  const remove: [string, unknown[]][] = [
    ['select 1 from users where id = $1 for update', [person.id]],
    ['delete from passkeys where user_id = $1', [person.id]],
    ['delete from sessions where user_id = $1', [person.id]],
  ];
  const { status, body } = await beside(remove, () => post('/login/passkey', signed));
  expect([status, Object.keys(body.errors ?? {})]).toEqual([422, ['passkey']]);
  expect(await countSessions(person)).toBe(0);
});

test('a new password ends the session of a sign-in that was being stored', async () => {
  const person = await testServer.join();
  await post('/password/forgot', { email: person.email });
  const token = await readToken(person, 'reset');
  // As a sign-in does it: it locks the person, then adds the session.
  const signIn: [string, unknown[]][] = [
    ['select 1 from users where id = $1 for update', [person.id]],
    [
      `insert into sessions (user_id, token_hash, device, method, created_at, last_seen_at)
       values ($1, 'of the other', 'Another', 'password', now(), now())`,
      [person.id],
    ],
  ];
  const { status } = await beside(signIn, () => post('/password/reset', { token, password: NEW }));
  expect(status).toBe(200);
  // Only the device that set the new password.
  expect(await countSessions(person)).toBe(1);
});
