import { randomUUID } from 'node:crypto';
import { buffer } from 'node:stream/consumers';
import sharp from 'sharp';
import { expect, test } from 'vitest';
import type { Media } from '#contract/records/media.ts';
import { tus, useTwoPerformers } from './support/files.ts';
import { photo, photoCalls, type Field } from './support/photos.ts';
import * as pictures from './support/pictures.ts';

const testServer = useTwoPerformers();
const { attach, fields, photos, submit, upload } = photoCalls(testServer);

test('accepts photos by form, stores them upright and removes location metadata', async () => {
  const { status, body } = await submit([
    ...fields({ keywords: 'Hamlet,  Denmark , ', project_type: '1', category_type: 'Rehearsal' }),
    photo(await pictures.photoWithGps()),
    photo(await pictures.png(1000, 500), 'set.png'),
  ]);
  expect(status).toBe(201);
  const [first, second] = body.files;
  expect(body.files).toHaveLength(2);
  expect(first).toMatchObject({
    profile_id: testServer.nell.profileId,
    media_type: 'image',
    name: 'On stage',
    format: 'jpg',
    width: 400,
    height: 600,
    version: 1,
    position: null,
    is_saved: 0,
    metadata: [
      { key: 'project_type', value: 'Theatre' },
      { key: 'category_type', value: 'Rehearsal' },
      { key: 'keywords', value: 'Hamlet, Denmark' },
    ],
  });
  expect(second).toMatchObject({ format: 'png', width: 1000, height: 500 });
  expect(second?.renditions.map(({ width, type }) => [width, type])).toEqual([
    [160, 'image/avif'],
    [160, 'image/webp'],
    [480, 'image/avif'],
    [480, 'image/webp'],
    [960, 'image/avif'],
    [960, 'image/webp'],
  ]);
  for (const file of body.files) {
    for (const path of [file.path, file.thumb_path, ...file.renditions.map((copy) => copy.path)]) {
      const answer = await fetch(testServer.url + path);
      expect(answer.status).toBe(200);
      const bytes = Buffer.from(await answer.arrayBuffer());
      expect(bytes.includes('GPS-secret')).toBe(false);
      if (path === file.path) expect(bytes.length).toBe(file.size);
      if (answer.headers.get('content-type') === 'image/avif') continue;
      const { exif, xmp, iptc, orientation } = await sharp(bytes).metadata();
      expect([exif, xmp, iptc, orientation]).toEqual([undefined, undefined, undefined, undefined]);
    }
  }
  const listed = await photos();
  expect(listed.map(({ id }) => id)).toEqual([second?.id, first?.id]);
});

test('adds photos and their deletion to the sync feed', async () => {
  const { body } = await submit([...fields(), photo(await pictures.jpeg(50, 50))]);
  const id = body.files[0]?.id ?? '';
  const feed = async () => {
    const { records } = (
      await testServer.call<{ records: { type: string; id: string }[] }>('GET /sync', { token: testServer.nell.token })
    ).body;
    return records.find((record) => record.type === 'media' && record.id === id);
  };
  expect(await feed()).toMatchObject({ parent: testServer.nell.profileId, body: body.files[0] });
  const { cursor } = (await testServer.call<{ cursor: string }>('GET /sync', { token: testServer.nell.token })).body;
  const deleted = await testServer.call(`DELETE /media/${id}`, { token: testServer.nell.token });
  expect([deleted.status, deleted.body]).toEqual([200, { status: 'success' }]);
  const after = await testServer.call<{ records: object[] }>(`GET /sync?cursor=${cursor}`, {
    token: testServer.nell.token,
  });
  expect(after.body.records).toEqual([{ type: 'media', id, parent: testServer.nell.profileId, body: null }]);
});

test('attaches uploads and consumes them', async () => {
  const ids = [await upload(await pictures.jpeg(300, 200)), await upload(await pictures.png(200, 300))];
  const { status, body } = await attach({
    profile_id: testServer.nell.profileId,
    media_type: 'image',
    name: 'Twins',
    upload_ids: ids,
    client_id: randomUUID(),
  });
  expect(status).toBe(201);
  expect(body.files.map(({ width }) => width)).toEqual([300, 200]);
  for (const id of ids) expect((await tus(testServer.url, testServer.nell).head(id)).status).toBe(404);
  const known = new Set(
    (await Promise.all([testServer.nell, testServer.moll].map(photos)))
      .flat()
      .flatMap(({ path, renditions }) => [path, ...renditions.map((copy) => copy.path)])
      .map((path) => path.replace('/storage/', '')),
  );
  expect(await testServer.keys()).toEqual(known);
});

test('accepts upload ids by form too', async () => {
  const id = await upload(await pictures.jpeg(30, 20));
  const { status, body } = await submit([...fields(), ['upload_ids[]', id]]);
  expect([status, body.files.length]).toEqual([201, 1]);
});

test('returns the existing submission for a repeated client_id', async () => {
  const client_id = randomUUID();
  const bytes = await pictures.jpeg(60, 40);
  const first = await submit([...fields({ client_id }), photo(bytes), photo(bytes)]);
  expect(first.status).toBe(201);
  expect(first.body.files.map((file) => file.client_id)).toEqual([client_id, client_id]);
  const files = await testServer.keys();
  const again = await submit([...fields({ client_id, name: 'Another name' }), photo(bytes)]);
  expect([again.status, again.body.files]).toEqual([200, first.body.files]);
  const gone = await attach({
    profile_id: testServer.nell.profileId,
    media_type: 'image',
    name: 'x',
    client_id,
    upload_ids: [randomUUID()],
  });
  expect([gone.status, gone.body.files]).toEqual([200, first.body.files]);
  expect(await testServer.keys()).toEqual(files);
  // The client_id is scoped to the person: somebody else may use the same one.
  const otherSubmission = await submit(
    [...fields({ client_id, profile_id: testServer.moll.profileId }), photo(bytes)],
    {
      token: testServer.moll.token,
    },
  );
  expect(otherSubmission.status).toBe(201);
});

test('creates one submission for concurrent requests with one client_id', async () => {
  const client_id = randomUUID();
  const bytes = await pictures.jpeg(60, 40);
  const before = await testServer.keys();
  const answers = await Promise.all([1, 2, 3, 4].map(() => submit([...fields({ client_id }), photo(bytes)])));
  expect(answers.map(({ status }) => status).sort()).toEqual([200, 200, 200, 201]);
  expect(new Set(answers.map(({ body }) => body.files[0]?.id)).size).toBe(1);
  const { renditions = [] } = answers[0]?.body.files[0] ?? {};
  expect((await testServer.keys()).size).toBe(before.size + 1 + renditions.length);
});

test('replays the response for a repeated Idempotency-Key and rejects a different request under it', async () => {
  const headers = { 'idempotency-key': randomUUID() };
  const bytes = await pictures.jpeg(70, 40);
  const first = await submit([...fields(), photo(bytes)], headers);
  const files = await testServer.keys();
  const again = await submit([...fields(), photo(bytes)], headers);
  expect([again.status, again.body]).toEqual([201, first.body]);
  expect(again.headers.get('idempotency-replayed')).toBe('true');
  expect((await submit([...fields({ name: 'Other' }), photo(bytes)], headers)).status).toBe(422);
  expect((await submit([...fields(), photo(await pictures.jpeg(71, 40))], headers)).status).toBe(422);
  const newKey = { ...headers, 'idempotency-key': randomUUID() };
  const body = {
    profile_id: testServer.nell.profileId,
    media_type: 'image',
    name: 'x',
    upload_ids: [await upload(bytes)],
  };
  const attached = await attach(body, newKey);
  const replayed = await attach(body, newKey);
  expect([replayed.status, replayed.body]).toEqual([201, attached.body]);
  expect(files.size).toBeLessThan((await testServer.keys()).size);
});

test('creates one submission for concurrent requests with one Idempotency-Key', async () => {
  const headers = { 'idempotency-key': randomUUID() };
  const bytes = await pictures.jpeg(72, 40);
  const before = [(await photos()).length, (await testServer.keys()).size] as const;
  const answers = await Promise.all([1, 2, 3, 4].map(() => submit([...fields(), photo(bytes)], headers)));
  const done = answers.filter(({ status }) => status === 201);
  expect(done.length).toBeGreaterThan(0);
  expect(answers.filter(({ status }) => status !== 201 && status !== 409)).toEqual([]);
  expect(new Set(done.map(({ body }) => body.files[0]?.id)).size).toBe(1);
  const copies = done[0]?.body.files[0]?.renditions.length ?? 0;
  expect([(await photos()).length, (await testServer.keys()).size]).toEqual([before[0] + 1, before[1] + 1 + copies]);
});

test('attaches an upload once under concurrent requests', async () => {
  const id = await upload(await pictures.jpeg(80, 80));
  const body = { profile_id: testServer.nell.profileId, media_type: 'image', name: 'x', upload_ids: [id] };
  const before = (await photos()).length;
  const answers = await Promise.all([1, 2, 3].map(() => attach(body)));
  expect(answers.map(({ status }) => status).sort()).toEqual([201, 422, 422]);
  expect((await photos()).length).toBe(before + 1);
});

test('lists media by period and by profile', async () => {
  const person = await testServer.addPerformer();
  const add = async (name: string) => {
    const form: Field[] = [...fields({ profile_id: person.profileId, name }), photo(await pictures.jpeg(5, 5))];
    expect((await submit(form, { token: person.token })).status).toBe(201);
  };
  const names = async (query: string, token: string | null = person.token) => {
    const { status, body } = await testServer.call<Media[]>(`GET /media${query}`, { token });
    return status === 200 ? body.map(({ name }) => name) : status;
  };
  await add('long ago');
  await testServer.database.pool.query(
    "update media set created_at = created_at - interval '400 days' where name = $1",
    ['long ago'],
  );
  await add('today');
  expect(await names('')).toEqual(['today', 'long ago']);
  for (const period of ['today', 'month', 'year']) expect(await names(`?period=${period}`)).toEqual(['today']);
  expect(await names('?period=always')).toBe(422);
  expect(await names('', null)).toBe(401);
  expect(await names(`?profile_id=${person.profileId}`, null)).toEqual(['today', 'long ago']);
  expect(await names(`?profile_id=${person.profileId}`, testServer.moll.token)).toEqual(['today', 'long ago']);
  expect(await names('?profile_id=nobody', null)).toBe(404);
  const newcomer = await testServer.join();
  expect(await names('', newcomer.token)).toEqual([]);
  const { body } = await testServer.call<{ id: string; name: string }[]>('GET /project_types');
  expect(body[0]).toEqual({ id: '1', name: 'Theatre' });
});

test('deletes a photo only for its owner, once, in the given version', async () => {
  const { body } = await submit([...fields(), photo(await pictures.jpeg(90, 60))]);
  const { id = '', path = '' } = body.files[0] ?? {};
  const before = await testServer.keys();
  expect((await testServer.call(`DELETE /media/${id}`)).status).toBe(401);
  expect((await testServer.call(`DELETE /media/${id}`, { token: testServer.moll.token })).status).toBe(403);
  expect((await testServer.call('DELETE /media/nothing', { token: testServer.nell.token })).status).toBe(404);
  const stale = await testServer.call(`DELETE /media/${id}`, {
    token: testServer.nell.token,
    headers: { 'if-match': '"7"' },
  });
  expect([stale.status, stale.body.data]).toEqual([412, body.files[0]]);
  expect(await testServer.keys()).toEqual(before);
  const gone = await testServer.call(`DELETE /media/${id}`, {
    token: testServer.nell.token,
    headers: { 'if-match': '"1"' },
  });
  expect([gone.status, gone.body]).toEqual([200, { status: 'success' }]);
  expect((await fetch(testServer.url + path)).status).toBe(404);
  expect((await testServer.keys()).size).toBe(before.size - 1 - (body.files[0]?.renditions.length ?? 0));
  expect((await testServer.call(`DELETE /media/${id}`, { token: testServer.nell.token })).status).toBe(404);
});

test('serves the stored bytes', async () => {
  const { body } = await submit([...fields(), photo(await pictures.jpeg(90, 60))]);
  const { file_path } = body.files[0] ?? {};
  const stored = await testServer.storage.open(file_path ?? '');
  if (stored === null) throw new Error('not stored');
  const served = await fetch(testServer.url + body.files[0]?.path);
  expect(Buffer.from(await served.arrayBuffer()).equals(await buffer(stored))).toBe(true);
});
