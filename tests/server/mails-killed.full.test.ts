import type { ChildProcess } from 'node:child_process';
import type { SMTPServerSession } from 'smtp-server';
import { afterEach, expect, test } from 'vitest';
import type { MailKind } from '#server/features/mail/kind.ts';
import { queueMail } from '#server/features/mail/queue.ts';
import { MAIL_KINDS } from '#server/features/mail/templates/index.ts';
import { MAIL_PARAMS } from './support/mail-params.ts';
import { useProcesses } from './support/processes.ts';
import { openSmtp, type TestSmtp } from './support/smtp.ts';
import { TEST_HOME, useTestServer, type Person } from './support/test-server.ts';

const testServer = useTestServer();
const processes = useProcesses('mail-process.ts');
/** The processes that send mails, by the name under which they sign in to the mail server. */
const nodes = new Map<string, ChildProcess>();
const killed = new Set<string>();
const mailServers: TestSmtp[] = [];

function startNode({ port }: TestSmtp): void {
  const name = `node-${nodes.size + killed.size}`;
  const child = processes.start({
    CONNECTION: JSON.stringify(testServer.database.connection),
    SMTP_URL: `smtp://${name}:secret@127.0.0.1:${port}?tls=off`,
    MAIL_FROM: 'Callboard <hello@callboard.example>',
    PUBLIC_URL: TEST_HOME,
  });
  nodes.set(name, child);
}

async function killNode(name: string): Promise<void> {
  const child = nodes.get(name);
  if (child === undefined) return;
  nodes.delete(name);
  killed.add(name);
  await processes.kill(child);
}

/** Where in the conversation with the mail server a node is killed. */
const MOMENTS = ['before the address', 'before the text', 'before the answer', 'before the commit'] as const;
type Moment = (typeof MOMENTS)[number];

/**
 * Opens a mail server that kills whoever talks to it, at each of these moments in turn.
 * @param mailsPerKill how many mails arrive before the next kill; 0 for none
 */
async function openDeadlySmtp(mailsPerKill: number): Promise<TestSmtp> {
  let kills = 0;
  let mailsAtKill = 0;
  const killAt = async (moment: Moment, { user }: SMTPServerSession, received: number) => {
    const isDue =
      mailsPerKill > 0 && received - mailsAtKill >= mailsPerKill && MOMENTS[kills % MOMENTS.length] === moment;
    if (!isDue) return;
    kills += 1;
    mailsAtKill = received;
    await killNode(String(user));
    startNode(smtp);
  };
  const smtp: TestSmtp = await openSmtp({
    disabledCommands: ['STARTTLS'],
    allowInsecureAuth: true,
    onAuth: ({ username }, _session, done) => done(null, { user: username }),
    onMailFrom: (_address, session, done) => {
      void killAt('before the address', session, smtp.mails.length).then(() => done());
    },
    onRcptTo: (_address, session, done) => {
      void killAt('before the text', session, smtp.mails.length).then(() => done());
    },
    onReceived: (session) => killAt('before the answer', session, smtp.mails.length),
    // The process is killed while the answer is on its way.
    onAnswered: (session) => void killAt('before the commit', session, smtp.mails.length),
  });
  mailServers.push(smtp);
  return smtp;
}

afterEach(async () => {
  for (const name of nodes.keys()) await killNode(name);
  for (const smtp of mailServers.splice(0)) await smtp.close();
  await testServer.database.pool.query('delete from mails');
});

interface Wanted {
  kind: string;
  to: string;
}

/** An event in a transaction of its own. Every tenth is rolled back, so it never happened. */
async function happen(n: number, person: Person): Promise<boolean> {
  const kinds = [...MAIL_KINDS.keys()];
  const name = kinds[n % kinds.length]!;
  const isRolledBack = n % 10 === 9;
  const kind = { name } as MailKind<Record<string, unknown>>;
  const to = { userId: Number(person.id), address: person.email };
  const event = testServer.database.db.transaction(async (tx) => {
    await queueMail(tx, kind, MAIL_PARAMS[name] ?? {}, to, testServer.clock.now());
    if (isRolledBack) throw new Error('rolled back');
  });
  await event.catch((error: Error) => {
    if (error.message !== 'rolled back') throw error;
  });
  return !isRolledBack;
}

/** People, of whom every third has switched off all mail that can be switched off. */
async function invite(count: number): Promise<{ person: Person; wantsAll: boolean }[]> {
  const people = [];
  for (let n = 0; n < count; n += 1) {
    const person = await testServer.join();
    const wantsAll = n % 3 !== 0;
    if (!wantsAll) {
      const body = { sign_in_mail: false, news_mail: false };
      expect((await testServer.call('PUT /settings', { token: person.token, body })).status).toBe(200);
    }
    people.push({ person, wantsAll });
  }
  return people;
}

/** Causes events of all kinds and waits until no mail waits. @returns the mails that somebody wants */
async function causeEvents(count: number): Promise<Wanted[]> {
  const people = await invite(7);
  const wanted: Wanted[] = [];
  for (let n = 0; n < count; n += 1) {
    const { person, wantsAll } = people[n % people.length]!;
    const kind = [...MAIL_KINDS.values()][n % MAIL_KINDS.size]!;
    const hasHappened = await happen(n, person);
    if (hasHappened && (wantsAll || kind.switchedBy === undefined)) wanted.push({ kind: kind.name, to: person.email });
  }
  const { pool } = testServer.database;
  const countRows = async (query: string) => (await pool.query<{ n: number }>(query)).rows[0]?.n;
  await expect
    .poll(() => countRows(`select count(*)::int as n from mails where state = 'queued'`), { timeout: 300_000 })
    .toBe(0);
  await expect
    .poll(() => countRows('select count(*)::int as n from graphile_worker.jobs'), { timeout: 20_000 })
    .toBe(0);
  return wanted;
}

/** The nodes from which each mail arrived, by its Message-ID. */
function groupById({ mails }: TestSmtp): Map<string, string[]> {
  const found = new Map<string, string[]>();
  for (const { parsed, user } of mails) {
    const id = parsed.messageId ?? '';
    found.set(id, [...(found.get(id) ?? []), user]);
  }
  return found;
}

/** The mails that arrived, each Message-ID once. */
function listArrived({ mails }: TestSmtp): string[] {
  const byId = new Map(mails.map(({ parsed, to }) => [parsed.messageId, `${parsed.subject} → ${to.join()}`]));
  return [...byId.values()].sort();
}

async function listExpected(wanted: readonly Wanted[]): Promise<string[]> {
  const subjects = new Map(
    [...MAIL_KINDS.values()].map(({ name, compose }) => {
      const context = { name: 'Ila Deshpande', address: '', home: TEST_HOME, url: '' };
      return [name, compose(MAIL_PARAMS[name] ?? {}, context).subject];
    }),
  );
  return wanted.map(({ kind, to }) => `${subjects.get(kind)} → ${to}`).sort();
}

const EVENTS = 1000;
const MAILS_PER_KILL = 50;

test(`nodes that are killed every ${MAILS_PER_KILL} mails send each mail of ${EVENTS} events to whoever wants it, and repeat only what a killed one had handed over`, async () => {
  const smtp = await openDeadlySmtp(MAILS_PER_KILL);
  startNode(smtp);
  startNode(smtp);
  const wanted = await causeEvents(EVENTS);
  expect(killed.size).toBeGreaterThanOrEqual(Math.floor(wanted.length / MAILS_PER_KILL) - 1);
  expect(listArrived(smtp)).toEqual(await listExpected(wanted));
  for (const [, senders] of groupById(smtp)) {
    // Only a node that did not live to note the answer may have sent it before.
    for (const sender of senders.slice(0, -1)) expect(killed).toContain(sender);
    expect(new Set(senders).size).toBe(senders.length);
  }
}, 600_000);

test('nodes that live send no mail twice', async () => {
  const smtp = await openDeadlySmtp(0);
  startNode(smtp);
  startNode(smtp);
  const wanted = await causeEvents(500);
  expect(smtp.mails).toHaveLength(wanted.length);
  expect(listArrived(smtp)).toEqual(await listExpected(wanted));
}, 300_000);
