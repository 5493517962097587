import { afterAll, beforeAll, expect, onTestFinished, test, vi } from 'vitest';
import type { Candidate } from '#contract/records/shortlist.ts';
import type { Mark } from '#contract/records/tapes.ts';
import { ChangeLog } from '#server/platform/db/change-log.ts';
import { parseChannel } from '#server/platform/live/names.ts';
import { linkCalls } from './support/links.ts';
import { openPushService, type TestPushService } from './support/push-service.ts';
import { tapeCalls } from './support/tapes.ts';
import { openTestServer, type Person, type TestServer } from './support/test-server.ts';

/** Stands in everything that only the side that casts may read. */
const MARKER = 'XYLOPHONE-7301';
const HOUR_MS = 3_600_000;

let service: TestPushService;
let testServer: TestServer;
let calls: ReturnType<typeof tapeCalls>;
let links: ReturnType<typeof linkCalls>;
beforeAll(async () => {
  service = await openPushService();
  testServer = await openTestServer({ env: { PUSH_HOSTS: service.host }, pushAgent: service.agent });
  calls = tapeCalls(testServer);
  links = linkCalls(testServer);
});
afterAll(async () => {
  await testServer.close();
  await service.close();
});

/** Records every live event from now until the end of the test. */
function watchEvents() {
  const publish = vi.spyOn(ChangeLog.prototype, 'publish');
  onTestFinished(() => publish.mockRestore());
  return publish;
}

/** Puts the performer on the shortlist of the role, in a column that somebody named. */
async function list({
  owner,
  role,
  performer,
}: Pick<Awaited<ReturnType<typeof calls.addAudition>>, 'owner' | 'role' | 'performer'>): Promise<Candidate> {
  const columns = [{ id: MARKER, name: `${MARKER} maybe` }];
  await calls.must(owner, `PUT /casting/roles/${role.id}/columns`, { columns });
  const card = { role_id: role.id, profile_id: performer.profileId, column: MARKER, position: 'V' };
  return (await calls.must<{ data: Candidate }>(owner, 'POST /casting/candidates', card)).data;
}

/** A performer with a device, whose tape has arrived, was watched, is marked, and is shown by a link that somebody has opened. */
async function addMarkedTape() {
  const audition = await calls.addAudition();
  const { owner, performer, requestId, role } = audition;
  const { subscription } = service.addDevice();
  const body = { ...subscription, time_zone: 'Asia/Kolkata' };
  await calls.must(performer, 'PUT /push/subscription', body);
  const tape = await calls.sendTape(performer, requestId);
  await calls.view(owner, tape.id, 5);
  const marked = await calls.mark(owner, tape.id, { grade: 'B', text: `${MARKER} one` });
  expect(marked.status).toBe(200);
  const link = await links.makeLink(owner, role.id, { name: `${MARKER} link`, watermark: 'Anand Rege' });
  const opened = await links.open(link);
  return {
    ...audition,
    tape,
    link,
    opened,
    markId: marked.body.marks[0]!.id,
    ids: [requestId, tape.id, role.id, performer.profileId, link.id, link.client_id],
  };
}

test('a mark is its author’s alone', async () => {
  const { owner, performer, tape, requestId } = await addMarkedTape();
  const [mark] = await calls.getRecords<Mark>(owner, 'mark');
  expect(mark).toMatchObject({
    tape_id: tape.id,
    request_id: requestId,
    grade: 'B',
    text: `${MARKER} one`,
    version: 1,
  });
  // What is absent stays, and what is empty goes.
  const graded = await calls.mark(owner, tape.id, { grade: 'A' });
  expect(graded.body.marks).toEqual([{ ...mark, grade: 'A', version: 2 }]);
  expect(graded.body.data).toMatchObject({ id: tape.id, client_id: null });
  expect((await calls.mark(owner, tape.id, { text: '' })).body.marks).toMatchObject([{ grade: 'A', text: null }]);
  const refused = await calls.mark(owner, tape.id, { grade: 'D' });
  expect([refused.status, Object.keys(refused.body.errors!)]).toEqual([422, ['grade']]);
  for (const person of [performer, await testServer.join()]) {
    expect((await calls.mark(person, tape.id, { grade: 'A' })).status).toBe(404);
    expect(await calls.getRecords(person, 'mark')).toEqual([]);
  }
});

/** Calls whose responses say nothing of records, and differ from call to call or end what the walk needs. */
const LEFT_OUT = new Set(['GET /challenge', 'GET /healthz', 'GET /livez', 'GET /readyz', 'DELETE /account']);

/** The requests of these methods that the server answers, with each of the ids. */
const listRequests = (methods: readonly string[], ids: readonly string[]): string[] =>
  testServer.app.describedRoutes
    .filter(({ method, path }) => methods.includes(method) && !LEFT_OUT.has(`${method} ${path}`))
    .flatMap(({ method, path }) => [...new Set(ids.map((id) => `${method} ${path.replace(/:[^/]+/g, id)}`))]);

/** Reads everything that a person can ask for. @returns status, ETag and body by request */
async function readAll({ token }: Person, ids: readonly string[]): Promise<Map<string, string>> {
  const read = listRequests(['GET'], ids).map(async (request) => {
    const { status, headers, text } = await testServer.call(request, { token });
    return [request, `${status} ${headers.etag ?? ''} ${text}`] as const;
  });
  return new Map(await Promise.all(read));
}

/** Does everything that a person can ask for, also what ends their session. */
async function writeAll(person: Person, ids: readonly string[]): Promise<Map<string, string>> {
  const answers = new Map<string, string>();
  const body = { request_id: ids[0], seconds: 4, grade: 'C', upload_ids: [] };
  let { token } = person;
  for (const request of listRequests(['POST', 'PUT', 'PATCH', 'DELETE'], ids)) {
    const answer = await testServer.call(request, { token, body });
    if (answer.status === 401) ({ token } = await testServer.signIn(person));
    answers.set(request, answer.text);
  }
  return answers;
}

const findLeaks = (answers: Map<string, string>) =>
  [...answers].filter(([, text]) => text.includes(MARKER)).map(([request]) => request);

test(
  'no call shows a mark, a link or a shortlist to the performer or a stranger, and no event, push or mail tells it',
  { timeout: 300_000 },
  async () => {
    const publish = watchEvents();
    const marked = await addMarkedTape();
    const { owner, performer, tape, link, opened } = marked;
    await calls.mark(owner, tape.id, { text: `${MARKER} two` });
    const ids = [...marked.ids, (await list(marked)).id];
    await calls.must(owner, `POST /casting/requests/${ids[0]}/answer`, { kind: 'callback', text: 'Come and read' });
    await testServer.runJobs();
    const stranger = await testServer.join();
    // The owner reads it, so the walk would find it.
    expect(findLeaks(await readAll(owner, ids))).toEqual(expect.arrayContaining(['GET /sync', 'GET /account/export']));
    expect([opened.status, opened.text, (await links.read(link, opened.body.session)).text].join(' ')).not.toContain(
      MARKER,
    );
    for (const person of [performer, stranger]) {
      const read = await readAll(person, ids);
      expect(read.size).toBeGreaterThan(40);
      expect(findLeaks(read)).toEqual([]);
      expect(findLeaks(await writeAll(person, ids.slice(0, 2)))).toEqual([]);
    }
    await testServer.runJobs();
    expect(JSON.stringify(publish.mock.calls)).not.toContain(MARKER);
    expect(JSON.stringify([service.pushes, testServer.mails])).not.toContain(MARKER);
    expect(service.pushes.map(({ payload }) => payload.notification.data.kind)).toEqual(
      expect.arrayContaining(['audition_watched']),
    );
  },
);

test('marks, links and shortlists are stored in their tables and in the response that a repeat of their author gets, nowhere else', async () => {
  const marked = await addMarkedTape();
  const { owner, tape } = marked;
  await list(marked);
  const body = { text: `${MARKER} three` };
  await testServer.call(`PUT /casting/tapes/${tape.id}/mark`, {
    token: owner.token,
    headers: { 'idempotency-key': '5f3c2a9e-0b1d-4c8a-9e54-0d7f6b1a2c3e' },
    body,
  });
  const { pool } = testServer.database;
  const { rows: tables } = await pool.query<{ name: string }>(
    `select quote_ident(schemaname) || '.' || quote_ident(tablename) as name from pg_tables
     where schemaname not in ('pg_catalog', 'information_schema') order by 1`,
  );
  const found: string[] = [];
  for (const { name } of tables) {
    const { rowCount } = await pool.query(`select 1 from ${name} as row where row::text like $1 limit 1`, [
      `%${MARKER}%`,
    ]);
    if (rowCount) found.push(name);
  }
  expect(found).toEqual([
    'public.casting_candidates',
    'public.casting_links',
    'public.casting_roles',
    'public.idempotency_keys',
    'public.tape_marks',
  ]);
});

test('no table that performers’ queries read refers to marks, viewings, links or candidates', async () => {
  const { rows } = await testServer.database.pool.query(
    `select conrelid::regclass::text as name from pg_constraint
     where contype = 'f' and confrelid in
       ('tape_marks'::regclass, 'tape_viewings'::regclass, 'casting_links'::regclass, 'casting_candidates'::regclass)
     order by 1`,
  );
  expect(rows).toEqual([{ name: 'casting_link_openings' }, { name: 'casting_link_viewings' }]);
});

test('what the performer reads is the same to the byte with and without marks, links, later viewings and shortlists', async () => {
  const marked = await addMarkedTape();
  const { owner, performer, tape, role, ids } = marked;
  await testServer.runJobs();
  const pushes = service.pushes.length;
  const first = await readAll(performer, ids);
  testServer.clock.advance(HOUR_MS);
  const second = await readAll(performer, ids);
  // Some responses change with time alone, such as archives.
  const same = [...first].filter(([request, text]) => second.get(request) === text).map(([request]) => request);
  expect(same).toEqual(expect.arrayContaining(['GET /sync', 'GET /notifications']));
  expect(same.length).toBeGreaterThan(first.size * 0.9);
  const publish = watchEvents();
  testServer.clock.advance(HOUR_MS);
  await calls.mark(owner, tape.id, { grade: 'C', text: `${MARKER} four` });
  await calls.view(owner, tape.id, 300);
  await calls.mark(owner, tape.id, { grade: null, text: null });
  const link = await links.makeLink(owner, role.id, { name: `${MARKER} five` });
  const opened = await links.open(link);
  await links.tellViewed(link, opened.body.session, tape.takes[0]!.id, 5);
  await links.revoke(owner, link.id);
  const candidate = await list(marked);
  await calls.must(owner, `PUT /casting/candidates/${candidate.id}`, { column: 'pencil', position: 'k' });
  await calls.must(owner, `DELETE /casting/candidates/${candidate.id}`);
  await list(marked);
  await testServer.runJobs();
  const toPerformer = publish.mock.calls.filter(([channels]) =>
    channels.some((name) => parseChannel(name)?.id === Number(performer.id)),
  );
  expect(toPerformer).toEqual([]);
  const after = await readAll(performer, ids);
  expect(same.filter((request) => after.get(request) !== first.get(request))).toEqual([]);
  expect(service.pushes.length).toBe(pushes);
});
