import { randomUUID } from 'node:crypto';
import { expect, test } from 'vitest';
import { deleteUnusedSides } from '#server/features/casting/sides.ts';
import { getFreeBytes } from '#server/features/uploads/quota.ts';
import { packedPdf, scriptPdf } from '../support/script-pdf.ts';
import { castingCalls, type Performer } from './support/casting.ts';
import { colleagueCalls } from './support/colleagues.ts';
import { useFileTestServer } from './support/files.ts';
import { jpeg } from './support/pictures.ts';
import { block } from './support/people.ts';
import { tapeCalls } from './support/tapes.ts';
import type { Person } from './support/test-server.ts';
import { sweep } from './support/uploads.ts';

const testServer = useFileTestServer();
const casting = castingCalls(testServer);
const { addPerformer, addProject, addRole, ask, change, readAuditions, readRequests, tryAsk } = casting;
const { fetchFile, upload } = tapeCalls(testServer);

const DAY_MS = 86_400_000;
const toKey = (path: string) => path.replace('/storage/', '');

async function addScene() {
  const [owner, performer] = [await testServer.join('Tideline Casting'), await addPerformer()];
  const role = await addRole(owner, await addProject(owner));
  return { owner, performer, role };
}

/** Uploads a PDF. @returns it as a request names it */
const bring = async (owner: Person, bytes: Buffer | Promise<Buffer> = scriptPdf(3), name = 'Scene 14') => ({
  upload_id: await upload(owner, await bytes),
  name,
});

/** Tries to ask with one file. */
async function tryWith(bytes: Buffer | Promise<Buffer>, fields: object = {}) {
  const { owner, performer, role } = await addScene();
  return tryAsk(owner, role, performer, { sides: [await bring(owner, bytes)], ...fields });
}

const uploadsLeft = async ({ id }: Person) => {
  const { rows } = await testServer.database.pool.query('select id from uploads where user_id = $1', [id]);
  return rows.length;
};

test('both sides read the PDFs of a request, and nobody else does', async () => {
  const { owner, performer, role } = await addScene();
  const pdf = await scriptPdf(3);
  const request = await ask(owner, role, performer, {
    sides: [await bring(owner, pdf), await bring(owner, packedPdf(2), 'Song')],
  });
  expect(request.sides).toMatchObject([
    { name: 'Scene 14', pages: 3, size: pdf.length, path: expect.stringMatching(/^\/storage\/.+\.pdf$/) },
    { name: 'Song', pages: 2 },
  ]);
  expect((await readAuditions(performer))[0]!.sides).toEqual(request.sides);
  expect((await readRequests(owner))[0]!.sides).toEqual(request.sides);
  const other = await addPerformer();
  await ask(owner, role, other);
  const path = request.sides![0]!.path;
  const who = [performer, owner, other, await testServer.join(), null];
  const answers = await Promise.all(who.map((person) => fetchFile(path, person)));
  expect(answers.map(({ status }) => status)).toEqual([200, 200, 404, 404, 404]);
  expect(answers[0]!.headers).toMatchObject({
    'content-type': 'application/pdf',
    'cache-control': 'private, no-cache',
  });
  const part = await fetchFile(path, performer, { range: 'bytes=0-4' });
  expect([part.status, part.text]).toEqual([206, '%PDF-']);
  await sweep(testServer, { filesOlderThan: new Date(Date.now() + 1000) });
  expect((await fetchFile(path, performer)).status).toBe(200);
  expect(await uploadsLeft(owner)).toBe(0);
});

test('colleagues in the project read them until they are removed', async () => {
  const { owner, performer, role } = await addScene();
  const { sides } = await ask(owner, role, performer, { sides: [await bring(owner)] });
  const { addColleague, remove } = colleagueCalls(testServer);
  const colleague = await addColleague(owner, role.project_id, 'read');
  expect((await fetchFile(sides![0]!.path, colleague)).status).toBe(200);
  await remove(owner, colleague.memberId);
  expect((await fetchFile(sides![0]!.path, colleague)).status).toBe(404);
});

test('several requests share one upload, also when they come at the same moment', async () => {
  const { owner, role } = await addScene();
  const performers = await Promise.all(Array.from({ length: 4 }, () => addPerformer()));
  const before = await testServer.keys();
  const sides = [await bring(owner)];
  const askUntilDone = async (performer: Performer): Promise<string> => {
    const fields = { sides, client_id: randomUUID() };
    for (;;) {
      const { status, body, text } = await tryAsk(owner, role, performer, fields);
      if (status === 201) return body.data.sides![0]!.path;
      // As a device does when another request has the file at the moment.
      if (status !== 409) throw new Error(text);
      await new Promise((resolve) => setImmediate(resolve));
    }
  };
  const paths = await Promise.all(performers.map(askUntilDone));
  expect(new Set(paths).size).toBe(1);
  const added = [...(await testServer.keys())].filter((key) => !before.has(key));
  expect(added).toEqual([toKey(paths[0]!)]);
  expect(await uploadsLeft(owner)).toBe(0);
  // Another device of the sender brings the same bytes again, under the name of the upload.
  await upload(owner, await scriptPdf(3), sides[0]!.upload_id);
  const late = await ask(owner, role, await addPerformer(), { sides });
  expect([late.sides![0]!.path, await uploadsLeft(owner)]).toEqual([paths[0], 0]);
});

test('a repeated request asks once and brings its PDF once', async () => {
  const { owner, performer, role } = await addScene();
  const body = casting.toAsk(role, performer, { sides: [await bring(owner)] });
  const headers = { 'idempotency-key': randomUUID() };
  const [first, repeat] = [
    await casting.send<{ id: string; sides: unknown }>(owner, 'POST /casting/requests', body, headers),
    await casting.send<{ id: string; sides: unknown }>(owner, 'POST /casting/requests', body, headers),
  ];
  const later = await casting.send<{ id: string }>(owner, 'POST /casting/requests', body);
  expect([first.status, repeat.status, later.status]).toEqual([201, 201, 200]);
  expect([repeat.body.data, later.body.data]).toEqual([first.body.data, first.body.data]);
});

const ENCRYPTED = Buffer.from('%PDF-1.7\ntrailer\n<< /Root 1 0 R /Encrypt 5 0 R >>\nstartxref\n9\n%%EOF\n');
const EMPTY = Buffer.from('%PDF-1.7\ntrailer\n<< /Root 1 0 R >>\nstartxref\n9\n%%EOF\n');

test.each([
  ['a password', () => ENCRYPTED, 'This PDF has a password. Save it without one and add that'],
  ['201 pages', () => scriptPdf(201), 'This PDF has 201 pages, and 200 are the most'],
  ['no pages', () => EMPTY, 'The pages of this PDF cannot be counted. Print it to a new PDF and add that'],
  ['another type', () => jpeg(20, 20), 'Only PDF files'],
])('a file with %s is refused with the reason', async (_what, make, reason) => {
  const before = await testServer.keys();
  const { status, body } = await tryWith(make());
  expect([status, body.errors]).toEqual([422, { sides: [reason] }]);
  const added = [...(await testServer.keys())].filter((key) => !before.has(key));
  // What is left are the parts of the upload, which the sender may use for something else.
  expect(added.filter((key) => key.endsWith('.pdf'))).toEqual([]);
});

test('the refusal of one of several files names it', async () => {
  const { owner, performer, role } = await addScene();
  const sides = [await bring(owner), await bring(owner, ENCRYPTED, 'Scene 31')];
  const { body } = await tryAsk(owner, role, performer, { sides });
  expect(body.errors!.sides).toEqual([expect.stringMatching(/^Scene 31: This PDF has a password/)]);
});

test('pages of all PDFs and of the text count against the rules together', async () => {
  const { owner, performer, role } = await addScene();
  const sides = [await bring(owner, scriptPdf(5)), await bring(owner, packedPdf(3), 'Song')];
  const over = await tryAsk(owner, role, performer, { sides, sides_text: 'One page more.' });
  expect([over.status, over.body.breaches]).toMatchObject([422, [{ rule: 'pages' }]]);
  // The upload is still there for the next try.
  const request = await ask(owner, role, performer, { sides });
  // A change of the text counts them, too.
  const changed = await change(owner, request.id, { sides_text: 'One page more.' });
  expect([changed.status, changed.body.breaches]).toMatchObject([422, [{ rule: 'pages' }]]);
});

test('an upload that is missing, unfinished or of somebody else is asked for again', async () => {
  const { owner, performer, role } = await addScene();
  const theirs = await bring(await testServer.join());
  for (const upload_id of [randomUUID(), theirs.upload_id]) {
    const { status, body } = await tryAsk(owner, role, performer, { sides: [{ upload_id, name: 'Scene 14' }] });
    expect([status, body.errors]).toEqual([422, { upload_ids: ['This upload has expired. Add the file again'] }]);
  }
});

test('more than six files, the same twice, and files without a name are refused', async () => {
  const { owner, performer, role } = await addScene();
  const one = { upload_id: randomUUID(), name: 'Scene 14' };
  const seven = Array.from({ length: 7 }, () => ({ ...one, upload_id: randomUUID() }));
  for (const sides of [seven, [one, one], [{ ...one, name: '' }], 'all']) {
    const { status, body } = await tryAsk(owner, role, performer, { sides });
    expect([status, Object.keys(body.errors!)[0]]).toEqual([422, expect.stringMatching(/^sides/)]);
  }
});

test('a PDF counts once for the quota of the sender, not of the performers', async () => {
  const { owner, performer, role } = await addScene();
  const pdf = await scriptPdf(2);
  const sides = [await bring(owner, pdf)];
  for (const person of [performer, await addPerformer()]) await ask(owner, role, person, { sides });
  const { db, config } = testServer.app.deps;
  const free = await Promise.all([owner, performer].map(({ id }) => getFreeBytes(db, config, Number(id))));
  expect(free).toEqual([config.maxStorageBytes - pdf.length, config.maxStorageBytes]);
});

test('a block takes the PDFs from the performer', async () => {
  const { owner, performer, role } = await addScene();
  const { sides } = await ask(owner, role, performer, { sides: [await bring(owner)] });
  await block(testServer, performer, owner);
  const answers = await Promise.all([performer, owner].map((person) => fetchFile(sides![0]!.path, person)));
  expect(answers.map(({ status }) => status)).toEqual([404, 200]);
});

async function deleteAccount(person: Person): Promise<void> {
  const { token, password } = person;
  const { status, text } = await testServer.call('DELETE /account', { token, body: { password } });
  if (status >= 300) throw new Error(text);
  await testServer.runJobs();
}

test('PDFs are exported with the account of their sender and deleted with it', async () => {
  const { owner, performer, role } = await addScene();
  const { sides } = await ask(owner, role, performer, { sides: [await bring(owner)] });
  const path = sides![0]!.path;
  const { text } = await testServer.call('GET /account/export', { token: owner.token });
  expect(text).toContain(`files/${toKey(path)}`);
  await deleteAccount(owner);
  expect((await fetchFile(path, performer)).status).toBe(404);
  expect(await testServer.keys()).not.toContain(toKey(path));
});

test('a PDF that no request names any more is deleted after a week', async () => {
  const { owner, performer, role } = await addScene();
  const other = await addPerformer();
  const named = [await bring(owner)];
  const { sides } = await ask(owner, role, performer, { sides: named });
  const kept = await ask(owner, role, other, { sides: [await bring(owner, packedPdf(1))] });
  const [path, keptPath] = [sides![0]!.path, kept.sides![0]!.path];
  await deleteAccount(performer);
  const { db } = testServer.app.deps;
  const inDays = (days: number) => new Date(testServer.clock.now().getTime() + days * DAY_MS);
  await deleteUnusedSides(db, inDays(6));
  expect((await fetchFile(path, owner)).status).toBe(200);
  await deleteUnusedSides(db, inDays(8));
  await testServer.runJobs();
  expect((await fetchFile(path, owner)).status).toBe(404);
  const keys = await testServer.keys();
  expect([keys.has(toKey(path)), keys.has(toKey(keptPath))]).toEqual([false, true]);
});

test('whoever reports a request shows the desk its first PDF', async () => {
  const { owner, performer, role } = await addScene();
  const { id, sides } = await ask(owner, role, performer, { sides: [await bring(owner)] });
  const body = { user_id: owner.id, reason: 'harassment', target_type: 'audition', target_id: id };
  const { status } = await testServer.call('POST /reports', { token: performer.token, body });
  expect(status).toBe(201);
  const { rows } = await testServer.database.pool.query<{ key: string }>(
    "select evidence -> 'file' ->> 'key' as key from reports where reporter_id = $1",
    [performer.id],
  );
  expect(rows).toEqual([{ key: toKey(sides![0]!.path) }]);
});
