import { mkdtemp, readdir, readFile, rm, stat } from 'node:fs/promises';
import { createServer, type AddressInfo, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type { SMTPServerOptions } from 'smtp-server';
import { afterEach, describe, expect, test } from 'vitest';
import { readConfig } from '#server/platform/config.ts';
import { queueMail } from '#server/features/mail/queue.ts';
import { renderMail } from '#server/features/mail/layout.ts';
import { sendMail } from '#server/features/mail/send.ts';
import { ACCOUNT_DELETED } from '#server/features/mail/templates/account-deleted.ts';
import { MAIL_KINDS } from '#server/features/mail/templates/index.ts';
import { MODERATION_LIFTED } from '#server/features/mail/templates/moderation-lifted.ts';
import { VERIFY } from '#server/features/mail/templates/verify.ts';
import { openMailer, type Mailer } from '#server/features/mail/transport.ts';
import { MAIL_PARAMS } from './support/mail-params.ts';
import { openSmtp, refusal, type TestSmtp } from './support/smtp.ts';
import { TEST_HOME, useTestServer, type Person } from './support/test-server.ts';

const testServer = useTestServer();
const open: { close: () => unknown }[] = [];
afterEach(async () => {
  for (const each of open.splice(0).reverse()) await each.close();
});

function openMailerOf(url: string, silenceMs?: number): Mailer {
  const env = { SMTP_URL: url, MAIL_FROM: 'Callboard <hello@callboard.example>', PUBLIC_URL: TEST_HOME };
  const mailer = openMailer(readConfig(env), { silenceMs });
  open.push(mailer);
  return mailer;
}

async function openSmtpAndMailer(options?: SMTPServerOptions): Promise<{ smtp: TestSmtp; mailer: Mailer }> {
  const smtp = await openSmtp(options);
  open.push(smtp);
  return { smtp, mailer: openMailerOf(smtp.url) };
}

/** Queues a mail to the person and returns its id. */
async function queue({ id, email }: Person, kind: typeof VERIFY = VERIFY): Promise<number> {
  const { db, pool } = testServer.database;
  await queueMail(db, kind, {}, { userId: Number(id), address: email }, testServer.clock.now());
  const { rows } = await pool.query<{ id: string }>('select max(id) as id from mails');
  return Number(rows[0]!.id);
}

const send = (mailer: Mailer, id: number) => sendMail({ ...testServer.app.deps, mailer, home: TEST_HOME }, id);

async function readRow(id: number) {
  const { rows } = await testServer.database.pool.query<{ state: string; last_code: string | null; tries: number }>(
    'select state, last_code, tries from mails where id = $1',
    [id],
  );
  return rows[0]!;
}

describe('a mail', () => {
  test('reaches the mail server once, as text and HTML, with a link behind #', async () => {
    const { smtp, mailer } = await openSmtpAndMailer();
    const person = await testServer.join('Ila “Bahadur” <b>Deshpande</b>');
    const id = await queue(person);
    await send(mailer, id);
    await send(mailer, id);
    expect(smtp.mails).toHaveLength(1);
    const { from, to, parsed } = smtp.mails[0]!;
    expect([from, to]).toEqual(['hello@callboard.example', [person.email]]);
    expect(parsed.subject).toBe('Confirm your e-mail');
    expect(parsed.messageId).toMatch(/^<m-[0-9a-f]{32}@callboard\.example>$/);
    expect(parsed.headers.get('auto-submitted')).toBe('auto-generated');
    expect(parsed.text).toContain(`Hello ${person.name},`);
    expect(parsed.text).toMatch(/https:\/\/callboard\.example\/confirm#t=[\w-]{43}\n/);
    expect(parsed.html).toContain('&lt;b&gt;Deshpande');
    expect(await readRow(id)).toEqual({ state: 'sent', last_code: null, tries: 1 });
  });

  test('folds line breaks in a name instead of adding headers', async () => {
    const { smtp, mailer } = await openSmtpAndMailer();
    await mailer.send({
      subject: 'Hello\r\nBcc: everybody@callboard.example',
      text: 'Hello',
      html: '<p>Hello',
      messageId: '<m-1@callboard.example>',
      kind: 'test',
      to: 'ila@callboard.example',
      url: '',
    });
    expect(smtp.mails[0]?.to).toEqual(['ila@callboard.example']);
    expect(smtp.mails[0]?.parsed.headers.has('bcc')).toBe(false);
  });

  test('keeps its Message-ID and gets a working link in every attempt', async () => {
    const sent: string[] = [];
    let attempts = 0;
    const failing: Mailer = {
      send: async ({ messageId, url }) => {
        sent.push(messageId, url);
        attempts += 1;
        if (attempts === 1) throw new Error('The connection broke after the mail was sent');
      },
      close: () => {},
    };
    const id = await queue(await testServer.join());
    await expect(send(failing, id)).rejects.toThrow('The connection broke');
    await send(failing, id);
    const [firstId, firstUrl, secondId, secondUrl] = sent;
    expect(firstId).toBe(secondId);
    expect(firstUrl).not.toBe(secondUrl);
    for (const url of [firstUrl, secondUrl]) {
      const body = { token: url!.split('=')[1], purpose: 'verify' };
      expect((await testServer.call('POST /links/check', { body })).status).toBe(200);
    }
    // Using one link ends the other, since both belong to one mail.
    await testServer.call('POST /email/verify', { body: { token: secondUrl!.split('=')[1] } });
    const body = { token: firstUrl!.split('=')[1], purpose: 'verify' };
    expect((await testServer.call('POST /links/check', { body })).status).toBe(422);
  });

  test('is not sent to an account that was deleted meanwhile', async () => {
    const { smtp, mailer } = await openSmtpAndMailer();
    const person = await testServer.join();
    const id = await queue(person);
    await testServer.call('DELETE /account', { token: person.token, body: { password: person.password } });
    await send(mailer, id);
    expect(smtp.mails).toEqual([]);
    expect(await readRow(id)).toMatchObject({ state: 'dropped' });
  });

  test('that waits without a link is dropped with the account, unlike the one that confirms the deletion', async () => {
    const person = await testServer.join();
    await queue(person, MODERATION_LIFTED);
    await testServer.call('DELETE /account', { token: person.token, body: { password: person.password } });
    await testServer.runJobs();
    const sent = testServer.mails.filter(({ to }) => to === person.email).map(({ kind }) => kind);
    expect(sent).toEqual([ACCOUNT_DELETED.name]);
  });

  test('that waits when the account is deleted keeps neither its address nor its content', async () => {
    const person = await testServer.join();
    const id = await queue(person, MODERATION_LIFTED);
    await testServer.call('DELETE /account', { token: person.token, body: { password: person.password } });
    const { rows } = await testServer.database.pool.query('select address, params from mails where id = $1', [id]);
    expect(rows).toEqual([{ address: null, params: null }]);
  });
});

describe('trouble with the mail server', () => {
  const refuseRecipient = (code: number): SMTPServerOptions => ({ onRcptTo: (_, __, done) => done(refusal(code)) });
  const refuseData = (code: number): SMTPServerOptions => ({
    onData: (stream, _, done) => {
      stream.resume();
      stream.on('end', () => done(refusal(code)));
    },
  });

  test.each([
    ['refuses the recipient for now', refuseRecipient(451), 'EENVELOPE 451'],
    ['refuses the recipient until tomorrow', refuseRecipient(452), 'EENVELOPE 452'],
    ['refuses the content for now', refuseData(451), 'EMESSAGE 451'],
    [
      'does not accept the sender',
      { onMailFrom: (_, __, done) => done(refusal(553)) } as SMTPServerOptions,
      'EENVELOPE 553',
    ],
    ['asks for a password', { onMailFrom: (_, __, done) => done(refusal(530)) } as SMTPServerOptions, 'EENVELOPE 530'],
  ])('is tried again when it %s', async (_, options, code) => {
    const { mailer } = await openSmtpAndMailer(options);
    const id = await queue(await testServer.join());
    await expect(send(mailer, id)).rejects.toMatchObject({ code });
    expect(await readRow(id)).toEqual({ state: 'queued', last_code: code, tries: 1 });
    const works = await openSmtpAndMailer();
    await send(works.mailer, id);
    expect(works.smtp.mails).toHaveLength(1);
    expect(await readRow(id)).toMatchObject({ state: 'sent', tries: 2 });
  });

  test.each([
    ['does not know the recipient', refuseRecipient(550), '550'],
    ['takes the mail for spam', refuseData(554), '554'],
  ])('ends the mail when it %s', async (_, options, code) => {
    const { mailer } = await openSmtpAndMailer(options);
    const id = await queue(await testServer.join());
    await send(mailer, id);
    expect(await readRow(id)).toEqual({ state: 'refused', last_code: code, tries: 1 });
  });

  test('is tried again when it is not there', async () => {
    const id = await queue(await testServer.join());
    await expect(send(openMailerOf('smtp://127.0.0.1:1?tls=off'), id)).rejects.toMatchObject({
      code: 'ESOCKET',
    });
    expect(await readRow(id)).toMatchObject({ state: 'queued' });
  });

  /** Listens with a mail server of a few lines, for what a complete one never does. @returns its port */
  async function listen(onSocket: (socket: Socket) => void): Promise<number> {
    const sockets = new Set<Socket>();
    const server = createServer((socket) => {
      sockets.add(socket);
      // The client ends it when it has waited long enough.
      socket.on('error', () => {});
      onSocket(socket);
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    open.push({
      close: () => {
        for (const socket of sockets) socket.destroy();
        return new Promise((resolve) => server.close(resolve));
      },
    });
    return (server.address() as AddressInfo).port;
  }

  test.each([
    ['accepts the connection and says nothing', () => {}],
    ['greets and then says nothing', (socket: Socket) => void socket.write('220 hello\r\n')],
  ])('is tried again when it %s', async (_, onSocket) => {
    const port = await listen(onSocket);
    const id = await queue(await testServer.join());
    await expect(send(openMailerOf(`smtp://127.0.0.1:${port}?tls=off`, 100), id)).rejects.toMatchObject({
      code: 'ETIMEDOUT',
    });
    expect(await readRow(id)).toEqual({ state: 'queued', last_code: 'ETIMEDOUT', tries: 1 });
  });

  test('is tried again when it closes the connection in the middle', async () => {
    const port = await listen((socket) => {
      socket.write('220 hello\r\n');
      socket.once('data', () => socket.destroy());
    });
    const id = await queue(await testServer.join());
    await expect(send(openMailerOf(`smtp://127.0.0.1:${port}?tls=off`), id)).rejects.toMatchObject({
      code: 'ECONNECTION',
    });
    expect(await readRow(id)).toMatchObject({ state: 'queued' });
  });

  test('is tried again when it closes the connection after the text, without an answer', async () => {
    const smtp: TestSmtp = await openSmtp({ onReceived: async () => smtp.hangUp() });
    open.push(smtp);
    const id = await queue(await testServer.join());
    await expect(send(openMailerOf(smtp.url), id)).rejects.toMatchObject({ code: 'ECONNECTION' });
    expect(smtp.mails).toHaveLength(1);
    expect(await readRow(id)).toEqual({ state: 'queued', last_code: 'ECONNECTION', tries: 1 });
  });

  test('waits with the mail when it refuses the password of SMTP_URL', async () => {
    const smtp = await openSmtp({
      disabledCommands: ['STARTTLS'],
      allowInsecureAuth: true,
      onAuth: (_given, _session, done) => done(refusal(535)),
    });
    open.push(smtp);
    const id = await queue(await testServer.join());
    await expect(send(openMailerOf(`smtp://post:old@127.0.0.1:${smtp.port}?tls=off`), id)).rejects.toMatchObject({
      code: 'EAUTH 535',
    });
    expect(await readRow(id)).toEqual({ state: 'queued', last_code: 'EAUTH 535', tries: 1 });
  });

  test('waits with the mail when its certificate is for somebody else', async () => {
    // The certificate that comes with the library is signed by nobody.
    const smtp = await openSmtp({ disabledCommands: [] });
    open.push(smtp);
    const id = await queue(await testServer.join());
    await expect(send(openMailerOf(`smtp://127.0.0.1:${smtp.port}`), id)).rejects.toMatchObject({ code: 'ESOCKET' });
    expect(smtp.mails).toEqual([]);
    expect(await readRow(id)).toMatchObject({ state: 'queued', last_code: 'ESOCKET' });
  });

  test('sends nothing without encryption unless the operator says so', async () => {
    const smtp = await openSmtp();
    open.push(smtp);
    const id = await queue(await testServer.join());
    await expect(send(openMailerOf(`smtp://127.0.0.1:${smtp.port}`), id)).rejects.toMatchObject({
      code: 'ETLS 500',
    });
    expect(smtp.mails).toEqual([]);
  });

  test('sends nothing to a server whose certificate nobody vouches for', async () => {
    const smtp = await openSmtp({ disabledCommands: ['AUTH'] });
    open.push(smtp);
    const id = await queue(await testServer.join());
    await expect(send(openMailerOf(`smtp://127.0.0.1:${smtp.port}`), id)).rejects.toMatchObject({ name: 'JobError' });
    expect(smtp.mails).toEqual([]);
    expect(await readRow(id)).toMatchObject({ state: 'queued' });
  });

  test('sends the password of SMTP_URL', async () => {
    let given: unknown;
    const smtp = await openSmtp({
      disabledCommands: ['STARTTLS'],
      allowInsecureAuth: true,
      onAuth: ({ username, password }, _, done) => {
        given = [username, password];
        done(null, { user: username });
      },
    });
    open.push(smtp);
    const id = await queue(await testServer.join());
    await send(openMailerOf(`smtp://post%40callboard.example:s%3Ae%2Fcret@127.0.0.1:${smtp.port}?tls=off`), id);
    expect(given).toEqual(['post@callboard.example', 's:e/cret']);
    expect(smtp.mails).toHaveLength(1);
  });
});

test('without a mail server, mails are private files, and the person at the terminal sees the link', async () => {
  const dataDir = await mkdtemp(path.join(tmpdir(), 'callboard-mail-'));
  const printed: string[] = [];
  const mailer = openMailer(readConfig({ DATA_DIR: dataDir }), { print: (text) => printed.push(text) });
  const person = await testServer.join();
  await send(mailer, await queue(person));
  const folder = path.join(dataDir, 'mail');
  const [name] = await readdir(folder);
  expect(name).toMatch(/^\d{8}-\d{6}-verify-[0-9a-f]{8}\.eml$/);
  const file = path.join(folder, name!);
  expect([(await stat(folder)).mode & 0o777, (await stat(file)).mode & 0o777]).toEqual([0o700, 0o600]);
  expect(await readFile(file, 'utf8')).toContain(`To: ${person.email}`);
  expect(printed).toEqual([
    expect.stringMatching(/^Mail to .*: Confirm your e-mail\n {2}https:\/\/callboard\.example\/confirm#t=[\w-]{43}$/),
  ]);
  await rm(dataDir, { recursive: true });
});

describe('every kind of mail', () => {
  const context = { name: 'Ila', address: 'ila@callboard.example', home: TEST_HOME, url: `${TEST_HOME}/page#t=token` };

  test.each([...MAIL_KINDS.values()].map((kind) => [kind.name, kind] as const))(
    '%s is complete as text and loads nothing from elsewhere',
    (name, { compose, link }) => {
      const { subject, text, html } = renderMail(compose(MAIL_PARAMS[name] ?? {}, context));
      expect(subject.length).toBeLessThan(60);
      // A guardian’s name is not known.
      expect(text).toMatch(/^Hello( Ila)?,/);
      expect(text.includes(context.url)).toBe(link !== undefined);
      for (const line of text.split('\n')) if (!line.startsWith('https:')) expect(line.length).toBeLessThanOrEqual(72);
      expect(html).not.toMatch(/<img|<script|<link|url\(|src=/);
      const addresses = [...html.matchAll(/https?:\/\/[^"<\s]+/g)].map(([address]) => address);
      for (const address of addresses) expect(address.startsWith(TEST_HOME)).toBe(true);
    },
  );
});
