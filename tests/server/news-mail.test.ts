import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { openMailer, type Mailer } from '#server/features/mail/transport.ts';
import { openPushSender, type PushSender } from '#server/features/push/service.ts';
import { jobHandlers } from '#server/jobs.ts';
import { readConfig } from '#server/platform/config.ts';
import { runDueJobs } from '#server/platform/jobs/worker.ts';
import { addProfile, block, connect, requestConnection } from './support/people.ts';
import { openPushService, type TestPushService } from './support/push-service.ts';
import { quietLog } from './support/quiet.ts';
import { openSmtp, refusal, type TestSmtp } from './support/smtp.ts';
import { openTestServer, TEST_HOME, type Person, type TestServer } from './support/test-server.ts';

let service: TestPushService;
let smtp: TestSmtp;
let testServer: TestServer;
let mailer: Mailer;
let pushSender: PushSender | null;
let isMailServerDown = false;
beforeAll(async () => {
  service = await openPushService();
  smtp = await openSmtp({
    onMailFrom: (_address, _session, done) => (isMailServerDown ? done(refusal(451)) : done()),
  });
  testServer = await openTestServer({ env: { PUSH_HOSTS: service.host }, pushAgent: service.agent });
  mailer = openMailer(
    readConfig({ SMTP_URL: smtp.url, MAIL_FROM: 'Callboard <hello@callboard.example>', PUBLIC_URL: TEST_HOME }),
  );
  const { config } = testServer.app.deps;
  pushSender = openPushSender({ config, db: testServer.database.db, agent: service.agent });
});
afterAll(async () => {
  mailer.close();
  await testServer.close();
  await smtp.close();
  await service.close();
});
beforeEach(async () => {
  smtp.mails.length = 0;
  service.pushes.length = 0;
  await query('update notifications set mail_waits_since = null');
  await query('delete from graphile_worker._private_jobs');
});
afterEach(() => {
  isMailServerDown = false;
  service.answerWith(() => null);
});

const query = async <Row extends object>(text: string, values: unknown[] = []): Promise<Row[]> =>
  (await testServer.database.pool.query<Row>(text, values)).rows;
const getHandlers = () => jobHandlers(testServer.app.deps, { mailer, pushSender, home: TEST_HOME });
const MINUTE_MS = 60_000;
const passMinutes = (minutes: number) => testServer.clock.advance(minutes * MINUTE_MS);

/** Does the jobs that are due, with the real mail server and push service. */
const runJobs = () => runDueJobs(testServer.database.pool, { handlers: getHandlers(), log: quietLog });
/** Looks for news that is to be mailed, as the server does every five minutes. */
async function gather(): Promise<void> {
  await getHandlers()
    .find(({ name }) => name === 'news.mail')!
    .run({}, { attempt: 1, signal: undefined });
}
async function gatherAndSend(): Promise<void> {
  await gather();
  await runJobs();
}
async function retryJobs(): Promise<void> {
  await query('select graphile_worker.reschedule_jobs(array(select id from graphile_worker.jobs), run_at => now())');
  await runJobs();
}
const listMails = ({ email }: Person) => smtp.mails.filter(({ to }) => to.includes(email));
const listSubjects = (person: Person) => listMails(person).map(({ parsed }) => parsed.subject);
const changeSettings = async ({ token }: Person, body: object) => {
  expect((await testServer.call('PUT /settings', { token, body })).status).toBe(200);
};

/** A person with a confirmed address who has closed the app an hour ago. */
async function joinAway(): Promise<Person> {
  const person = await testServer.join('Omar Sheikh');
  await query('update users set email_verified_at = created_at where id = $1', [person.id]);
  await addProfile(testServer, person);
  passMinutes(60);
  return person;
}
async function ask(person: Person, name = 'Farah Irani'): Promise<{ asker: Person; id: string }> {
  const asker = await testServer.join(name);
  return { asker, id: await requestConnection(testServer, asker, person) };
}
/** Somebody whom the person is connected with writes to them. The app of the person has been closed since. */
async function write(person: Person): Promise<void> {
  const writer = await testServer.join('Ila Deshpande');
  await connect(testServer, writer, person);
  await query('update notifications set mail_waits_since = null');
  passMinutes(60);
  const [conversation] = (
    await testServer.call<{ conversation_id: string }[]>('GET /conversations', { token: writer.token })
  ).body;
  const body = { conversation_id: conversation!.conversation_id, receiver_id: person.id, message: 'Shall we meet?' };
  expect((await testServer.call('POST /chat/send', { token: writer.token, body })).status).toBe(201);
}
async function addDevice(person: Person, timeZone = 'Asia/Kolkata') {
  const device = service.addDevice();
  const body = { ...device.subscription, time_zone: timeZone };
  expect((await testServer.call('PUT /push/subscription', { token: person.token, body })).status).toBe(200);
  passMinutes(60);
  return device;
}

describe('a mail about news', () => {
  test('says once how much is new, names nobody, and can be stopped', async () => {
    const person = await joinAway();
    await ask(person, 'Farah Irani');
    await ask(person, 'Zoya Khan');
    passMinutes(29);
    await gatherAndSend();
    expect(smtp.mails).toEqual([]);
    passMinutes(2);
    await gatherAndSend();
    await gatherAndSend();
    expect(listSubjects(person)).toEqual(['2 requests on Callboard']);
    const [{ raw, parsed }] = listMails(person) as [(typeof smtp.mails)[0]];
    expect(parsed.text).toContain('this is new on Callboard: 2 requests.');
    expect(parsed.text).toContain(`${TEST_HOME}/notifications`);
    expect(raw).not.toMatch(/Farah|Zoya/);
    expect(raw).toMatch(/^List-Unsubscribe-Post: List-Unsubscribe=One-Click\r$/m);
    const [, path] = /<https:\/\/callboard\.example(\/mail\/stop\/\d+-newsMail-[\w-]{43})>/.exec(raw)!;
    expect((await testServer.call(`POST ${path}`)).body).toEqual({
      message: 'You no longer get e-mails about what is new',
    });
    passMinutes(120);
    await ask(person, 'Kabir Rao');
    passMinutes(31);
    await gatherAndSend();
    expect(listMails(person)).toHaveLength(1);
  });

  test('names different kinds by their number, messages only if the person wants them', async () => {
    const person = await joinAway();
    await write(person);
    await ask(person);
    passMinutes(31);
    await gatherAndSend();
    expect(listSubjects(person)).toEqual(['1 request on Callboard']);
    await changeSettings(person, { message_mail: true });
    await write(person);
    await ask(person, 'Zoya Khan');
    passMinutes(31);
    await gatherAndSend();
    expect(listSubjects(person)[1]).toBe('2 new things on Callboard');
    expect(listMails(person)[1]!.parsed.text).toMatch(/Callboard: 1 (message and 1 request|request and 1 message)\./);
    expect(listMails(person)[1]!.raw).not.toContain('Shall we meet?');
  });

  test('is sent when the push service takes nothing', async () => {
    const person = await joinAway();
    await addDevice(person);
    service.answerWith(() => ({ status: 503 }));
    await ask(person);
    await runJobs();
    passMinutes(31);
    await gatherAndSend();
    expect(listSubjects(person)).toEqual(['1 request on Callboard']);
  });

  test('comes at most once an hour, and the next one tells what came meanwhile', async () => {
    const person = await joinAway();
    await ask(person);
    passMinutes(31);
    await gatherAndSend();
    await ask(person, 'Zoya Khan');
    passMinutes(31);
    await gatherAndSend();
    await ask(person, 'Kabir Rao');
    passMinutes(28);
    await gatherAndSend();
    expect(listMails(person)).toHaveLength(1);
    passMinutes(32);
    await gatherAndSend();
    expect(listSubjects(person)).toEqual(['1 request on Callboard', '2 requests on Callboard']);
  });

  test('is one when several nodes look for news at once', async () => {
    const person = await joinAway();
    await ask(person);
    passMinutes(31);
    await Promise.all([gather(), gather(), gather()]);
    await runJobs();
    expect(listSubjects(person)).toEqual(['1 request on Callboard']);
  });

  test('is one while the mail server is down for hours', async () => {
    const person = await joinAway();
    isMailServerDown = true;
    for (const name of ['Farah Irani', 'Zoya Khan', 'Kabir Rao']) {
      await ask(person, name);
      passMinutes(61);
      await gatherAndSend();
    }
    isMailServerDown = false;
    await retryJobs();
    expect(listSubjects(person)).toEqual(['1 request on Callboard']);
    for (let waited = 0; waited < 120; waited += 5) {
      passMinutes(5);
      await gatherAndSend();
    }
    expect(listSubjects(person)).toEqual(['1 request on Callboard', '2 requests on Callboard']);
  });
});

type Act = (event: { person: Person; asker: Person; id: string }) => Promise<unknown>;
const NOT_WANTED: [string, Act][] = [
  [
    'the person reads it',
    ({ person }) => query('update notifications set read_at = now() where user_id = $1', [person.id]),
  ],
  ['the person opens the app', ({ person }) => testServer.call('GET /notifications', { token: person.token })],
  ['the request is withdrawn', ({ asker, id }) => testServer.call(`DELETE /connections/${id}`, { token: asker.token })],
  ['the person blocks the other', ({ person, asker }) => block(testServer, person, asker)],
  ['the person is blocked', ({ person, asker }) => block(testServer, asker, person)],
  [
    'the desk suspends the other',
    ({ asker }) => query(`update users set state = 'suspended' where id = $1`, [asker.id]),
  ],
  [
    'the desk suspends the person',
    ({ person }) => query(`update users set state = 'suspended' where id = $1`, [person.id]),
  ],
  ['the other deletes the account', ({ asker }) => query('delete from users where id = $1', [asker.id])],
  [
    'the kind is switched off',
    ({ person }) => query(`update users set push = '{"kinds":{"request":false}}' where id = $1`, [person.id]),
  ],
  [
    'these mails are switched off',
    ({ person }) => query('update users set news_mail = false where id = $1', [person.id]),
  ],
  [
    'the address turns out to be wrong',
    ({ person }) => query('update users set unreachable_email = email where id = $1', [person.id]),
  ],
  [
    'the address counts as not confirmed',
    ({ person }) => query('update users set email_verified_at = null where id = $1', [person.id]),
  ],
  [
    'a device takes the push after all',
    ({ person }) =>
      query(
        `insert into deliveries (alert, subscription_id, user_id, kind, state, due_at, at)
         select alert, 1, user_id, 'notification', 'sent', now(), now() from notifications where user_id = $1`,
        [person.id],
      ),
  ],
];

describe('no mail is sent', () => {
  test('about what a device has taken', async () => {
    const person = await joinAway();
    await addDevice(person);
    await ask(person);
    await runJobs();
    expect(await query('select state, code from deliveries where user_id = $1', [person.id])).toEqual([
      { state: 'sent', code: '201' },
    ]);
    passMinutes(31);
    await gatherAndSend();
    expect(smtp.mails).toEqual([]);
  });

  test.each(NOT_WANTED)('when %s before it is gathered', async (_, act) => {
    const person = await joinAway();
    const event = { person, ...(await ask(person)) };
    passMinutes(31);
    await act(event);
    await gatherAndSend();
    expect(smtp.mails).toEqual([]);
    expect(await query('select 1 from notifications where mail_waits_since is not null')).toEqual([]);
  });

  test.each([
    ...NOT_WANTED,
    [
      'the address becomes another one',
      ({ person }) => query(`update users set email = 'moved-' || email where id = $1`, [person.id]),
    ] as [string, Act],
  ])('when %s while the mail server is down', async (_, act) => {
    const person = await joinAway();
    const event = { person, ...(await ask(person)) };
    passMinutes(31);
    isMailServerDown = true;
    await gatherAndSend();
    await act(event);
    isMailServerDown = false;
    await retryJobs();
    expect(smtp.mails).toEqual([]);
    expect(await query(`select state from mails where user_id = $1 and kind = 'news'`, [person.id])).toEqual([
      { state: 'dropped' },
    ]);
  });

  test('in quiet hours, and one is sent at their end', async () => {
    const person = await joinAway();
    const [local] = await query<{ time: string }>(
      `select to_char($1::timestamptz at time zone 'Asia/Kolkata', 'HH24:MI') as time`,
      [testServer.clock.now().toISOString()],
    );
    const hour = Number(local!.time.slice(0, 2));
    const toHour = (later: number) => `${String((hour + later) % 24).padStart(2, '0')}:00`;
    await changeSettings(person, {
      push: { quiet: { from: toHour(0), to: toHour(3), time_zone: 'Asia/Kolkata' } },
    });
    passMinutes(5);
    await ask(person);
    passMinutes(31);
    await gatherAndSend();
    expect(smtp.mails).toEqual([]);
    passMinutes(3 * 60);
    await gatherAndSend();
    expect(listSubjects(person)).toEqual(['1 request on Callboard']);
  });

  test('in quiet hours that begin while the mail server is down, and the same one is sent at their end', async () => {
    const person = await joinAway();
    await ask(person);
    passMinutes(31);
    isMailServerDown = true;
    await gatherAndSend();
    isMailServerDown = false;
    const now = testServer.clock.now();
    const toTime = (at: Date) => at.toISOString().slice(11, 16);
    const quiet = { from: toTime(now), to: toTime(new Date(now.getTime() + 90 * MINUTE_MS)) };
    await query('update users set push = $2 where id = $1', [person.id, { quiet }]);
    await retryJobs();
    expect(smtp.mails).toEqual([]);
    const [job] = await query<{ minutes: string }>(
      `select extract(epoch from run_at - now()) / 60 as minutes from graphile_worker.jobs where key like 'mail:%'`,
    );
    expect(Number(job!.minutes)).toBeGreaterThan(88);
    passMinutes(91);
    await retryJobs();
    expect(listSubjects(person)).toEqual(['1 request on Callboard']);
  });

  test('about a push that a device holds for the end of its quiet hours', async () => {
    const person = await joinAway();
    await addDevice(person);
    await ask(person);
    await query(
      `insert into deliveries (alert, subscription_id, user_id, kind, state, due_at, at)
       select alert, (select id from push_subscriptions p where p.user_id = n.user_id), user_id, 'notification', 'held', now(), now()
       from notifications n where user_id = $1`,
      [person.id],
    );
    passMinutes(31);
    await gatherAndSend();
    expect(smtp.mails).toEqual([]);
    await query(`update deliveries set state = 'sent' where user_id = $1`, [person.id]);
    passMinutes(31);
    await gatherAndSend();
    expect(smtp.mails).toEqual([]);
    expect(await query('select 1 from notifications where mail_waits_since is not null')).toEqual([]);
  });
});
