import { and, eq, isNull } from 'drizzle-orm';
import { expect, test } from 'vitest';
import type { DeskAppeal, DeskReportDetail, DeskReportList, RestrictionRecord } from '#contract/records/desk.ts';
import { restrictions, sessions, users } from '#server/platform/db/schema.ts';
import { deskCalls } from './support/desk.ts';
import { addPhoto, addProfile, connect } from './support/people.ts';
import { useTestServer, type Person } from './support/test-server.ts';

const testServer = useTestServer();
const { joinDesk, addPasskey, act, ask, undo, get, inDays, report } = deskCalls(testServer);
const DAY_MS = 86_400_000;

const status = async (request: string, person?: Person, body?: object) =>
  (await testServer.call(request, { token: person?.token, body })).status;
const mailsTo = async (person: Person) => {
  await testServer.runJobs();
  return testServer.mails.filter(({ to }) => to === person.email);
};

test('opens to nobody whose session was not signed in with a passkey', async () => {
  const noor = await joinDesk('moderator');
  const { db } = testServer.database;
  expect(await status('GET /desk/reports', noor)).toBe(200);
  await db
    .update(sessions)
    .set({ method: 'password' })
    .where(eq(sessions.userId, Number(noor.id)));
  expect(await status('GET /desk/reports', noor)).toBe(403);
  await db
    .update(users)
    .set({ role: 'person' })
    .where(eq(users.id, Number(noor.id)));
  expect(await status('GET /desk/reports', noor)).toBe(404);
});

test('keeps the acts, the log and the jobs of operators from moderators', async () => {
  const noor = await joinDesk('moderator');
  const vik = await testServer.join('Vik Anand');
  for (const name of ['sessions.end', 'reset.send', 'account.remove', 'moderator.make', 'moderator.unmake']) {
    expect((await ask(noor, name, 'user', vik.id)).status).toBe(403);
  }
  expect((await ask(noor, 'suspend', 'user', vik.id)).body.message).toContain('Only an operator');
  expect(await status('GET /desk/audit', noor)).toBe(404);
  expect(await status('GET /desk/jobs', noor)).toBe(404);
});

test('asks an operator who they are before an act that is marked so, and before undoing it', async () => {
  const ishaan = await joinDesk('operator');
  const vik = await testServer.join('Vik Anand');
  const removed = await act(ishaan, 'account.remove', 'user', vik.id, { name: 'Vik Anand' });
  testServer.clock.advance(6 * 60_000);
  const late = await ask(ishaan, 'sessions.end', 'user', vik.id);
  expect([late.status, late.body]).toEqual([403, expect.objectContaining({ reason: 'reauth' })]);
  const undone = await undo(ishaan, removed);
  expect([undone.status, undone.body]).toEqual([403, expect.objectContaining({ reason: 'reauth' })]);
  expect((await ask(ishaan, 'suspend', 'user', (await testServer.join()).id)).status).toBe(201);
});

test('names the field of an act that cannot be done', async () => {
  const ishaan = await joinDesk('operator');
  const { id } = await testServer.join();
  const fields = async (...args: Parameters<typeof ask>) => Object.keys((await ask(...args)).body.errors ?? {});
  expect(await fields(ishaan, 'dance', 'user', id)).toEqual(['act']);
  expect(await fields(ishaan, 'hide', 'user', id)).toEqual(['target_type']);
  expect(await fields(ishaan, 'suspend', 'user', id, { words: ' ' })).toEqual(['words']);
  expect(await fields(ishaan, 'suspend', 'user', id, { until: inDays(-1) })).toEqual(['until']);
  expect(await fields(ishaan, 'suspend', 'user', id, { until: 'soon', reason: 'because' })).toEqual([
    'reason',
    'until',
  ]);
  expect(await fields(ishaan, 'suspend', 'user', id, { report_id: '999999' })).toEqual(['report_id']);
  expect(await fields(ishaan, 'account.remove', 'user', id, { name: 'Somebody' })).toEqual(['name']);
  expect((await ask(ishaan, 'suspend', 'user', '999999')).status).toBe(404);
  expect((await undo(ishaan, { id: '999999' })).status).toBe(404);
});

test('lets a moderator act on nobody who works at the desk, and nobody on themselves', async () => {
  const [noor, ishaan] = [await joinDesk('moderator'), await joinDesk('operator')];
  expect((await ask(noor, 'suspend', 'user', ishaan.id, { until: inDays(1) })).status).toBe(403);
  expect((await ask(noor, 'suspend', 'user', noor.id, { until: inDays(1) })).status).toBe(422);
  expect((await ask(ishaan, 'suspend', 'user', noor.id)).status).toBe(201);
  expect(await status('GET /desk/reports', noor)).toBe(404);
});

test('hides a suspended person from everybody at once, and shows them again when it is lifted', async () => {
  const noor = await joinDesk('moderator');
  const [vik, zoya] = [await testServer.join('Vik Anandarajan'), await testServer.join('Zoya')];
  const { id: profileId } = await addProfile(testServer, vik);
  await addProfile(testServer, zoya);
  const photo = await addPhoto(testServer, vik, profileId);
  await connect(testServer, zoya, vik);
  const link = await get<{ url: string }>(`GET /media/${photo.id}/link`, vik);
  const names = async () => JSON.stringify(await get('GET /search?q=Anandarajan', zoya));
  const seen = async () => ({
    page: await status(`GET /profile/details/${profileId}`, zoya),
    visitor: await status(`GET /profile/details/${profileId}`),
    file: await status(`GET ${photo.path}`, zoya),
    link: await status(`GET ${link.url}`),
    isFound: (await names()).includes('Vik Anandarajan'),
  });
  const shown = { page: 200, visitor: 200, file: 200, link: 200, isFound: true };
  expect(await seen()).toEqual(shown);
  const done = await act(noor, 'suspend', 'user', vik.id, { until: inDays(7) });
  expect(await seen()).toEqual({ page: 404, visitor: 404, file: 404, link: 404, isFound: false });
  // The person reads their own data and old conversations, and can make no new profile that is seen.
  expect(await status(`GET /profile/details/${profileId}`, vik)).toBe(200);
  expect(await status(`GET ${photo.path}`, vik)).toBe(200);
  const [conversation] = await get<{ conversation_id: string }[]>('GET /conversations', vik);
  expect(await status(`GET /chat/${conversation?.conversation_id}`, vik)).toBe(200);
  expect((await mailsTo(vik)).map(({ subject }) => subject)).toContain('Your account is suspended');
  expect(await get('GET /user', vik)).toMatchObject({ is_suspended: true });
  expect((await undo(noor, done)).status).toBe(201);
  expect(await seen()).toEqual(shown);
  expect(await status('POST /connections/request/999999', vik)).toBe(404);
  expect((await mailsTo(vik)).map(({ subject }) => subject)).toContain('A decision about your account has ended');
});

test('refuses what a suspended person writes, with the reason and the end, and takes it afterwards', async () => {
  const noor = await joinDesk('moderator');
  const vik = await testServer.join('Vik Anand');
  const { id: profile_id } = await addProfile(testServer, vik);
  const until = inDays(3);
  await act(noor, 'suspend', 'user', vik.id, { until });
  const headers = { 'idempotency-key': '0b7c7e1e-8f0d-4a52-9d0e-3f6f0a1b2c3d' };
  const save = () =>
    testServer.call('POST /skills', { token: vik.token, headers, body: { profile_id, name: 'Mime', level: 1 } });
  const refused = await save();
  expect([refused.status, refused.body]).toEqual([403, { message: expect.any(String), reason: 'suspended', until }]);
  testServer.clock.advance(3 * DAY_MS);
  await testServer.database.pool.query(`update graphile_worker._private_jobs set run_at = now()`);
  await testServer.runJobs();
  expect((await save()).status).toBe(201);
});

test('ends only its own suspension when the time of an earlier one comes', async () => {
  const [noor, ishaan] = [await joinDesk('moderator'), await joinDesk('operator')];
  const vik = await testServer.join('Vik Anand');
  const first = await act(noor, 'suspend', 'user', vik.id, { until: inDays(1) });
  await undo(noor, first);
  await act(ishaan, 'suspend', 'user', vik.id);
  testServer.clock.advance(2 * DAY_MS);
  await testServer.database.pool.query(`update graphile_worker._private_jobs set run_at = now()`);
  await testServer.runJobs();
  expect(await get('GET /user', vik)).toMatchObject({ is_suspended: true });
});

test('keeps the photo that the desk has hidden from others until it is shown, whatever its owner does', async () => {
  const noor = await joinDesk('moderator');
  const [vik, zoya] = [await testServer.join('Vik Anand'), await testServer.join('Zoya')];
  const { id: profileId } = await addProfile(testServer, vik);
  const photo = await addPhoto(testServer, vik, profileId);
  const done = await act(noor, 'hide', 'media', photo.id);
  expect(await status(`GET ${photo.path}`, zoya)).toBe(404);
  expect(await status(`GET ${photo.path}`, vik)).toBe(200);
  const show = { token: vik.token, body: { is_hidden: false } };
  expect((await testServer.call(`PUT /media/${photo.id}`, show)).status).toBe(403);
  expect(await get<RestrictionRecord[]>('GET /restrictions', vik)).toMatchObject([
    { kind: 'hidden', target_type: 'media', target_id: photo.id, words: 'No fees for auditions.', appeal: null },
  ]);
  expect((await mailsTo(vik)).at(-1)?.text).toContain('No fees for auditions.');
  await undo(noor, done);
  expect(await status(`GET ${photo.path}`, zoya)).toBe(200);
  expect(await get('GET /restrictions', vik)).toEqual([]);
});

test('hides a profile and shows it again', async () => {
  const noor = await joinDesk('moderator');
  const vik = await testServer.join('Vik Anand');
  const { id } = await addProfile(testServer, vik);
  const done = await act(noor, 'hide', 'profile', id);
  expect([await status(`GET /profile/details/${id}`), await status(`GET /profile/details/${id}`, vik)]).toEqual([
    404, 200,
  ]);
  await undo(noor, done);
  expect(await status(`GET /profile/details/${id}`)).toBe(200);
});

test('hides feedback from visitors, and its page’s owner cannot show it', async () => {
  const noor = await joinDesk('moderator');
  const [vik, zoya] = [await testServer.join('Vik Anand'), await testServer.join('Zoya')];
  const { id: profile_id } = await addProfile(testServer, zoya);
  await connect(testServer, vik, zoya);
  const body = { profile_id, feedback: 'Rude words' };
  const written = await testServer.call<{ data: { id: string } }>('POST /feedback', { token: vik.token, body });
  const { id } = written.body.data;
  const visible = async () =>
    (await testServer.call<unknown[]>(`GET /feedback/${profile_id}`, {})).text.includes('Rude words');
  expect(await visible()).toBe(true);
  const done = await act(noor, 'hide', 'feedback', id);
  expect(await visible()).toBe(false);
  const show = { token: zoya.token, body: { is_hidden: false } };
  expect((await testServer.call(`PUT /feedback/${id}`, show)).status).toBe(403);
  await undo(noor, done);
  expect(await visible()).toBe(true);
});

test('takes the words out of a request and a message, and puts them back', async () => {
  const noor = await joinDesk('moderator');
  const [vik, zoya] = [await testServer.join('Vik Anand'), await testServer.join('Zoya')];
  await addProfile(testServer, zoya);
  const asked = await testServer.call<{ data: { id: string } }>(`POST /connections/request/${zoya.id}`, {
    token: vik.token,
    body: { message: 'Pay 4,999 today' },
  });
  const { id } = asked.body.data;
  const request = async () => (await get<{ message: string | null }[]>('GET /connections/requests/received', zoya))[0];
  const hidden = await act(noor, 'hide', 'request', id);
  expect(await request()).toMatchObject({ message: null });
  await undo(noor, hidden);
  expect(await request()).toMatchObject({ message: 'Pay 4,999 today' });

  await status(`POST /connections/accept/${id}`, zoya);
  const [conversation] = await get<{ conversation_id: string }[]>('GET /conversations', zoya);
  const chat = async () =>
    (await get<{ messages: { id: string; message: string }[] }>(`GET /chat/${conversation?.conversation_id}`, zoya))
      .messages[0];
  const first = await chat();
  expect(first?.message).toBe('Pay 4,999 today');
  const done = await act(noor, 'hide', 'message', first?.id ?? '');
  expect((await chat())?.message).toContain('hidden by the people who run Callboard');
  const { records } = await get<{ records: { type: string; id: string; body: { message?: string } }[] }>(
    'GET /sync',
    zoya,
  );
  const pulled = records.filter(({ type, id: recordId }) => type === 'message' && recordId === first?.id);
  expect(pulled.map(({ body }) => body.message).join()).not.toContain('4,999');
  await undo(noor, done);
  expect((await chat())?.message).toBe('Pay 4,999 today');
});

/** An accepted request, whose words are the first message of the conversation. */
async function acceptRequest() {
  const noor = await joinDesk('moderator');
  const [vik, zoya] = [await testServer.join('Vik Anand'), await testServer.join('Zoya')];
  await addProfile(testServer, zoya);
  const asked = await testServer.call<{ data: { id: string } }>(`POST /connections/request/${zoya.id}`, {
    token: vik.token,
    body: { message: 'Pay 4,999 today' },
  });
  const { id } = asked.body.data;
  await status(`POST /connections/accept/${id}`, zoya);
  const [conversation] = await get<{ conversation_id: string }[]>('GET /conversations', zoya);
  const readFirst = async () =>
    (await get<{ messages: { id: string; message: string }[] }>(`GET /chat/${conversation?.conversation_id}`, zoya))
      .messages[0];
  return { noor, vik, zoya, id, conversationId: conversation?.conversation_id, readFirst };
}

test('takes the words of an accepted request out of the chat on every device, and puts them back', async () => {
  const { noor, zoya, id, readFirst } = await acceptRequest();
  const pull = (cursor = '') =>
    get<{ cursor: string; records: { type: string; body: { message?: string } }[] }>(`GET /sync${cursor}`, zoya);
  const { cursor } = await pull();
  const hidden = await act(noor, 'hide', 'request', id);
  expect((await readFirst())?.message).toContain('hidden by the people who run Callboard');
  const pulled = (await pull(`?cursor=${cursor}`)).records.find(({ type }) => type === 'message');
  expect(pulled?.body.message).toContain('hidden by the people who run Callboard');
  await undo(noor, hidden);
  expect((await readFirst())?.message).toBe('Pay 4,999 today');
});

test('hides only the message that the acceptance made, whatever the person wrote afterwards', async () => {
  const { noor, vik, zoya, id, conversationId } = await acceptRequest();
  const body = { conversation_id: conversationId, receiver_id: zoya.id, message: 'Pay 4,999 today' };
  await testServer.call('POST /chat/send', { token: vik.token, body });
  await act(noor, 'hide', 'request', id);
  const { messages } = await get<{ messages: { message: string }[] }>(`GET /chat/${conversationId}`, zoya);
  expect(messages.map(({ message }) => message)).toEqual([expect.stringContaining('hidden by'), 'Pay 4,999 today']);
});

test('keeps a message hidden that was hidden by itself when the request of the same words is shown again', async () => {
  const { noor, id, readFirst } = await acceptRequest();
  const ofRequest = await act(noor, 'hide', 'request', id);
  const ofMessage = await act(noor, 'hide', 'message', (await readFirst())?.id ?? '');
  await undo(noor, ofRequest);
  expect((await readFirst())?.message).toContain('hidden by the people who run Callboard');
  await undo(noor, ofMessage);
  expect((await readFirst())?.message).toBe('Pay 4,999 today');
});

const readRequest = async (person: Person) =>
  (await get<{ message: string | null }[]>('GET /connections/accepted', person))[0]?.message;

test('takes the words of the first message out of the request that it was made of, and puts them back', async () => {
  const { noor, zoya, readFirst } = await acceptRequest();
  expect(await readRequest(zoya)).toBe('Pay 4,999 today');
  const hidden = await act(noor, 'hide', 'message', (await readFirst())?.id ?? '');
  expect((await readFirst())?.message).toContain('hidden by');
  expect(await readRequest(zoya)).toBeNull();
  await undo(noor, hidden);
  expect([(await readFirst())?.message, await readRequest(zoya)]).toEqual(['Pay 4,999 today', 'Pay 4,999 today']);
});

test.each([
  ['request', 'message', 0],
  ['request', 'message', 1],
  ['message', 'request', 0],
  ['message', 'request', 1],
] as const)('shows words that were hidden as a %s and as a %s only when both are undone, first %i', async (...how) => {
  const { noor, zoya, id, readFirst } = await acceptRequest();
  const ids = { request: id, message: (await readFirst())?.id ?? '' };
  const [first, second, firstUndone] = how;
  const acts = [await act(noor, 'hide', first, ids[first]), await act(noor, 'hide', second, ids[second])] as const;
  await undo(noor, acts[firstUndone]);
  expect((await readFirst())?.message).toContain('hidden by');
  expect(await readRequest(zoya)).toBeNull();
  await undo(noor, acts[1 - firstUndone]!);
  expect([(await readFirst())?.message, await readRequest(zoya)]).toEqual(['Pay 4,999 today', 'Pay 4,999 today']);
});

test('takes the words of a hidden message out of the notification that quotes it', async () => {
  const noor = await joinDesk('moderator');
  const [vik, zoya] = [await testServer.join('Vik Anand'), await testServer.join('Zoya')];
  await addProfile(testServer, zoya);
  await connect(testServer, vik, zoya);
  const [conversation] = await get<{ conversation_id: string }[]>('GET /conversations', vik);
  const sent = await testServer.call<{ data: { id: string } }>('POST /chat/send', {
    token: vik.token,
    body: { conversation_id: conversation?.conversation_id, receiver_id: zoya.id, message: 'Pay 4,999 today' },
  });
  const read = async () => JSON.stringify(await get('GET /notifications', zoya));
  expect(await read()).toContain('4,999');
  const done = await act(noor, 'hide', 'message', sent.body.data.id);
  expect(await read()).not.toContain('4,999');
  await undo(noor, done);
  expect(await read()).toContain('4,999');
});

test('freezes what is reported, with at most five messages before it, and lists children first', async () => {
  const noor = await joinDesk('moderator');
  const [vik, zoya, kid] = [await testServer.join('Vik'), await testServer.join('Zoya'), await testServer.join('Kid')];
  await addProfile(testServer, zoya);
  await connect(testServer, vik, zoya);
  const [conversation] = await get<{ conversation_id: string }[]>('GET /conversations', vik);
  const send = (by: Person, message: string) =>
    testServer.call<{ data: { id: string } }>('POST /chat/send', {
      token: by.token,
      body: { conversation_id: conversation?.conversation_id, receiver_id: by === vik ? zoya.id : vik.id, message },
    });
  for (let at = 1; at <= 7; at += 1) await send(at % 2 === 0 ? vik : zoya, `Line ${at}`);
  const bad = await send(vik, 'Send me money');
  if (bad.status !== 201) throw new Error(bad.text);
  const id = await report(zoya, vik, {
    target_type: 'message',
    target_id: bad.body.data.id,
    text: 'He asks for money',
  });
  const detail = await get<DeskReportDetail>(`GET /desk/reports/${id}`, noor);
  expect(detail.evidence).toMatchObject({ name: 'Vik', words: 'Send me money', file: null });
  expect(detail.evidence.before.map(({ words }) => words)).toEqual(['Line 3', 'Line 4', 'Line 5', 'Line 6', 'Line 7']);
  expect(detail).toMatchObject({ text: 'He asks for money', reporter: { name: 'Zoya' }, context: { name: 'Vik' } });
  expect(detail.log[0]).toMatchObject({ act: 'look', report_id: id, actor: 'Noor Kaur' });

  const { id: profileId } = await addProfile(testServer, kid);
  await testServer.call('PUT /profile/update', {
    token: kid.token,
    body: { profile_id: profileId, dob: '2012-01-01' },
  });
  const child = await report(zoya, kid);
  const list = await get<DeskReportList>('GET /desk/reports?limit=1', noor);
  expect(list.data[0]).toMatchObject({ id: child, is_about_child: true });
  const next = await get<DeskReportList>(`GET /desk/reports?limit=1&cursor=${list.next_cursor}`, noor);
  expect(next.data[0]?.id).not.toBe(child);
  expect(list.counts.children).toBe(1);
});

test('refuses a report about what is somebody else’s', async () => {
  const [vik, zoya, other] = [await testServer.join(), await testServer.join(), await testServer.join()];
  const { id } = await addProfile(testServer, other);
  const body = { user_id: vik.id, reason: 'fake', target_type: 'profile', target_id: id };
  const refused = await testServer.call<{ errors: object }>('POST /reports', { token: zoya.token, body });
  expect([refused.status, Object.keys(refused.body.errors)]).toEqual([422, ['target_id']]);
});

test('keeps report and evidence when both accounts are gone, without who reported', async () => {
  const noor = await joinDesk('moderator');
  const [vik, zoya] = [await testServer.join('Vik Anand'), await testServer.join('Zoya')];
  const id = await report(zoya, vik);
  for (const person of [zoya, vik]) await status('DELETE /account', person, { password: person.password });
  const detail = await get<DeskReportDetail>(`GET /desk/reports/${id}`, noor);
  expect(detail).toMatchObject({ reporter: null, context: null, person: { name: 'Vik Anand', is_gone: true } });
});

test('closes a report and opens it again', async () => {
  const noor = await joinDesk('moderator');
  const id = await report(await testServer.join(), await testServer.join());
  const done = await act(noor, 'report.close', 'report', id, { words: null });
  expect((await ask(noor, 'report.close', 'report', id)).status).toBe(409);
  expect(await get<DeskReportDetail>(`GET /desk/reports/${id}`, noor)).toMatchObject({ state: 'closed' });
  await undo(noor, done);
  expect(await get<DeskReportDetail>(`GET /desk/reports/${id}`, noor)).toMatchObject({ state: 'open' });
  expect((await undo(noor, done)).status).toBe(409);
});

test('takes one appeal at a time, and has somebody else answer it', async () => {
  const [noor, ishaan] = [await joinDesk('moderator'), await joinDesk('operator')];
  const vik = await testServer.join('Vik Anand');
  await act(noor, 'suspend', 'user', vik.id, { until: inDays(7) });
  expect(await status('POST /appeals', vik, { text: 'It was a joke.' })).toBe(201);
  expect(await status('POST /appeals', vik, { text: 'Really.' })).toBe(422);
  const own = (await get<DeskAppeal[]>('GET /desk/appeals', noor)).find(({ person }) => person.id === vik.id);
  expect(own).toMatchObject({ text: 'It was a joke.', can_answer: false });
  expect((await ask(noor, 'appeal.answer', 'appeal', own?.id ?? '')).status).toBe(422);
  const done = await act(ishaan, 'appeal.answer', 'appeal', own?.id ?? '', { words: 'We heard you. It stays.' });
  expect((await get<RestrictionRecord[]>('GET /restrictions', vik))[0]?.appeal).toMatchObject({
    text: 'It was a joke.',
    answer: 'We heard you. It stays.',
  });
  await undo(ishaan, done);
  expect((await get<RestrictionRecord[]>('GET /restrictions', vik))[0]?.appeal).toMatchObject({ answer: null });
});

test('takes back the answer to the newest appeal of a person, and no earlier one', async () => {
  const [noor, ishaan] = [await joinDesk('moderator'), await joinDesk('operator')];
  const vik = await testServer.join('Vik Anand');
  await act(noor, 'suspend', 'user', vik.id, { until: inDays(7) });
  const answerOne = async (text: string) => {
    await status('POST /appeals', vik, { text });
    const open = (await get<DeskAppeal[]>('GET /desk/appeals', ishaan)).find(({ person }) => person.id === vik.id);
    return act(ishaan, 'appeal.answer', 'appeal', open?.id ?? '', { words: 'It stays.' });
  };
  const [first, second] = [await answerOne('It was a joke.'), await answerOne('Really.')];
  const early = await undo(ishaan, first);
  expect([early.status, early.body.message]).toEqual([409, 'The person has written again. Answer that']);
  expect((await undo(ishaan, second)).status).toBe(201);
  expect((await get<RestrictionRecord[]>('GET /restrictions', vik))[0]?.appeal).toMatchObject({
    text: 'Really.',
    answer: null,
  });
});

test('ends the sessions of a person, and sends them a link for a new password', async () => {
  const ishaan = await joinDesk('operator');
  const vik = await testServer.join('Vik Anand');
  expect((await act(ishaan, 'sessions.end', 'user', vik.id)).can_undo).toBe(false);
  expect(await status('GET /user', vik)).toBe(401);
  const sent = await act(ishaan, 'reset.send', 'user', vik.id);
  expect((await mailsTo(vik)).at(-1)?.subject).toBe('Choose a new password');
  expect((await undo(ishaan, sent)).status).toBe(422);
});

test('closes a removed account at once, opens it again for seven days, and deletes it after that', async () => {
  const ishaan = await joinDesk('operator');
  const vik = await testServer.join('Vik Anand');
  const { id } = await addProfile(testServer, vik);
  const signIn = () => testServer.call('POST /login', { body: { email: vik.email, password: vik.password } });
  const later = async (days: number) => {
    testServer.clock.advance(days * DAY_MS);
    await testServer.database.pool.query(`update graphile_worker._private_jobs set run_at = now()`);
    await testServer.runJobs();
    await testServer.database.db
      .update(sessions)
      .set({ reauthAt: testServer.clock.now() })
      .where(eq(sessions.userId, Number(ishaan.id)));
  };
  const first = await act(ishaan, 'account.remove', 'user', vik.id, { name: 'Vik Anand' });
  expect([await status('GET /user', vik), await status(`GET /profile/details/${id}`)]).toEqual([401, 404]);
  expect((await signIn()).status).toBe(403);
  expect((await undo(ishaan, first)).status).toBe(201);
  expect((await signIn()).status).toBe(200);
  await later(8);
  expect((await signIn()).status).toBe(200);

  const second = await act(ishaan, 'account.remove', 'user', vik.id, { name: 'Vik Anand' });
  await later(8);
  expect((await signIn()).status).toBe(422);
  expect((await undo(ishaan, second)).status).toBe(409);
  expect((await mailsTo(vik)).map(({ subject }) => subject)).toContain('Your account is being removed');
});

const countLifted = async (person: Person) =>
  (await mailsTo(person)).filter(({ kind }) => kind === 'moderation.lifted').length;

test('tells nobody that something is open again when a suspension ends while the account is being removed', async () => {
  const ishaan = await joinDesk('operator');
  const vik = await testServer.join('Vik Anand');
  await act(ishaan, 'suspend', 'user', vik.id, { until: inDays(3) });
  await act(ishaan, 'account.remove', 'user', vik.id, { name: 'Vik Anand' });
  testServer.clock.advance(3 * DAY_MS);
  // Not that of the removal, whose time has not come.
  await testServer.database.pool.query(
    `update graphile_worker._private_jobs set run_at = now()
     where task_id = (select id from graphile_worker._private_tasks where identifier = 'suspension.ended')`,
  );
  expect(await countLifted(vik)).toBe(0);
});

test('tells somebody whose removal is undone that the suspension goes on, not that something is open again', async () => {
  const ishaan = await joinDesk('operator');
  const vik = await testServer.join('Vik Anand');
  const suspended = await act(ishaan, 'suspend', 'user', vik.id);
  await undo(ishaan, await act(ishaan, 'account.remove', 'user', vik.id, { name: 'Vik Anand' }));
  expect(await countLifted(vik)).toBe(0);
  const kept = (await mailsTo(vik)).find(({ kind }) => kind === 'moderation.kept');
  expect([kept?.subject, kept?.text]).toEqual([
    'Your account is not being removed',
    expect.stringContaining('still suspended.'),
  ]);
  await undo(ishaan, suspended);
  expect(await countLifted(vik)).toBe(1);
});

test('makes a moderator of somebody with a passkey, and takes that back', async () => {
  const ishaan = await joinDesk('operator');
  const noor = await testServer.join('Noor');
  expect((await ask(ishaan, 'moderator.make', 'user', noor.id)).status).toBe(422);
  await addPasskey(noor);
  const role = async () => (await get<{ role: string }>('GET /user', noor)).role;
  const made = await act(ishaan, 'moderator.make', 'user', noor.id);
  expect(await role()).toBe('moderator');
  await undo(ishaan, made);
  expect(await role()).toBe('person');
  await act(ishaan, 'moderator.make', 'user', noor.id);
  const unmade = await act(ishaan, 'moderator.unmake', 'user', noor.id);
  expect(await role()).toBe('person');
  await undo(ishaan, unmade);
  expect(await role()).toBe('moderator');
});

test('suspends once when two moderators press the button at the same moment', async () => {
  const [noor, ishaan] = [await joinDesk('moderator'), await joinDesk('operator')];
  const vik = await testServer.join('Vik Anand');
  const answers = await Promise.all(
    [noor, ishaan, noor].map((worker) => ask(worker, 'suspend', 'user', vik.id, { until: inDays(1) })),
  );
  expect(answers.map(({ status: code }) => code).sort()).toEqual([201, 409, 409]);
  const inForce = and(eq(restrictions.userId, Number(vik.id)), isNull(restrictions.liftedAt));
  expect(await testServer.database.db.$count(restrictions, inForce)).toBe(1);
});

test('exports what was decided about a person and what they said to it', async () => {
  const noor = await joinDesk('moderator');
  const vik = await testServer.join('Vik Anand');
  await act(noor, 'suspend', 'user', vik.id, { until: inDays(2) });
  await status('POST /appeals', vik, { text: 'It was a joke between friends.' });
  const archive = await testServer.app.inject({
    method: 'GET',
    url: '/account/export',
    headers: { authorization: `Bearer ${vik.token}` },
  });
  expect(archive.body).toContain('It was a joke between friends.');
  expect(archive.body).toContain('No fees for auditions.');
});
