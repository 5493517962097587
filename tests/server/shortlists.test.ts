import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { DEFAULT_COLUMNS, SHORTLIST_LIMITS } from '#contract/casting/shortlist.ts';
import type { Role } from '#contract/records/casting.ts';
import type { Candidate } from '#contract/records/shortlist.ts';
import { castingCalls } from './support/casting.ts';
import { colleagueCalls } from './support/colleagues.ts';
import { unzip } from './support/unzip.ts';
import { openTestServer, type Person, type TestServer } from './support/test-server.ts';

let testServer: TestServer;
let calls: ReturnType<typeof castingCalls>;
beforeAll(async () => {
  testServer = await openTestServer();
  calls = castingCalls(testServer);
});
afterAll(() => testServer.close());

const add = (...args: Parameters<typeof calls.tryAddCandidate>) => calls.tryAddCandidate(...args);
const move = (owner: Person, id: string, fields: object, headers: Record<string, string> = {}) =>
  calls.send<Candidate>(owner, `PUT /casting/candidates/${id}`, fields, headers);
const remove = (owner: Person, id: string, headers: Record<string, string> = {}) =>
  calls.send(owner, `DELETE /casting/candidates/${id}`, undefined, headers);
const setColumns = (owner: Person, role: Pick<Role, 'id'>, columns: unknown) =>
  calls.send<Role>(owner, `PUT /casting/roles/${role.id}/columns`, { columns });
const readShortlist = (owner: Person) => calls.read<Candidate>(owner, 'candidate');

/** What has changed for a person since a cursor. */
async function readSince(person: Person, cursor: string | null) {
  const { body } = await testServer.call<{ records: { type: string; id: string; body: unknown }[]; cursor: string }>(
    `GET /sync${cursor === null ? '' : `?cursor=${cursor}`}`,
    { token: person.token },
  );
  return body;
}

async function addScene() {
  const owner = await testServer.join('Tideline Casting');
  const project = await calls.addProject(owner);
  return { owner, project, role: await calls.addRole(owner, project), performer: await calls.addPerformer() };
}
async function addListed() {
  const scene = await addScene();
  return { ...scene, candidate: (await add(scene.owner, scene.role, scene.performer)).body.data };
}

test('a candidate is a record of its owner’s alone, with the card of the performer', async () => {
  const { owner, role, performer } = await addScene();
  const added = await add(owner, role, performer);
  expect(added.status).toBe(201);
  expect(added.body.data).toMatchObject({
    version: 1,
    role_id: role.id,
    column: 'ideas',
    position: 'V',
    performer: { user_id: performer.id, profile_id: performer.profileId, name: 'Asha Rane' },
  });
  expect(await readShortlist(owner)).toEqual([added.body.data]);
  for (const person of [performer, await testServer.join()]) expect(await readShortlist(person)).toEqual([]);
});

test('who is on the shortlist already stays where they are, whoever adds them again', async () => {
  const { owner, role, performer, candidate } = await addListed();
  const again = await add(owner, role, performer, { column: 'pencil', position: 'k' });
  expect([again.status, again.body.data]).toEqual([200, candidate]);
  const both = await Promise.all([add(owner, role, await calls.addPerformer()), add(owner, role, performer)]);
  expect(both.map(({ status }) => status)).toEqual([201, 200]);
});

test('the last move holds, whatever version it was based on', async () => {
  const { owner, candidate } = await addListed();
  const first = await move(owner, candidate.id, { column: 'to-ask', position: 'A' }, { 'if-match': '"1"' });
  expect(first.body.data).toMatchObject({ column: 'to-ask', position: 'A', version: 2 });
  const last = await move(owner, candidate.id, { column: 'pencil', position: 'B' }, { 'if-match': '"1"' });
  expect([last.status, await readShortlist(owner)]).toEqual([200, [last.body.data]]);
});

test('a removed candidate leaves a tombstone under its role, and can be added again', async () => {
  const { owner, role, performer, candidate } = await addListed();
  const { cursor } = await readSince(owner, null);
  expect((await remove(owner, candidate.id, { 'if-match': '"7"' })).status).toBe(200);
  const { records } = await readSince(owner, cursor);
  expect(records).toEqual([{ type: 'candidate', id: candidate.id, parent: role.id, body: null }]);
  expect((await move(owner, candidate.id, { column: 'ideas', position: 'A' })).status).toBe(404);
  expect((await add(owner, role, performer)).status).toBe(201);
});

test('nobody else can add, move or remove, and nothing tells them whether it is there', async () => {
  const { owner, role, performer, candidate } = await addListed();
  const stranger = await testServer.join();
  const other = await calls.addPerformer('Second Performer');
  for (const person of [performer, stranger]) {
    const answers = await Promise.all([
      add(person, role, other),
      move(person, candidate.id, { column: 'ideas', position: 'A' }),
      remove(person, candidate.id),
      setColumns(person, role, [{ id: 'ideas', name: 'Mine' }]),
    ]);
    expect(answers.map(({ status }) => status)).toEqual([404, 404, 404, 404]);
  }
  expect(await readShortlist(owner)).toEqual([candidate]);
});

test('only profiles that the owner sees can be added', async () => {
  const { owner, role, performer } = await addScene();
  const own = await calls.addPerformer('Owner Who Acts');
  const project = await calls.addProject(own);
  const ownRole = await calls.addRole(own, project);
  const refused = await add(own, ownRole, own);
  expect([refused.status, Object.keys(refused.body.errors!)]).toEqual([422, ['profile_id']]);
  expect((await add(owner, role, { profileId: '999999' })).status).toBe(404);
  await calls.must(performer, `POST /blocks/${owner.id}`);
  expect((await add(owner, role, performer)).status).toBe(404);
});

test.each([
  { column: '' },
  { column: 'x'.repeat(41) },
  { position: '' },
  { position: 'a0' },
  { position: 'ä' },
  { position: 'a'.repeat(121) },
])('%o is refused by its field', async (fields) => {
  const { owner, candidate } = await addListed();
  const { status, body } = await move(owner, candidate.id, { column: 'ideas', position: 'V', ...fields });
  expect([status, Object.keys(body.errors ?? {})]).toEqual([422, Object.keys(fields)]);
});

test('who blocks somebody is hidden from their shortlists until the block is taken back', async () => {
  const { owner, performer, candidate } = await addListed();
  await calls.must(performer, `POST /blocks/${owner.id}`);
  expect(await readShortlist(owner)).toEqual([]);
  expect((await move(owner, candidate.id, { column: 'pencil', position: 'V' })).status).toBe(404);
  expect((await remove(owner, candidate.id)).status).toBe(404);
  await calls.must(performer, `DELETE /blocks/${owner.id}`);
  expect(await readShortlist(owner)).toEqual([candidate]);
});

/** A scene with two colleagues of the owner: one may rate, the other may read. */
async function addColleagues() {
  const scene = await addListed();
  const { addColleague } = colleagueCalls(testServer);
  const rater = await addColleague(scene.owner, scene.project.id, 'rate', 'Noor Rates');
  return { ...scene, rater, reader: await addColleague(scene.owner, scene.project.id, 'read', 'Ravi Watches') };
}

test('colleagues read the shortlist, and those who rate change it', async () => {
  const { owner, role, candidate, rater, reader } = await addColleagues();
  for (const person of [rater, reader]) expect(await readShortlist(person)).toEqual([candidate]);
  const moved = await move(rater, candidate.id, { column: 'pencil', position: 'k' });
  const added = await add(rater, role, await calls.addPerformer('Tenzin Dolma'));
  const named = await setColumns(rater, role, [{ id: 'ideas', name: 'Long list' }]);
  expect([moved.status, added.status, named.status]).toEqual([200, 201, 200]);
  const shortlist = [moved.body.data, added.body.data];
  for (const person of [owner, rater, reader]) expect(await readShortlist(person)).toEqual(shortlist);
  const refused = await Promise.all([
    add(reader, role, await calls.addPerformer()),
    move(reader, candidate.id, { column: 'ideas', position: 'A' }),
    remove(reader, candidate.id),
    setColumns(reader, role, [{ id: 'ideas', name: 'Mine' }]),
  ]);
  expect(refused.map(({ status }) => status)).toEqual([403, 403, 403, 403]);
});

test('a colleague who is removed loses the shortlist, and one who is a candidate never learns of it', async () => {
  const { owner, role, candidate, rater, reader } = await addColleagues();
  const { cursor } = await readSince(reader, null);
  const added = await add(rater, role, reader);
  expect(added.status).toBe(201);
  expect((await readSince(reader, cursor)).records).toEqual([]);
  expect(await readShortlist(reader)).toEqual([candidate]);
  await calls.must(owner, `DELETE /casting/members/${rater.memberId}`);
  expect(await readShortlist(rater)).toEqual([]);
  expect((await move(rater, candidate.id, { column: 'ideas', position: 'A' })).status).toBe(404);
});

test('a colleague and a performer of whom one has blocked the other do not meet on a shortlist', async () => {
  const { performer, candidate, rater, reader } = await addColleagues();
  await calls.must(performer, `POST /blocks/${rater.id}`);
  expect([await readShortlist(rater), await readShortlist(reader)]).toEqual([[], [candidate]]);
  await calls.must(performer, `DELETE /blocks/${rater.id}`);
  expect(await readShortlist(rater)).toEqual([candidate]);
});

test.each([
  ['their role', ({ role }: { role: Role }) => `DELETE /casting/roles/${role.id}`],
  ['their project', ({ project }: { project: { id: string } }) => `DELETE /casting/projects/${project.id}`],
])('candidates go with %s', async (_, toCall) => {
  const scene = await addListed();
  const { cursor } = await readSince(scene.owner, null);
  await calls.must(scene.owner, toCall(scene));
  const { records } = await readSince(scene.owner, cursor);
  expect(records).toContainEqual({ type: 'candidate', id: scene.candidate.id, parent: scene.role.id, body: null });
});

test('a candidate goes with their account, and is shown under their new name', async () => {
  const { owner, performer, candidate } = await addListed();
  await calls.must(performer, 'PUT /name', { name: 'Asha Deo' });
  expect((await readShortlist(owner))[0]?.performer.name).toBe('Asha Deo');
  const { cursor } = await readSince(owner, null);
  await testServer.call('DELETE /account', { token: performer.token, body: { password: performer.password } });
  const { records } = await readSince(owner, cursor);
  expect(records.filter(({ type }) => type === 'candidate')).toMatchObject([{ id: candidate.id, body: null }]);
});

test('columns are added, renamed and removed one by one', async () => {
  const { owner, role } = await addScene();
  expect(role.columns).toBeNull();
  await setColumns(owner, role, [{ id: 'a', name: 'Maybe' }]);
  await setColumns(owner, role, [
    { id: 'ideas', name: 'Long list' },
    { id: 'pencil', name: null },
    { id: 'unknown', name: null },
  ]);
  const [kept] = await calls.read<Role>(owner, 'role');
  expect(kept!.columns).toEqual([
    { id: 'ideas', name: 'Long list' },
    ...DEFAULT_COLUMNS.slice(1, 3),
    { id: 'a', name: 'Maybe' },
  ]);
});

test.each([
  ['more than eight columns', [1, 2, 3, 4, 5].map((n) => ({ id: `c${n}`, name: 'More' }))],
  ['no column', DEFAULT_COLUMNS.map(({ id }) => ({ id, name: null }))],
  ['a column without a name', [{ id: 'a', name: ' ' }]],
  ['a long name', [{ id: 'a', name: 'x'.repeat(41) }]],
  ['nothing', []],
])('%s is refused', async (_, columns) => {
  const { owner, role } = await addScene();
  const { status, body } = await setColumns(owner, role, columns);
  expect([status, Object.keys(body.errors!).map((key) => key.split('.')[0])]).toEqual([422, ['columns']]);
});

test('a shortlist has room for three hundred', async () => {
  const { owner, role, performer } = await addScene();
  const { pool } = testServer.database;
  const mark = randomUUID();
  await pool.query(
    `with people as (
       insert into users (name, email, password_hash, slug, created_at)
       select 'Extra', $1 || n || '@callboard.example', '-', $1 || n, now() from generate_series(1, $2::int) n returning id
     ), cards as (
       insert into profiles (user_id, profile_type_id, status, stage_name, created_at, updated_at)
       select id, (select id from profile_types limit 1), 'active', 'Extra', now(), now() from people returning id
     )
     insert into casting_candidates (role_id, profile_id, "column", position, created_at, updated_at)
     select $3, id, 'ideas', 'V', now(), now() from cards`,
    [mark, SHORTLIST_LIMITS.candidatesPerRole - 1, role.id],
  );
  expect((await add(owner, role, performer)).status).toBe(201);
  const refused = await add(owner, role, await calls.addPerformer('One too many'));
  expect([refused.status, refused.body.message]).toEqual([422, 'A shortlist has room for 300 performers']);
  expect((await add(owner, role, performer)).status).toBe(200);
});

test('the export of the owner has their shortlists, that of a performer none', async () => {
  const { owner, performer, candidate } = await addListed();
  const read = async ({ token }: Person) => {
    const headers = { authorization: `Bearer ${token}`, 'x-requested-with': 'XMLHttpRequest' };
    const { rawPayload } = await testServer.app.inject({ url: '/account/export', headers });
    return JSON.parse(String(unzip(rawPayload).get('casting.json'))) as { shortlists: Candidate[] };
  };
  expect([(await read(owner)).shortlists, (await read(performer)).shortlists]).toEqual([[candidate], []]);
});
