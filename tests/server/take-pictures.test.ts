import { randomUUID } from 'node:crypto';
import { buffer } from 'node:stream/consumers';
import sharp from 'sharp';
import { expect, test } from 'vitest';
import { useFileTestServer } from './support/files.ts';
import { heavyJpeg, jpeg, png } from './support/pictures.ts';
import { block } from './support/people.ts';
import { tapeCalls } from './support/tapes.ts';
import { sweep } from './support/uploads.ts';

const testServer = useFileTestServer();
const crowded = useFileTestServer({ env: { MAX_STORAGE_MB_PER_PERSON: '0.01' } });
const { addAudition, announce, arrive, fetchFile, getTapes, must, sendTape, upload } = tapeCalls(testServer);

const poster = (await jpeg(480, 270)).toString('base64');
const strip = (await jpeg(960, 90)).toString('base64');
const toKey = (path: string | null | undefined) => String(path).replace('/storage/', '');

test('the picture of a take is there while its bytes are still on their way, for both sides alone', async () => {
  const { owner, performer, requestId } = await addAudition();
  const uploadIds = [randomUUID(), randomUUID()];
  const { status, body } = await announce(performer, requestId, { uploadIds, posters: [poster, null] });
  expect([status, body.data.state]).toEqual([201, 'announced']);
  expect(body.data.takes).toMatchObject([
    { path: null, poster_path: expect.stringMatching(/^\/storage\/.+\.webp$/) },
    { path: null, poster_path: null },
  ]);
  expect((await getTapes(owner))[0]!.takes).toEqual(body.data.takes);
  const path = body.data.takes[0]!.poster_path!;
  const who = [performer, owner, await testServer.join(), null];
  const answers = await Promise.all(who.map((person) => fetchFile(path, person)));
  expect(answers.map((answer) => answer.status)).toEqual([200, 200, 404, 404]);
  expect(answers[0]!.headers['content-type']).toBe('image/webp');
  await sweep(testServer, { filesOlderThan: new Date(Date.now() + 1000) });
  expect(await testServer.keys()).toContain(toKey(path));
});

test('it stays with the tape that has arrived, and goes with one that is replaced or refused', async () => {
  const { owner, performer, requestId } = await addAudition();
  const first = await sendTape(performer, requestId, { posters: [poster] });
  const firstPath = first.takes[0]!.poster_path!;
  expect((await fetchFile(firstPath, owner)).status).toBe(200);
  const uploadIds = [await upload(performer, Buffer.from('no video at all'))];
  const broken = (await announce(performer, requestId, { uploadIds, posters: [poster] })).body.data;
  expect((await arrive(performer, broken.id, uploadIds)).status).toBe(422);
  expect((await fetchFile(broken.takes[0]!.poster_path!, owner)).status).toBe(404);
  const third = await sendTape(performer, requestId, { posters: [poster] });
  const byNumber = (await getTapes(owner)).toSorted((one, other) => one.number - other.number);
  expect(byNumber.map(({ state, takes }) => [state, takes[0]!.poster_path])).toEqual([
    ['replaced', null],
    ['refused', null],
    ['arrived', third.takes[0]!.poster_path],
  ]);
  expect((await fetchFile(firstPath, owner)).status).toBe(404);
  const keys = await testServer.keys();
  const kept = [firstPath, broken.takes[0]!.poster_path, third.takes[0]!.poster_path].map((path) =>
    keys.has(toKey(path)),
  );
  expect(kept).toEqual([false, false, true]);
});

test('the frames of a take come and go with its picture', async () => {
  const { owner, performer, requestId } = await addAudition();
  const first = await sendTape(performer, requestId, { posters: [poster], strips: [strip] });
  const path = first.takes[0]!.strip_path!;
  expect((await getTapes(owner))[0]!.takes[0]!.strip_path).toBe(path);
  const who = [performer, owner, await testServer.join(), null];
  const answers = await Promise.all(who.map((person) => fetchFile(path, person)));
  expect(answers.map((answer) => answer.status)).toEqual([200, 200, 404, 404]);
  await sendTape(performer, requestId);
  expect((await getTapes(owner)).map(({ takes }) => takes[0]!.strip_path)).toEqual([null, null]);
  expect((await fetchFile(path, owner)).status).toBe(404);
  expect(await testServer.keys()).not.toContain(toKey(path));
});

test.each([
  ['lying frames', [960, 90], [960, 90]],
  ['upright frames', [540, 160], [540, 160]],
  ['frames that are too large', [3000, 400], [960, 128]],
])('%s are stored as a WebP of their shape without metadata', async (_, [width, height], size) => {
  const { performer, requestId } = await addAudition();
  const picture = sharp({ create: { width: width!, height: height!, channels: 3, background: '#a33' } });
  const sent = await picture
    .withExif({ IFD0: { Copyright: 'A phone' } })
    .jpeg()
    .toBuffer();
  const { body } = await announce(performer, requestId, { strips: [sent.toString('base64')] });
  const stored = await testServer.storage.open(toKey(body.data.takes[0]!.strip_path));
  const facts = await sharp(await buffer(stored!)).metadata();
  expect([facts.format, facts.width, facts.height, facts.exif]).toEqual(['webp', ...size!, undefined]);
});

test('it goes when one blocks the other', async () => {
  const { owner, performer, requestId } = await addAudition();
  const path = (await announce(performer, requestId, { posters: [poster] })).body.data.takes[0]!.poster_path;
  await block(testServer, owner, performer);
  await testServer.runJobs();
  expect(await testServer.keys()).not.toContain(toKey(path));
});

test.each([
  ['no base64', () => 'not base64!'],
  ['no picture', () => btoa('nothing to see')],
  ['another kind of picture', async () => (await png(8, 8)).toString('base64')],
  ['a damaged picture', async () => (await jpeg(480, 270)).subarray(0, 300).toString('base64')],
  ['more than 60 kB', async () => (await heavyJpeg(60_003)).toString('base64')],
])('an announcement with %s is refused and leaves no file', async (_, make) => {
  const { performer, requestId } = await addAudition();
  const before = await testServer.keys();
  const { status, body } = await announce(performer, requestId, { posters: [await make()] });
  expect([status, Object.keys(body.errors!).map((field) => field.split('.')[0])]).toEqual([422, ['takes']]);
  expect(await testServer.keys()).toEqual(before);
});

test.each([
  ['no base64', () => 'not base64!'],
  ['another kind of picture', async () => (await png(8, 8)).toString('base64')],
  ['a damaged picture', async () => (await jpeg(960, 90)).subarray(0, 300).toString('base64')],
  ['more than 40 kB', async () => (await heavyJpeg(40_003)).toString('base64')],
])('an announcement whose frames are %s is refused and leaves no file', async (_, make) => {
  const { performer, requestId } = await addAudition();
  const before = await testServer.keys();
  const { status, body } = await announce(performer, requestId, { posters: [poster], strips: [await make()] });
  expect([status, Object.keys(body.errors!).map((field) => field.split('.')[0])]).toEqual([422, ['takes']]);
  expect(await testServer.keys()).toEqual(before);
});

test('the largest announcement is taken: five takes, each with both pictures', async () => {
  const { performer, requestId } = await addAudition();
  const uploadIds = Array.from({ length: 5 }, () => randomUUID());
  const [large, wide] = [await heavyJpeg(60_000), await heavyJpeg(40_000)].map((each) => each.toString('base64'));
  const { status, body } = await announce(performer, requestId, {
    uploadIds,
    posters: uploadIds.map(() => large!),
    strips: uploadIds.map(() => wide!),
  });
  expect(status).toBe(201);
  expect(body.data.takes.every(({ poster_path, strip_path }) => poster_path !== null && strip_path !== null)).toBe(
    true,
  );
});

test('a picture of 60 kB is taken, and a repeat of the announcement stores no second one', async () => {
  const { performer, requestId } = await addAudition();
  const posters = [(await heavyJpeg(60_000)).toString('base64')];
  const announced = { clientId: randomUUID(), uploadIds: [randomUUID()], posters };
  const first = await announce(performer, requestId, announced);
  expect(first.status).toBe(201);
  const keys = await testServer.keys();
  const again = await announce(performer, requestId, announced);
  expect([again.status, again.body.data]).toEqual([200, first.body.data]);
  expect(await testServer.keys()).toEqual(keys);
});

test('nothing of a picture is kept that comes with a tape nobody waits for', async () => {
  const { owner, performer, requestId } = await addAudition();
  const before = await testServer.keys();
  expect((await announce(await testServer.join(), requestId, { posters: [poster] })).status).toBe(404);
  await must(performer, `POST /auditions/${requestId}/decline`, {});
  expect((await announce(performer, requestId, { posters: [poster] })).status).toBe(409);
  await must(owner, `POST /casting/requests/${requestId}/withdraw`, {});
  expect((await announce(performer, requestId, { posters: [poster] })).status).toBe(409);
  expect(await testServer.keys()).toEqual(before);
});

test('pictures count for the quota of the performer, and without room a tape is announced without them', async () => {
  const small = tapeCalls(crowded);
  const { performer, requestId } = await small.addAudition();
  const first = await small.announce(performer, requestId, { posters: [poster] });
  const path = first.body.data.takes[0]!.poster_path;
  expect(path).not.toBeNull();
  const { pool } = crowded.database;
  const counted = await pool.query('select key from stored_files where user_id = $1', [performer.id]);
  expect(counted.rows).toEqual([{ key: toKey(path) }]);
  await pool.query('update stored_files set size_bytes = 10400 where user_id = $1', [performer.id]);
  const keys = await crowded.keys();
  const second = await small.announce(performer, requestId, { posters: [poster] });
  expect([second.status, second.body.data.takes[0]!.poster_path]).toEqual([201, null]);
  expect(await crowded.keys()).toEqual(keys);
});
