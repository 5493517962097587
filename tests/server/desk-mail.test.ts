import { eq } from 'drizzle-orm';
import { beforeEach, describe, expect, test } from 'vitest';
import { jobHandlers } from '#server/jobs.ts';
import { ageRequests, appeals, reports, users } from '#server/platform/db/schema.ts';
import { deskCalls } from './support/desk.ts';
import { mailboxOf } from './support/mailbox.ts';
import { addProfile } from './support/people.ts';
import { newcomersOf } from './support/newcomers.ts';
import { TEST_HOME, useTestServer, type Person } from './support/test-server.ts';

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
const testServer = useTestServer();
const { addMinor } = newcomersOf(testServer);
const { joinDesk, act, report } = deskCalls(testServer);
const { readMails } = mailboxOf(testServer);
const db = () => testServer.database.db;

/** Looks for what waits at the desk, as the server does every five minutes. */
async function gather(): Promise<void> {
  const mailer = { send: async () => {}, close: () => {} };
  const handlers = jobHandlers(testServer.app.deps, { mailer, home: TEST_HOME });
  await handlers.find(({ name }) => name === 'desk.mail')!.run({}, { attempt: 1, signal: undefined });
}
async function gatherAndSend(): Promise<void> {
  await gather();
  await testServer.runJobs();
}
const readDeskMails = (person: Person) => readMails(person, 'desk.waiting');
const listSubjects = async (person: Person) => (await readDeskMails(person)).map(({ subject }) => subject);
const confirmAddress = ({ id }: Person) =>
  db()
    .update(users)
    .set({ emailVerifiedAt: testServer.clock.now() })
    .where(eq(users.id, Number(id)));
async function addWorker(role: 'moderator' | 'operator'): Promise<Person> {
  const worker = await joinDesk(role);
  await confirmAddress(worker);
  return worker;
}
const close = (id: string) =>
  db()
    .update(reports)
    .set({ state: 'closed' })
    .where(eq(reports.id, Number(id)));
const reportSomebody = async (about?: Person) =>
  report(await testServer.join(), about ?? (await testServer.join('Vik Sood')));

beforeEach(async () => {
  await db().delete(reports);
  await db().delete(appeals);
  await db().delete(ageRequests);
  await db().update(users).set({ role: 'person' });
});

describe('a mail about what waits at the desk', () => {
  test('has numbers only, and comes once', async () => {
    const operator = await addWorker('operator');
    await gatherAndSend();
    expect(await readDeskMails(operator)).toEqual([]);
    await reportSomebody();
    await reportSomebody();
    await gatherAndSend();
    await gatherAndSend();
    const [mail, ...rest] = await readDeskMails(operator);
    expect(rest).toEqual([]);
    expect(mail?.subject).toBe('2 reports wait at the desk');
    expect(mail?.text).toContain(`${TEST_HOME}/desk`);
    expect(mail?.text).not.toContain('Vik Sood');
  });

  test('comes again for something new after six hours, and as a reminder after a day', async () => {
    const operator = await addWorker('operator');
    await reportSomebody();
    await gatherAndSend();
    testServer.clock.advance(HOUR_MS);
    await reportSomebody();
    testServer.clock.advance(5 * HOUR_MS - MINUTE_MS);
    await gatherAndSend();
    expect(await listSubjects(operator)).toHaveLength(1);
    testServer.clock.advance(MINUTE_MS);
    await gatherAndSend();
    testServer.clock.advance(24 * HOUR_MS - MINUTE_MS);
    await gatherAndSend();
    expect(await listSubjects(operator)).toEqual(['1 report waits at the desk', '2 reports wait at the desk']);
    testServer.clock.advance(MINUTE_MS);
    await gatherAndSend();
    expect(await listSubjects(operator)).toHaveLength(3);
  });

  test('about somebody under 18 names that first, and comes half an hour after the last', async () => {
    const operator = await addWorker('operator');
    await reportSomebody();
    await gatherAndSend();
    testServer.clock.advance(MINUTE_MS);
    await reportSomebody(await addMinor());
    testServer.clock.advance(28 * MINUTE_MS);
    await gatherAndSend();
    expect(await listSubjects(operator)).toHaveLength(1);
    testServer.clock.advance(MINUTE_MS);
    await gatherAndSend();
    const mail = (await readDeskMails(operator))[1];
    expect(mail?.subject).toBe('1 report about somebody under 18 waits at the desk');
    expect(mail?.text).toContain('2 reports wait at the Callboard desk.');
  });

  test('counts appeals, and dates of birth for operators only', async () => {
    const operator = await addWorker('operator');
    const moderator = await addWorker('moderator');
    const suspended = await testServer.join('Vik Sood');
    await act(operator, 'suspend', 'user', suspended.id);
    await testServer.call('POST /appeals', { token: suspended.token, body: { text: 'It was a joke.' } });
    const minor = await addMinor();
    const asked = await testServer.call('PUT /born-on', { token: minor.token, body: { born_on: '1994-08-17' } });
    expect(asked.status).toBe(202);
    await gatherAndSend();
    // Somebody else answers an appeal against one's own decision.
    expect(await listSubjects(operator)).toEqual(['1 date of birth to check waits at the desk']);
    expect(await listSubjects(moderator)).toEqual(['1 appeal waits at the desk']);
  });

  test('does not count appeals of the person to whom it goes', async () => {
    const operator = await addWorker('operator');
    const moderator = await addWorker('moderator');
    const { id } = await addProfile(testServer, moderator);
    await act(operator, 'hide', 'profile', id);
    const [restriction] = (await testServer.call<{ id: string }[]>('GET /restrictions', { token: moderator.token }))
      .body;
    const body = { text: 'It is mine.', restriction_id: restriction?.id };
    const sent = await testServer.call('POST /appeals', { token: moderator.token, body });
    expect(sent.status).toBe(201);
    await gatherAndSend();
    expect(await listSubjects(moderator)).toEqual([]);
  });

  test('goes only to a confirmed address of somebody who works there and is not the one reported', async () => {
    const unconfirmed = await joinDesk('operator');
    const reported = await addWorker('moderator');
    const former = await addWorker('moderator');
    await reportSomebody(reported);
    await gather();
    await db()
      .update(users)
      .set({ role: 'person' })
      .where(eq(users.id, Number(former.id)));
    for (const person of [unconfirmed, reported, former]) expect(await readDeskMails(person)).toEqual([]);
  });

  test('is not sent when others have done the work meanwhile', async () => {
    const operator = await addWorker('operator');
    const id = await reportSomebody();
    await gather();
    await close(id);
    expect(await readDeskMails(operator)).toEqual([]);
    // A mail that was not sent delays none.
    await reportSomebody();
    await gatherAndSend();
    expect(await listSubjects(operator)).toEqual(['1 report waits at the desk']);
  });
});
