import { eq } from 'drizzle-orm';
import { expect, test } from 'vitest';
import type { AuditRecord, DeskAppeal, DeskReportDetail, DeskReportList } from '#contract/records/desk.ts';
import { users } from '#server/platform/db/schema.ts';
import { deskCalls } from './support/desk.ts';
import { addPhoto, addProfile, connect } from './support/people.ts';
import { useTestServer, type Person } from './support/test-server.ts';

const testServer = useTestServer();
const { joinDesk, addPasskey, act, ask, undo, get, inDays, report } = deskCalls(testServer);
const DAY_MS = 86_400_000;

const readReport = (id: string, person: Person) => get<DeskReportDetail>(`GET /desk/reports/${id}`, person);
const findEntry = async (person: Person, about: Person, { id }: AuditRecord) =>
  (await get<{ log: AuditRecord[] }>(`GET /desk/people/${about.id}`, person)).log.find((each) => each.id === id);

test('says whether the reported thing is shown, hidden by which act, or gone', async () => {
  const noor = await joinDesk('moderator');
  const [vik, zoya] = [await testServer.join('Vik Anand'), await testServer.join('Zoya')];
  const { id: profileId } = await addProfile(testServer, vik);
  const photo = await addPhoto(testServer, vik, profileId);
  const id = await report(zoya, vik, { target_type: 'media', target_id: photo.id });
  const read = async () => {
    const { target_state, hidden_by } = await readReport(id, noor);
    return { target_state, hidden_by };
  };
  expect(await read()).toEqual({ target_state: 'shown', hidden_by: null });
  const done = await act(noor, 'hide', 'media', photo.id, { report_id: id });
  expect(await read()).toEqual({ target_state: 'hidden', hidden_by: done.id });
  await undo(noor, done);
  expect(await read()).toEqual({ target_state: 'shown', hidden_by: null });
  await testServer.call(`DELETE /media/${photo.id}`, { token: vik.token });
  expect(await read()).toEqual({ target_state: 'gone', hidden_by: null });
  const late = await ask(noor, 'hide', 'media', photo.id, { report_id: id });
  expect([late.status, late.body.message]).toEqual([404, expect.stringContaining('no longer exists')]);
});

test('says of every kind of reported thing that it is gone once it was deleted', async () => {
  const noor = await joinDesk('moderator');
  const [vik, zoya] = [await testServer.join('Vik Anand'), await testServer.join('Zoya')];
  const { id: profile_id } = await addProfile(testServer, zoya);
  const { id: ownProfile } = await addProfile(testServer, vik);
  const asked = await testServer.call<{ data: { id: string } }>(`POST /connections/request/${zoya.id}`, {
    token: vik.token,
    body: { message: 'Pay 4,999 today' },
  });
  const requestId = asked.body.data.id;
  const ofRequest = await report(zoya, vik, { target_type: 'request', target_id: requestId });
  expect(await readReport(ofRequest, noor)).toMatchObject({ target_state: 'shown' });
  await testServer.call(`POST /connections/decline/${requestId}`, { token: zoya.token });
  expect(await readReport(ofRequest, noor)).toMatchObject({ target_state: 'gone' });

  await connect(testServer, vik, zoya);
  const written = await testServer.call<{ data: { id: string } }>('POST /feedback', {
    token: vik.token,
    body: { profile_id, feedback: 'Rude words' },
  });
  const reporter = await testServer.join('Farah');
  const feedback = { target_type: 'feedback', target_id: written.body.data.id };
  const ofFeedback = await report(reporter, vik, feedback);
  expect(await readReport(ofFeedback, noor)).toMatchObject({ target_state: 'shown' });
  const other = await testServer.join('Kabir');
  const ofProfile = await report(other, vik, { target_type: 'profile', target_id: ownProfile });
  const ofPerson = await report(await testServer.join('Meher'), vik);
  const states = async () =>
    Promise.all([ofFeedback, ofProfile, ofPerson].map(async (id) => (await readReport(id, noor)).target_state));
  expect(await states()).toEqual(['shown', 'shown', 'shown']);
  await testServer.call('DELETE /account', { token: vik.token, body: { password: vik.password } });
  expect(await states()).toEqual(['gone', 'gone', 'gone']);
});

test('offers no undoing of a suspension that has ended by itself, and refuses it with words', async () => {
  const noor = await joinDesk('moderator');
  const vik = await testServer.join('Vik Anand');
  const done = await act(noor, 'suspend', 'user', vik.id, { until: inDays(1) });
  expect(await findEntry(noor, vik, done)).toMatchObject({ can_undo: true });
  testServer.clock.advance(2 * DAY_MS);
  await testServer.database.pool.query(`update graphile_worker._private_jobs set run_at = now()`);
  await testServer.runJobs();
  expect(await findEntry(noor, vik, done)).toMatchObject({ can_undo: false });
  const late = await undo(noor, done);
  expect([late.status, late.body.message]).toEqual([409, 'This has ended already, so there is nothing to undo']);
});

test('offers to undo only the acts that still have an effect', async () => {
  const ishaan = await joinDesk('operator');
  const vik = await testServer.join('Vik Anand');
  await addPasskey(vik);
  const made = await act(ishaan, 'moderator.make', 'user', vik.id);
  const unmade = await act(ishaan, 'moderator.unmake', 'user', vik.id);
  const verified = await act(ishaan, 'office.verify', 'user', vik.id, { name: 'Blue Lantern Casting' });
  const removed = await act(ishaan, 'account.remove', 'user', vik.id, { name: 'Vik Anand' });
  const canUndo = async () => {
    const entries = [made, unmade, verified, removed];
    return Promise.all(entries.map(async (each) => (await findEntry(ishaan, vik, each))?.can_undo));
  };
  expect(await canUndo()).toEqual([false, true, true, true]);
  await undo(ishaan, removed);
  await undo(ishaan, unmade);
  const { person } = await get<{ person: { office: { id: string } } }>(`GET /desk/people/${vik.id}`, ishaan);
  const revoked = await act(ishaan, 'office.revoke', 'office', person.office.id);
  expect(await canUndo()).toEqual([true, false, false, false]);
  expect(await findEntry(ishaan, vik, revoked)).toMatchObject({ can_undo: true });
});

test('suspends and removes no operator, and nobody at the desk themselves', async () => {
  const [ishaan, tara] = [await joinDesk('operator'), await joinDesk('operator', 'Tara Bose')];
  for (const name of ['suspend', 'account.remove']) {
    const other = await ask(ishaan, name, 'user', tara.id, { name: 'Tara Bose' });
    expect([other.status, other.body.message]).toEqual([403, expect.stringContaining('This person is an operator')]);
    const own = await ask(ishaan, name, 'user', ishaan.id, { name: 'Ishaan Sethi' });
    expect([own.status, own.body.message]).toEqual([422, 'You cannot do this to yourself']);
  }
  await addProfile(testServer, tara);
  expect(await get('GET /user', tara)).toMatchObject({ is_suspended: false });
});

test('has a report about somebody at the desk decided by somebody else, who alone learns who filed it', async () => {
  const [ishaan, tara] = [await joinDesk('operator'), await joinDesk('operator', 'Tara Bose')];
  const [vik, zoya] = [await testServer.join('Vik Anand'), await testServer.join('Zoya Sheikh')];
  const { id: profileId } = await addProfile(testServer, ishaan);
  const id = await report(zoya, ishaan, { target_type: 'profile', target_id: profileId, text: 'He asks for money' });
  const own = await testServer.call('GET /desk/reports?limit=100', { token: ishaan.token });
  expect(own.text).not.toContain('He asks for money');
  expect(await readReport(id, ishaan)).toMatchObject({
    is_about_caller: true,
    reporter: null,
    text: null,
    target_id: '',
    evidence: { words: null, file: null, before: [] },
  });
  for (const [name, type, target, more] of [
    ['report.close', 'report', id, {}],
    ['suspend', 'user', vik.id, { report_id: id }],
  ] as const) {
    const refused = await ask(ishaan, name, type, target, more);
    expect([refused.status, refused.body.message]).toEqual([422, expect.stringContaining('This report is about you')]);
  }
  expect(await readReport(id, tara)).toMatchObject({
    is_about_caller: false,
    reporter: { name: 'Zoya Sheikh' },
    text: 'He asks for money',
  });
  const hidden = await act(tara, 'hide', 'profile', profileId, { report_id: id });
  expect(await findEntry(ishaan, ishaan, hidden)).toMatchObject({ can_undo: false });
  const lifted = await undo(ishaan, hidden);
  expect([lifted.status, lifted.body.message]).toEqual([422, expect.stringContaining('This is about you')]);
  await testServer.call('POST /appeals', {
    token: ishaan.token,
    body: { text: 'It was a joke.', restriction_id: (await get<{ id: string }[]>('GET /restrictions', ishaan))[0]?.id },
  });
  const appeal = (await get<DeskAppeal[]>('GET /desk/appeals?limit=100', ishaan)).find(
    ({ person }) => person.id === ishaan.id,
  );
  expect(appeal).toMatchObject({ can_answer: false });
  expect((await ask(ishaan, 'appeal.answer', 'appeal', appeal?.id ?? '')).status).toBe(422);
});

test('tells a second tab in words that the report was decided, and takes the decision once it is open again', async () => {
  const [noor, ishaan] = [await joinDesk('moderator'), await joinDesk('operator')];
  const [vik, zoya] = [await testServer.join('Vik Anand'), await testServer.join('Zoya')];
  const id = await report(zoya, vik);
  const closed = await act(noor, 'report.close', 'report', id, { words: null });
  const again = await ask(ishaan, 'report.close', 'report', id, { words: null });
  expect([again.status, again.body.message]).toEqual([409, 'Somebody else at the desk has just closed this report']);
  const late = await ask(ishaan, 'suspend', 'user', vik.id, { report_id: id });
  expect([late.status, late.body.message]).toEqual([409, expect.stringContaining('This report was closed meanwhile')]);
  expect(await get('GET /user', vik)).toMatchObject({ is_suspended: false });
  await undo(ishaan, closed);
  expect((await ask(ishaan, 'suspend', 'user', vik.id, { report_id: id })).status).toBe(201);
  const list = await get<DeskReportList>('GET /desk/reports?limit=100', noor);
  expect(list.data.find((each) => each.id === id)).toMatchObject({ state: 'open', is_about_caller: false });
});

test('names in the account what the desk hides, until it is shown again or deleted', async () => {
  const noor = await joinDesk('moderator');
  const vik = await testServer.join('Vik Anand');
  const { id: profileId } = await addProfile(testServer, vik);
  const photo = await addPhoto(testServer, vik, profileId);
  const read = async () => (await get<{ hidden_by_desk: string[] }>('GET /user', vik)).hidden_by_desk;
  expect(await read()).toEqual([]);
  const ofProfile = await act(noor, 'hide', 'profile', profileId);
  await act(noor, 'hide', 'media', photo.id);
  expect(await read()).toEqual([`profile:${profileId}`, `media:${photo.id}`]);
  await undo(noor, ofProfile);
  expect(await read()).toEqual([`media:${photo.id}`]);
  await testServer.call(`DELETE /media/${photo.id}`, { token: vik.token });
  expect(await read()).toEqual([]);
});

test('answers the account, the list of decisions and refused writes from the same suspension', async () => {
  const noor = await joinDesk('moderator');
  const vik = await testServer.join('Vik Anand');
  const { id } = await addProfile(testServer, vik);
  await act(noor, 'hide', 'profile', id, { words: 'The page shows a fee.' });
  const until = inDays(2);
  await act(noor, 'suspend', 'user', vik.id, { until });
  const account = await get<{ suspension: object }>('GET /account', vik);
  expect(account.suspension).toMatchObject({ words: 'No fees for auditions.', until });
  const decisions = await get<{ kind: string; until: string | null }[]>('GET /restrictions', vik);
  expect(decisions.map(({ kind, until: end }) => [kind, end])).toEqual([
    ['suspended', until],
    ['hidden', null],
  ]);
  const refused = await testServer.call<{ until: string }>('POST /skills', {
    token: vik.token,
    body: { profile_id: id, name: 'Mime', level: 1 },
  });
  expect([refused.status, refused.body.until]).toEqual([403, until]);
  const [user] = await testServer.database.db
    .select()
    .from(users)
    .where(eq(users.id, Number(vik.id)));
  expect(user?.state).toBe('suspended');
});
