import { describe, expect, test } from 'vitest';
import type { SettingsRecord, SignedIn, User } from '#contract/records/account.ts';
import { readConfig } from '#server/platform/config.ts';
import { sendMail } from '#server/features/mail/send.ts';
import { MailRefused, openMailer } from '#server/features/mail/transport.ts';
import { mailboxOf } from './support/mailbox.ts';
import { openSmtp } from './support/smtp.ts';
import { TEST_HOME, useTestServer, type Person } from './support/test-server.ts';

const SECRET = 'a secret for bounces'.replaceAll(' ', '-');
const SHELL = '<!doctype html><title>Callboard</title>';
const testServer = useTestServer({ env: { MAIL_WEBHOOK_SECRET: SECRET }, appFiles: { 'index.html': SHELL } });
const { readMails, readToken } = mailboxOf(testServer);

const signIn = ({ email, password }: Person) => testServer.call<SignedIn>('POST /login', { body: { email, password } });
const getUser = async ({ token }: Pick<Person, 'token'>) => (await testServer.call<User>('GET /user', { token })).body;
const getsSignInMail = async ({ token }: Person) =>
  (await testServer.call<SettingsRecord>('GET /settings', { token })).body.sign_in_mail;
/** A person who has signed in on a new device, with the mail about it. */
async function joinAndSignIn() {
  const person = await testServer.join();
  await signIn(person);
  const [mail] = await readMails(person, 'signin.new');
  return { person, mail: mail! };
}
const toPath = (url = '') => url.replace(TEST_HOME, '');

describe('a mail that can be switched off', () => {
  test('names a link for mail programs in its head, and other mails do not', async () => {
    const smtp = await openSmtp();
    const mailer = openMailer(
      readConfig({ SMTP_URL: smtp.url, MAIL_FROM: 'hello@callboard.example', PUBLIC_URL: TEST_HOME }),
    );
    try {
      const person = await testServer.join();
      await signIn(person);
      await testServer.call('POST /password/forgot', { body: { email: person.email } });
      const { rows } = await testServer.database.pool.query<{ id: string }>(
        'select id from mails where user_id = $1 order by id',
        [person.id],
      );
      for (const { id } of rows) await sendMail({ ...testServer.app.deps, mailer, home: TEST_HOME }, Number(id));
      const [signedIn, reset] = smtp.mails;
      // The link is too long for a line of its own, so it may stand on the next one.
      expect(signedIn?.raw).toMatch(
        /^List-Unsubscribe:(\r\n)? <https:\/\/callboard\.example\/mail\/stop\/\d+-signInMail-[\w-]{43}>\r$/m,
      );
      expect(signedIn?.raw).toMatch(/^List-Unsubscribe-Post: List-Unsubscribe=One-Click\r$/m);
      expect(reset?.parsed.subject).toBe('Choose a new password');
      expect(reset?.raw).not.toContain('List-Unsubscribe');
    } finally {
      mailer.close();
      await smtp.close();
    }
  });

  test.each([
    ['a form of a mail program', { 'content-type': 'application/x-www-form-urlencoded' }, 'List-Unsubscribe=One-Click'],
    [
      'a form with parts',
      { 'content-type': 'multipart/form-data; boundary=b' },
      '--b\r\nContent-Disposition: form-data; name="List-Unsubscribe"\r\n\r\nOne-Click\r\n--b--\r\n',
    ],
    ['the button of the page', {}, undefined],
  ])('is stopped by %s, also twice', async (_, headers, body) => {
    const { person, mail } = await joinAndSignIn();
    for (let sent = 0; sent < 2; sent += 1) {
      const { status, body: answer } = await testServer.call(`POST ${toPath(mail.stopUrl)}`, { headers, body });
      expect([status, answer]).toEqual([200, { message: 'You no longer get e-mails about new devices' }]);
    }
    expect(await getsSignInMail(person)).toBe(false);
    await signIn(person);
    expect(await readMails(person, 'signin.new')).toHaveLength(1);
  });

  test('goes on when its link is only opened', async () => {
    const { person, mail } = await joinAndSignIn();
    for (const method of ['GET', 'HEAD'] as const) {
      const url = toPath(mail.stopUrl);
      const { statusCode, body } = await testServer.app.inject({ method, url, headers: { accept: 'text/html' } });
      expect([statusCode, body]).toEqual([200, method === 'GET' ? SHELL : '']);
    }
    expect((await testServer.call(`GET ${toPath(mail.stopUrl)}`)).status).toBe(404);
    expect(await getsSignInMail(person)).toBe(true);
  });

  test('goes on when the link is cut off, edited, or was sent to an address that is no longer the person’s', async () => {
    const { person, mail } = await joinAndSignIn();
    const { person: other } = await joinAndSignIn();
    const path = toPath(mail.stopUrl);
    const foreign = path.replace(`/${person.id}-`, `/${other.id}-`);
    for (const broken of [path.slice(0, -1), path.replace('signInMail', 'email'), foreign, '/mail/stop/1']) {
      const { status, body } = await testServer.call(`POST ${broken}`);
      expect([status, Object.keys(body.errors as object)]).toEqual([422, ['token']]);
    }
    await testServer.database.pool.query(`update users set email = 'moved' || id where id = $1`, [person.id]);
    expect((await testServer.call(`POST ${path}`)).status).toBe(422);
    expect([await getsSignInMail(person), await getsSignInMail(other)]).toEqual([true, true]);
  });

  test('is not sent when the person switches it off while it waits', async () => {
    const person = await testServer.join();
    await signIn(person);
    await testServer.call('PUT /settings', { token: person.token, body: { sign_in_mail: false } });
    expect(await readMails(person, 'signin.new')).toEqual([]);
    const { rows } = await testServer.database.pool.query('select state, last_code from mails where user_id = $1', [
      person.id,
    ]);
    expect(rows).toEqual([{ state: 'dropped', last_code: 'switched off' }]);
  });
});

describe('a report of the mail service', () => {
  const report = (events: unknown, secret = SECRET) =>
    testServer.call<{ errors?: object }>('POST /mail/bounces', {
      headers: { authorization: `Bearer ${secret}` },
      body: { events },
    });
  const bounce = (messageId: string, permanent = true) =>
    report([{ message_id: messageId, kind: 'bounce', permanent }]);
  /** A person with a confirmed address. */
  async function joinConfirmed() {
    const joined = await joinAndSignIn();
    await confirm(joined.person);
    return joined;
  }
  async function confirm(person: Person): Promise<void> {
    expect((await testServer.call('POST /email/verify/send', { token: person.token })).status).toBe(202);
    const token = await readToken(person, 'verify');
    expect((await testServer.call('POST /email/verify', { body: { token } })).status).toBe(200);
  }

  test('of a permanent bounce marks the address and stops optional mail until the person confirms it again', async () => {
    const { person, mail } = await joinConfirmed();
    expect(await getUser(person)).toMatchObject({ email_verified: true, unreachable_email: null });
    for (let sent = 0; sent < 2; sent += 1) expect((await bounce(mail.messageId)).status).toBe(204);
    expect(await getUser(person)).toMatchObject({ email_verified: false, unreachable_email: person.email });
    await signIn(person);
    expect(await readMails(person, 'signin.new')).toHaveLength(1);
    // What cannot be switched off is still tried.
    await confirm(person);
    expect(await getUser(person)).toMatchObject({ email_verified: true, unreachable_email: null });
    await signIn(person);
    expect(await readMails(person, 'signin.new')).toHaveLength(2);
  });

  test('keeps the passkeys of a person who confirms the address again and forgets the password', async () => {
    const { person, mail } = await joinConfirmed();
    const { pool } = testServer.database;
    testServer.clock.advance(60_000);
    await pool.query(`insert into recovery_codes (user_id, hash, created_at) values ($1, 'a hash', $2)`, [
      person.id,
      testServer.clock.now(),
    ]);
    testServer.clock.advance(60_000);
    await bounce(mail.messageId);
    await confirm(person);
    await testServer.call('POST /password/forgot', { body: { email: person.email } });
    const body = { token: await readToken(person, 'reset'), password: 'the prompter never sleeps' };
    expect((await testServer.call('POST /password/reset', { body })).status).toBe(200);
    expect((await pool.query('select 1 from recovery_codes where user_id = $1', [person.id])).rows).toHaveLength(1);
  });

  test('of a complaint switches optional mail off', async () => {
    const { person, mail } = await joinAndSignIn();
    expect((await report([{ message_id: mail.messageId.slice(1, -1), kind: 'complaint' }])).status).toBe(204);
    expect(await getsSignInMail(person)).toBe(false);
  });

  test('changes nothing for a bounce that is not final, an unknown mail and an earlier address', async () => {
    const { person, mail } = await joinConfirmed();
    const events = [
      { message_id: mail.messageId, kind: 'bounce', permanent: false },
      { message_id: mail.messageId, kind: 'bounce' },
      { message_id: '<m-0@callboard.example>', kind: 'bounce', permanent: true },
      { message_id: '', kind: 'complaint' },
    ];
    expect((await report(events)).status).toBe(204);
    await testServer.database.pool.query(`update users set email = 'moved' || id where id = $1`, [person.id]);
    expect((await bounce(mail.messageId)).status).toBe(204);
    expect(await getUser(person)).toMatchObject({ email_verified: true, unreachable_email: null });
    expect(await getsSignInMail(person)).toBe(true);
  });

  test('is refused without the secret, before anything in it is read', async () => {
    const { person, mail } = await joinAndSignIn();
    const event = { message_id: mail.messageId, kind: 'complaint' };
    for (const secret of ['', 'x', SECRET.slice(1), `${SECRET}x`]) {
      expect((await report([event], secret)).status).toBe(401);
      expect((await report('nonsense', secret)).status).toBe(401);
    }
    expect((await testServer.call('POST /mail/bounces', { token: person.token, body: {} })).status).toBe(401);
    expect(await getsSignInMail(person)).toBe(true);
    const invalid = await report([{ message_id: 1, kind: 'smoke' }]);
    expect([invalid.status, Object.keys(invalid.body.errors ?? {}).sort()]).toEqual([
      422,
      ['events.0.kind', 'events.0.message_id'],
    ]);
  });
});

test('a person whose address the mail server does not know is told, also about a new address that waits', async () => {
  const person = await testServer.join();
  const { pool } = testServer.database;
  const refuse = async () => {
    const { rows } = await pool.query<{ id: string }>('select max(id) as id from mails where user_id = $1', [
      person.id,
    ]);
    const mailer = { send: async () => Promise.reject(new MailRefused('550', true)), close: () => {} };
    await sendMail({ ...testServer.app.deps, mailer, home: TEST_HOME }, Number(rows[0]!.id));
  };
  await testServer.call('POST /email/verify/send', { token: person.token });
  await refuse();
  expect(await getUser(person)).toMatchObject({ email_verified: false, unreachable_email: person.email });
  const email = `mistyped-${person.email}`;
  await testServer.call('PUT /email', { token: person.token, body: { email } });
  await refuse();
  expect(await getUser(person)).toMatchObject({ pending_email: email, unreachable_email: email });
  // The present address takes the change back, and nothing is left to say.
  await testServer.call('PUT /email', { token: person.token, body: { email: person.email } });
  expect(await getUser(person)).toMatchObject({ pending_email: null, unreachable_email: null });
});
