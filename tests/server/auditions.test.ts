import { eq } from 'drizzle-orm';
import { describe, expect, test } from 'vitest';
import { getRequestState, isAnsweredFinally, isDeclined } from '#contract/casting/state.ts';
import { CASTING_LIMITS, type AuditionRequest } from '#contract/records/casting.ts';
import { auditionRequests, guardians, reports, users } from '#server/platform/db/schema.ts';
import { quantity } from '../support/quantity.ts';
import { castingCalls, type Performer } from './support/casting.ts';
import { useTestServer, type Person } from './support/test-server.ts';
import { viewerCalls } from './support/viewers.ts';
import { unzip } from './support/unzip.ts';

const testServer = useTestServer();
const calls = castingCalls(testServer);
const {
  addPerformer,
  addProject,
  addRole,
  ask,
  cast,
  castingCall,
  createScene,
  readAuditions,
  readNews,
  readRequests,
  say,
} = calls;
const { send, tryAsk } = calls;
const { pull } = viewerCalls(testServer);
const MINUTE_MS = 60_000;
const minutesAgo = (minutes: number) => new Date(testServer.clock.now().getTime() - minutes * MINUTE_MS).toISOString();
const wait = (minutes: number) => testServer.clock.advance(minutes * MINUTE_MS);
const now = () => testServer.clock.now().toISOString();

describe('seen', () => {
  test('is told once, with the time of the device where that is possible', async () => {
    const { owner, performer, request } = await createScene();
    wait(10);
    const at = minutesAgo(5);
    expect((await say(performer, request.id, 'seen', { at })).body.data).toMatchObject({ seen_at: at, version: 2 });
    wait(1);
    expect((await say(performer, request.id, 'seen')).body.data).toMatchObject({ seen_at: at, version: 2 });
    expect(await readRequests(owner)).toMatchObject([{ seen_at: at }]);
    expect(await readNews(owner)).toEqual([]);
  });

  test.each([
    ['before the request', 60],
    ['to come', -60],
  ])('is now when the clock of the device says a time %s', async (_, minutes) => {
    const { performer, request } = await createScene();
    wait(10);
    const { body } = await say(performer, request.id, 'seen', { at: minutesAgo(minutes) });
    expect(body.data.seen_at).toBe(now());
  });

  test('is told to nobody with the receipts of auditions off, whatever those of messages are', async () => {
    const { owner, performer, request } = await createScene();
    await send(performer, 'PUT /settings', { audition_receipts: false });
    const seen = await say(performer, request.id, 'seen');
    expect([seen.status, seen.body.data.seen_at]).toEqual([200, null]);
    expect(await readRequests(owner)).toEqual([request]);
    const other = await createScene();
    await send(other.performer, 'PUT /settings', { read_receipts: false });
    expect((await say(other.performer, other.request.id, 'seen')).body.data.seen_at).toBe(now());
  });
});

describe('a yes and a no', () => {
  test('are both kept, and the later one holds', async () => {
    const { owner, performer, request } = await createScene();
    const states: string[] = [];
    const times: (string | null)[][] = [];
    for (const act of ['confirm', 'confirm', 'decline', 'confirm', 'decline'] as const) {
      wait(1);
      const { status, body } = await say(performer, request.id, act, act === 'decline' ? { text: 'On tour.' } : {});
      expect(status).toBe(200);
      states.push(getRequestState(body.data));
      times.push([body.data.confirmed_at, body.data.declined_at]);
    }
    expect(states).toEqual(['confirmed', 'confirmed', 'declined', 'confirmed', 'declined']);
    expect(times[0]).toEqual(times[1]);
    expect(times[2]?.[0]).toBe(times[0]?.[0]);
    expect(times[4]).toEqual([minutesAgo(1), minutesAgo(0)]);
    expect(await readRequests(owner)).toMatchObject([{ declined_at: now(), decline_text: 'On tour.' }]);
    expect(await readNews(owner)).toEqual(['audition.declined']);
  });

  test('said at the same moment are in the order in which they come', async () => {
    const { performer, request } = await createScene();
    await say(performer, request.id, 'confirm');
    expect(isDeclined((await say(performer, request.id, 'decline')).body.data)).toBe(true);
    expect(isDeclined((await say(performer, request.id, 'confirm')).body.data)).toBe(false);
  });

  test('of a device without signal do not undo what was said after them', async () => {
    const { owner, performer, request } = await createScene();
    wait(30);
    await say(performer, request.id, 'decline', { at: minutesAgo(5) });
    const late = await say(performer, request.id, 'confirm', { at: minutesAgo(20) });
    expect(late.body.data).toMatchObject({ confirmed_at: minutesAgo(20), declined_at: minutesAgo(5) });
    expect(getRequestState(late.body.data)).toBe('declined');
    expect(await readNews(owner)).toEqual(['audition.declined']);
  });

  test('are refused with the audition once it was withdrawn, or the role was cast without them or closed', async () => {
    const [withdrawn, cast1, closed] = [await createScene(), await createScene(), await createScene()];
    await castingCall(withdrawn.owner, withdrawn.request.id, 'withdraw');
    await cast(cast1.owner, cast1.role.id);
    await send(closed.owner, `PUT /casting/roles/${closed.role.id}`, { status: 'closed' });
    for (const { performer, request } of [withdrawn, cast1, closed]) {
      for (const act of ['confirm', 'decline'] as const) {
        const refused = await say(performer, request.id, act);
        expect([refused.status, refused.body.data.id, refused.body.data.confirmed_at]).toEqual([409, request.id, null]);
      }
      expect((await say(performer, request.id, 'seen')).status).toBe(200);
    }
    await send(closed.owner, `PUT /casting/roles/${closed.role.id}`, { status: 'open' });
    expect((await say(closed.performer, closed.request.id, 'confirm')).status).toBe(200);
  });

  test('are open to whoever was cast', async () => {
    const { owner, performer, role, request } = await createScene();
    await cast(owner, role.id, { request_ids: [request.id] });
    expect((await say(performer, request.id, 'confirm')).status).toBe(200);
  });

  test('of a minor whose guardian no longer agrees: only the no reaches the owner', async () => {
    const { performer, request } = await createScene();
    const { db } = testServer.database;
    const userId = Number(performer.id);
    await db
      .insert(guardians)
      .values({ userId, email: 'p@callboard.example', state: 'declined', askedAt: testServer.clock.now() });
    await db.update(users).set({ isMinor: true, bornOn: '2011-03-05' }).where(eq(users.id, userId));
    expect((await say(performer, request.id, 'confirm')).status).toBe(403);
    expect((await say(performer, request.id, 'decline')).status).toBe(200);
  });
});

describe('answers', () => {
  test('add up, each told to the performer; the time of the first stays', async () => {
    const { owner, performer, request } = await createScene();
    const first = now();
    await castingCall(owner, request.id, 'answer', { kind: 'callback', text: 'Come on Tuesday.' });
    wait(5);
    const second = await castingCall(owner, request.id, 'answer', { kind: 'pencil' });
    expect(second.body.data).toMatchObject({
      answered_at: first,
      answers: [
        { kind: 'callback', text: 'Come on Tuesday.', at: first },
        { kind: 'pencil', text: null, at: now() },
      ],
    });
    expect((await readAuditions(performer))[0]?.answers).toEqual(second.body.data.answers);
    expect(await readNews(performer)).toEqual(['audition.answered', 'audition.requested']);
  });

  test('after “cast” say why not, in words', async () => {
    const { owner, request } = await createScene();
    await castingCall(owner, request.id, 'answer', { kind: 'cast' });
    const answer = (text?: string) => castingCall(owner, request.id, 'answer', { kind: 'no_thank_you', text });
    for (const text of [undefined, 'Sorry.'])
      expect(Object.keys((await answer(text)).body.errors ?? {})).toEqual(['text']);
    expect((await answer('The film has lost its money.')).status).toBe(200);
    expect((await castingCall(owner, request.id, 'withdraw')).status).toBe(409);
  });

  test('end with a withdrawal, which happens once', async () => {
    const { owner, performer, request } = await createScene();
    const withdrawn = await castingCall(owner, request.id, 'withdraw', { text: 'The part was cut.' });
    expect(withdrawn.body.data).toMatchObject({ withdrawn_at: now(), withdraw_text: 'The part was cut.' });
    expect(await readNews(performer)).toEqual(['audition.withdrawn']);
    for (const [act, body] of [
      ['withdraw', {}],
      ['answer', { kind: 'pencil' }],
    ] as const) {
      const refused = await castingCall(owner, request.id, act, body);
      expect([refused.status, refused.body.data]).toEqual([409, withdrawn.body.data]);
    }
  });

  test(`are at most ${CASTING_LIMITS.answersPerRequest}`, async () => {
    const { owner, request } = await createScene();
    const answers = Array.from({ length: CASTING_LIMITS.answersPerRequest }, () => ({
      kind: 'pencil' as const,
      text: null,
      at: now(),
    }));
    await testServer.database.db
      .update(auditionRequests)
      .set({ answers })
      .where(eq(auditionRequests.id, Number(request.id)));
    expect((await castingCall(owner, request.id, 'answer', { kind: 'callback' })).status).toBe(422);
    const body = { request_ids: [request.id], cast_text: 'You are in.' };
    const refused = await send(owner, `POST /casting/roles/${request.role_id}/cast`, body);
    expect([refused.status, Object.keys(refused.body.errors ?? {})]).toEqual([422, ['request_ids']]);
  });

  test('grow no further by casting the role again and again', async () => {
    const { owner, request } = await createScene();
    const most = CASTING_LIMITS.answersPerRequest;
    const answers = Array.from({ length: most }, () => ({ kind: 'cast' as const, text: null, at: now() }));
    await testServer.database.db
      .update(auditionRequests)
      .set({ answers })
      .where(eq(auditionRequests.id, Number(request.id)));
    const body = { request_ids: [request.id], cast_text: 'You are in.' };
    expect((await send(owner, `POST /casting/roles/${request.role_id}/cast`, body)).status).toBe(200);
    expect((await readRequests(owner))[0]?.answers).toHaveLength(most);
  });
});

describe('“The role is cast”', () => {
  test('answers everybody who still waits, and nobody else', async () => {
    const { owner, role, request, performer } = await createScene();
    const people: Performer[] = [];
    for (let n = 0; n < 6; n += 1) people.push(await addPerformer(`Performer ${n}`));
    const sent: AuditionRequest[] = [];
    for (const person of people) sent.push(await ask(owner, role, person));
    const id = (index: number) => sent[index]!.id;
    await castingCall(owner, id(0), 'answer', { kind: 'no_thank_you', text: 'Too young.' });
    await say(people[1]!, id(1), 'decline');
    await castingCall(owner, id(2), 'withdraw');
    await castingCall(owner, id(3), 'answer', { kind: 'callback' });
    await castingCall(owner, id(4), 'answer', { kind: 'cast' });
    const body = { request_ids: [request.id], cast_text: 'It is yours.', text: 'Thank you for your time.' };
    const done = await cast(owner, role.id, body);
    expect(done.status).toBe(200);
    expect(done.body.data).toMatchObject({ id: role.id, status: 'cast', version: 2 });
    expect(done.body.requests.map((each) => [each.id, each.answers.at(-1)])).toEqual([
      [request.id, { kind: 'cast', text: 'It is yours.', at: now() }],
      [id(3), { kind: 'no_thank_you', text: 'Thank you for your time.', at: now() }],
      [id(5), { kind: 'no_thank_you', text: 'Thank you for your time.', at: now() }],
    ]);
    const all = await readRequests(owner);
    const kinds = [request.id, ...sent.map((each) => each.id)].map((each) =>
      all.find((row) => row.id === each)?.answers.map(({ kind }) => kind),
    );
    const no = 'no_thank_you';
    expect(kinds).toEqual([['cast'], [no], [], [], ['callback', no], ['cast'], [no]]);
    expect(await readNews(performer)).toEqual(['audition.answered', 'audition.requested']);
    expect(await readNews(people[1]!)).toEqual(['audition.requested']);
    expect(await readAuditions(people[1]!)).toMatchObject([{ role: { status: 'cast' }, answers: [] }]);
    const again = await cast(owner, role.id);
    expect([again.status, again.body.data.status]).toEqual([409, 'cast']);
  });

  test('tells whoever was asked for a callback once', async () => {
    const { owner, role, request, performer } = await createScene();
    const other = await addPerformer();
    const first = await ask(owner, role, other);
    for (const { id } of [request, first]) await castingCall(owner, id, 'answer', { kind: 'callback' });
    const round = 'callback';
    const won = await ask(owner, role, performer, { round, previous_id: request.id });
    const lost = await ask(owner, role, other, { round, previous_id: first.id });
    await cast(owner, role.id, { request_ids: [won.id] });
    const all = await readRequests(owner);
    const said = [request, first, won, lost].map(({ id }) => all.find((row) => row.id === id)?.answers.at(-1)?.kind);
    expect(said).toEqual(['callback', 'callback', 'cast', 'no_thank_you']);
  });

  test('answers the first request if the callback was withdrawn', async () => {
    const { owner, role, request, performer } = await createScene();
    await castingCall(owner, request.id, 'answer', { kind: 'callback' });
    const callback = await ask(owner, role, performer, { round: 'callback', previous_id: request.id });
    await castingCall(owner, callback.id, 'withdraw');
    const done = await cast(owner, role.id);
    expect(done.body.requests.map(({ id }) => id)).toEqual([request.id]);
  });

  test('is refused as a whole if one of those who get it cannot', async () => {
    const { owner, project, role, request, performer } = await createScene();
    const [declined, withdrawn] = [await addPerformer(), await addPerformer()];
    const ofDeclined = await ask(owner, role, declined);
    const ofWithdrawn = await ask(owner, role, withdrawn);
    await say(declined, ofDeclined.id, 'decline');
    await castingCall(owner, ofWithdrawn.id, 'withdraw');
    const elsewhere = await ask(owner, await addRole(owner, project), performer);
    for (const id of [ofDeclined.id, ofWithdrawn.id, elsewhere.id, '999999', 'x']) {
      const refused = await cast(owner, role.id, { request_ids: [request.id, id] });
      expect([id, refused.status, Object.keys(refused.body.errors ?? {})]).toEqual([id, 422, ['request_ids']]);
    }
    expect((await readRequests(owner)).every(({ answers }) => answers.length === 0)).toBe(true);
  });

  test('leaves nobody unanswered who is asked at the same moment', async () => {
    const owner = await testServer.join();
    const performers: Performer[] = [];
    for (let n = 0; n < 4; n += 1) performers.push(await addPerformer());
    const outcomes = new Set<number>();
    for (let round = 0; round < quantity(6, 100); round += 1) {
      const project = await addProject(owner);
      const role = await addRole(owner, project);
      const asked = performers.map((performer) => tryAsk(owner, role, performer));
      const [sent, done] = await Promise.all([Promise.all(asked), cast(owner, role.id)]);
      expect(done.status).toBe(200);
      for (const { status } of sent) outcomes.add(status);
      const requests = (await readRequests(owner)).filter(({ role_id }) => role_id === role.id);
      expect(requests).toHaveLength(sent.filter(({ status }) => status === 201).length);
      for (const each of requests) expect(isAnsweredFinally(each.answers)).toBe(true);
      await send(owner, `PUT /casting/projects/${project.id}`, { status: 'closed' });
    }
    expect([...outcomes].every((status) => status === 201 || status === 409)).toBe(true);
  });
});

describe('the two sides', () => {
  test('do not know each other’s calls', async () => {
    const { owner, performer, request, role } = await createScene();
    for (const act of ['seen', 'confirm', 'decline'] as const)
      expect((await say(owner, request.id, act)).status).toBe(404);
    expect((await castingCall(performer, request.id, 'answer', { kind: 'cast' })).status).toBe(404);
    expect((await castingCall(performer, request.id, 'withdraw')).status).toBe(404);
    expect((await cast(performer, role.id)).status).toBe(404);
  });

  test.each(['owner', 'performer'] as const)(
    'are apart once the %s has blocked the other, also after that',
    async (who) => {
      const { owner, performer, request, role } = await createScene();
      await say(performer, request.id, 'confirm');
      const { cursor } = await pull(performer);
      const [blocker, blocked] = who === 'owner' ? [owner, performer] : [performer, owner];
      await send(blocker, `POST /blocks/${blocked.id}`);
      expect((await pull(performer, cursor)).records).toContainEqual({
        type: 'audition',
        id: request.id,
        parent: null,
        body: null,
      });
      const [left] = await readRequests(owner);
      expect(left).toMatchObject({ id: request.id, performer: null });
      await send(blocker, `DELETE /blocks/${blocked.id}`);
      expect(await readAuditions(performer)).toEqual([]);
      expect((await say(performer, request.id, 'decline')).status).toBe(404);
      const refused = await castingCall(owner, request.id, 'answer', { kind: 'pencil' });
      expect([refused.status, refused.body.data]).toEqual([409, left]);
      expect((await cast(owner, role.id, { request_ids: [request.id] })).status).toBe(422);
      expect((await cast(owner, role.id)).body.requests).toEqual([]);
    },
  );

  test('lose what the account of the other had', async () => {
    const [one, two] = [await createScene(), await createScene()];
    const [ofPerformer, ofOwner] = [(await pull(one.performer)).cursor, (await pull(two.owner)).cursor];
    const remove = (person: Performer | typeof one.owner) =>
      send(person, 'DELETE /account', { password: person.password });
    expect((await remove(one.owner)).status).toBe(200);
    expect((await remove(two.performer)).status).toBe(200);
    const gone = (type: string, id: string, parent: string | null) => ({ type, id, parent, body: null });
    expect((await pull(one.performer, ofPerformer)).records).toContainEqual(gone('audition', one.request.id, null));
    expect((await pull(two.owner, ofOwner)).records).toContainEqual(gone('request', two.request.id, two.role.id));
    expect(await readAuditions(one.performer)).toEqual([]);
    expect(await readRequests(two.owner)).toEqual([]);
    expect((await send(two.owner, `DELETE /casting/projects/${two.project.id}`)).status).toBe(200);
  });

  test('find their own records in the export of their data', async () => {
    const { owner, performer, project, role, request } = await createScene();
    await say(performer, request.id, 'confirm');
    await castingCall(owner, request.id, 'answer', { kind: 'callback', text: 'On Tuesday.' });
    const readExport = async ({ token }: Person) => {
      const headers = { authorization: `Bearer ${token}` };
      const files = unzip((await testServer.app.inject({ url: '/account/export', headers })).rawPayload);
      return (name: string) => JSON.parse(String(files.get(name))) as unknown;
    };
    const ofOwner = await readExport(owner);
    expect(ofOwner('casting.json')).toMatchObject({
      projects: [{ id: project.id }],
      roles: [{ id: role.id }],
      requests: [{ id: request.id, answers: [{ text: 'On Tuesday.' }] }],
    });
    expect(ofOwner('auditions.json')).toEqual([]);
    const ofPerformer = await readExport(performer);
    expect(ofPerformer('auditions.json')).toEqual(await readAuditions(performer));
    expect(ofPerformer('casting.json')).toEqual({
      projects: [],
      members: [],
      roles: [],
      requests: [],
      tapes: [],
      shortlists: [],
      marks: [],
      links: [],
    });
  });

  test('may be reported: the desk gets what the sender wrote', async () => {
    const { owner, performer, request } = await createScene();
    const body = { user_id: owner.id, reason: 'scam', target_type: 'audition', target_id: request.id };
    expect((await send(performer, 'POST /reports', body)).status).toBe(201);
    const [report] = await testServer.database.db
      .select()
      .from(reports)
      .where(eq(reports.reportedId, Number(owner.id)));
    expect(report?.evidence?.words).toContain(request.instructions);
    const other = await addPerformer();
    expect((await send(other, 'POST /reports', body)).status).toBe(422);
  });
});
