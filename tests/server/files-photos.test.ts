import { randomUUID } from 'node:crypto';
import http from 'node:http';
import { buffer } from 'node:stream/consumers';
import sharp from 'sharp';
import { beforeAll, expect, test } from 'vitest';
import type { Media } from '#contract/records/media.ts';
import { tus, useFileStage, type Performer } from './support/files.ts';
import * as pictures from './support/pictures.ts';

const stage = useFileStage();
let nell: Performer;
let moll: Performer;
beforeAll(async () => {
  nell = await stage.performer();
  moll = await stage.performer();
});

interface Answer {
  status: number;
  headers: Headers;
  body: { message: string; files: Media[]; errors?: Record<string, string[]> };
}
type Field = [string, string | Blob] | [string, Blob, string];

async function submit(
  fields: Field[],
  { token = nell.token, ...headers }: Record<string, string> = {},
): Promise<Answer> {
  const form = new FormData();
  for (const [name, value, fileName] of fields) {
    if (typeof value === 'string') form.append(name, value);
    else form.append(name, value, fileName);
  }
  const answer = await fetch(`${stage.url}/submit/media-form`, {
    method: 'POST',
    headers: { accept: 'application/json', authorization: `Bearer ${token}`, ...headers },
    body: form,
  });
  return { status: answer.status, headers: answer.headers, body: (await answer.json()) as Answer['body'] };
}
const fields = (over: Record<string, string> = {}): Field[] =>
  Object.entries({ profile_id: nell.profileId, media_type: 'image', name: 'On stage', ...over });
const photo = (bytes: Uint8Array, name = 'photo.jpg'): Field => ['files[]', new Blob([new Uint8Array(bytes)]), name];
const attach = (body: object, { token = nell.token, ...headers }: Record<string, string> = {}) =>
  stage.call<Answer['body']>('POST /submit/media-form', { token, headers, body });
const photos = async (person: Performer = nell) =>
  (await stage.call<Media[]>(`GET /media?profile_id=${person.profileId}`, { token: person.token })).body;

async function upload(bytes: Uint8Array, person = nell): Promise<string> {
  const id = randomUUID();
  const calls = tus(stage.url, person);
  await calls.create(id, bytes.byteLength);
  expect((await calls.patch(id, 0, new Uint8Array(bytes))).status).toBe(204);
  return id;
}
/** Nothing of a refused submission is left: no record, no file, no change in the feed. */
async function leavesNothing(act: () => Promise<void>) {
  const before = [
    await stage.keys(),
    await photos(),
    (await stage.call('GET /sync', { token: nell.token })).body.cursor,
  ];
  await act();
  expect([
    await stage.keys(),
    await photos(),
    (await stage.call('GET /sync', { token: nell.token })).body.cursor,
  ]).toEqual(before);
}

test('takes photos of a form, upright, without a trace of where they were taken', async () => {
  const { status, body } = await submit([
    ...fields({ keywords: 'Hamlet,  Denmark , ', project_type: '1', category_type: 'Rehearsal' }),
    photo(await pictures.photoWithGps()),
    photo(await pictures.png(1000, 500), 'set.png'),
  ]);
  expect(status).toBe(201);
  const [first, second] = body.files;
  expect(body.files).toHaveLength(2);
  expect(first).toMatchObject({
    profile_id: nell.profileId,
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
      const answer = await fetch(stage.url + path);
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

test('photos come in the sync feed, and their deletion too', async () => {
  const { body } = await submit([...fields(), photo(await pictures.jpeg(50, 50))]);
  const id = body.files[0]?.id ?? '';
  const feed = async () => {
    const { records } = (
      await stage.call<{ records: { type: string; id: string }[] }>('GET /sync', { token: nell.token })
    ).body;
    return records.find((record) => record.type === 'media' && record.id === id);
  };
  expect(await feed()).toMatchObject({ parent: nell.profileId, body: body.files[0] });
  const { cursor } = (await stage.call<{ cursor: string }>('GET /sync', { token: nell.token })).body;
  const deleted = await stage.call(`DELETE /media/${id}`, { token: nell.token });
  expect([deleted.status, deleted.body]).toEqual([200, { status: 'success' }]);
  const after = await stage.call<{ records: object[] }>(`GET /sync?cursor=${cursor}`, { token: nell.token });
  expect(after.body.records).toEqual([{ type: 'media', id, parent: nell.profileId, body: null }]);
});

test('attaches uploads, which are spent with it', async () => {
  const ids = [await upload(await pictures.jpeg(300, 200)), await upload(await pictures.png(200, 300))];
  const { status, body } = await attach({
    profile_id: nell.profileId,
    media_type: 'image',
    name: 'Twins',
    upload_ids: ids,
    client_id: randomUUID(),
  });
  expect(status).toBe(201);
  expect(body.files.map(({ width }) => width)).toEqual([300, 200]);
  for (const id of ids) expect((await tus(stage.url, nell).head(id)).status).toBe(404);
  const known = new Set(
    (await Promise.all([nell, moll].map(photos)))
      .flat()
      .flatMap(({ path, renditions }) => [path, ...renditions.map((copy) => copy.path)])
      .map((path) => path.replace('/storage/', '')),
  );
  expect(await stage.keys()).toEqual(known);
});

test('names uploads by form too', async () => {
  const id = await upload(await pictures.jpeg(30, 20));
  const { status, body } = await submit([...fields(), ['upload_ids[]', id]]);
  expect([status, body.files.length]).toEqual([201, 1]);
});

test('the same client_id again is the same submission, once', async () => {
  const client_id = randomUUID();
  const bytes = await pictures.jpeg(60, 40);
  const first = await submit([...fields({ client_id }), photo(bytes), photo(bytes)]);
  expect(first.status).toBe(201);
  expect(first.body.files.map((file) => file.client_id)).toEqual([client_id, client_id]);
  const files = await stage.keys();
  const again = await submit([...fields({ client_id, name: 'Another name' }), photo(bytes)]);
  expect([again.status, again.body.files]).toEqual([200, first.body.files]);
  const gone = await attach({
    profile_id: nell.profileId,
    media_type: 'image',
    name: 'x',
    client_id,
    upload_ids: [randomUUID()],
  });
  expect([gone.status, gone.body.files]).toEqual([200, first.body.files]);
  expect(await stage.keys()).toEqual(files);
  // It is this person's alone: somebody else may hold the same.
  const hers = await submit([...fields({ client_id, profile_id: moll.profileId }), photo(bytes)], {
    token: moll.token,
  });
  expect(hers.status).toBe(201);
});

test('many at once under one client_id make one submission', async () => {
  const client_id = randomUUID();
  const bytes = await pictures.jpeg(60, 40);
  const before = await stage.keys();
  const answers = await Promise.all([1, 2, 3, 4].map(() => submit([...fields({ client_id }), photo(bytes)])));
  expect(answers.map(({ status }) => status).sort()).toEqual([200, 200, 200, 201]);
  expect(new Set(answers.map(({ body }) => body.files[0]?.id)).size).toBe(1);
  const { renditions = [] } = answers[0]?.body.files[0] ?? {};
  expect((await stage.keys()).size).toBe(before.size + 1 + renditions.length);
});

test('a repeat under its Idempotency-Key gets the stored answer, another request is refused', async () => {
  const headers = { 'idempotency-key': randomUUID() };
  const bytes = await pictures.jpeg(70, 40);
  const first = await submit([...fields(), photo(bytes)], headers);
  const files = await stage.keys();
  const again = await submit([...fields(), photo(bytes)], headers);
  expect([again.status, again.body]).toEqual([201, first.body]);
  expect(again.headers.get('idempotency-replayed')).toBe('true');
  expect((await submit([...fields({ name: 'Other' }), photo(bytes)], headers)).status).toBe(422);
  expect((await submit([...fields(), photo(await pictures.jpeg(71, 40))], headers)).status).toBe(422);
  const spent = { ...headers, 'idempotency-key': randomUUID() };
  const body = { profile_id: nell.profileId, media_type: 'image', name: 'x', upload_ids: [await upload(bytes)] };
  const attached = await attach(body, spent);
  const replayed = await attach(body, spent);
  expect([replayed.status, replayed.body]).toEqual([201, attached.body]);
  expect(files.size).toBeLessThan((await stage.keys()).size);
});

test('at once under one Idempotency-Key it is done once', async () => {
  const headers = { 'idempotency-key': randomUUID() };
  const bytes = await pictures.jpeg(72, 40);
  const before = [(await photos()).length, (await stage.keys()).size] as const;
  const answers = await Promise.all([1, 2, 3, 4].map(() => submit([...fields(), photo(bytes)], headers)));
  const done = answers.filter(({ status }) => status === 201);
  expect(done.length).toBeGreaterThan(0);
  expect(answers.filter(({ status }) => status !== 201 && status !== 409)).toEqual([]);
  expect(new Set(done.map(({ body }) => body.files[0]?.id)).size).toBe(1);
  const copies = done[0]?.body.files[0]?.renditions.length ?? 0;
  expect([(await photos()).length, (await stage.keys()).size]).toEqual([before[0] + 1, before[1] + 1 + copies]);
});

test.each(pictures.hostileFiles)('refuses $name and keeps nothing of it', async ({ make, said }) => {
  const bytes = await make();
  await leavesNothing(async () => {
    const alone = await submit([...fields(), photo(bytes, '../../../etc/cron.d/evil.php\u0000.jpg')]);
    expect([alone.status, alone.body.errors]).toEqual([422, { 'files[]': [said] }]);
    // All or none: the good one before it is not kept either.
    const mixed = await submit([...fields(), photo(await pictures.jpeg(40, 40)), photo(bytes)]);
    expect([mixed.status, mixed.body.errors]).toEqual([422, { 'files[]': [`Photo 2: ${said}`] }]);
  });
});

test('a hostile upload is refused as a file, and stays an upload', async () => {
  const id = await upload(Buffer.from('<?php system($_GET[0]);'));
  await leavesNothing(async () => {
    const { status, body } = await attach({
      profile_id: nell.profileId,
      media_type: 'image',
      name: 'x',
      upload_ids: [id],
    });
    expect([status, body.errors]).toEqual([422, { files: ['Only .JPG, .JPEG and .PNG photos'] }]);
  });
  expect((await tus(stage.url, nell).head(id)).status).toBe(200);
});

test('an upload that is gone, not complete or not yours is refused on upload_ids', async () => {
  const half = randomUUID();
  await tus(stage.url, nell).create(half, 1000);
  await tus(stage.url, nell).patch(half, 0, new Uint8Array(10));
  const hers = await upload(await pictures.jpeg(10, 10), moll);
  const good = await upload(await pictures.jpeg(10, 10));
  await leavesNothing(async () => {
    for (const [upload_ids, said] of [
      [[randomUUID()], 'This upload is gone; send it again'],
      [[hers], 'This upload is gone; send it again'],
      [[half], 'This upload is not complete yet'],
      [[good, randomUUID()], 'This upload is gone; send it again'],
      [[good, good], 'Send each upload once'],
    ] as const) {
      const { status, body } = await attach({ profile_id: nell.profileId, media_type: 'image', name: 'x', upload_ids });
      expect([status, body.errors]).toEqual([422, { upload_ids: [said] }]);
    }
  });
  expect((await tus(stage.url, nell).head(good)).status).toBe(200);
});

test('one upload attached twice at once is attached once', async () => {
  const id = await upload(await pictures.jpeg(80, 80));
  const body = { profile_id: nell.profileId, media_type: 'image', name: 'x', upload_ids: [id] };
  const before = (await photos()).length;
  const answers = await Promise.all([1, 2, 3].map(() => attach(body)));
  expect(answers.map(({ status }) => status).sort()).toEqual([201, 422, 422]);
  expect((await photos()).length).toBe(before + 1);
});

test.each([
  [{ name: '' }, 'name'],
  [{ name: 'x'.repeat(151) }, 'name'],
  [{ name: 'a\u0000b' }, 'name'],
  [{ media_type: 'video' }, 'media_type'],
  [{ project_type: '99' }, 'project_type'],
  [{ project_type: 'Theatre' }, 'project_type'],
  [{ keywords: 'x'.repeat(501) }, 'keywords'],
  [{ client_id: 'not-a-uuid' }, 'client_id'],
  [{ upload_ids: 'not-a-uuid' }, 'upload_ids'],
])('refuses the fields %j on %s', async (over, field) => {
  await leavesNothing(async () => {
    const { status, body } = await submit([
      ...fields(over as Record<string, string>),
      photo(await pictures.jpeg(9, 9)),
    ]);
    expect(status).toBe(422);
    expect(Object.keys(body.errors ?? {})[0]?.split('.')[0]).toBe(field);
  });
});

test('wants a file, and at most ten', async () => {
  const small = photo(await pictures.jpeg(5, 5));
  await leavesNothing(async () => {
    const none = await submit(fields());
    expect([none.status, none.body.errors]).toEqual([422, { files: ['No files uploaded!'] }]);
    const many = await submit([...fields(), ...Array<Field>(11).fill(small)]);
    expect([many.status, many.body.errors]).toEqual([422, { 'files[]': ['Send at most 10 photos'] }]);
    const odd = await submit([...fields(), ['image', new Blob(['x']), 'x.jpg']]);
    expect([odd.status, Object.keys(odd.body.errors ?? {})]).toEqual([422, ['image']]);
  });
  const ten = await submit([...fields(), ...Array<Field>(10).fill(small)]);
  expect([ten.status, ten.body.files.length]).toEqual([201, 10]);
});

test('takes ten megabytes and not a byte more', async () => {
  const MB10 = 10 * 1024 * 1024;
  const heavy = await pictures.heavyJpeg(MB10);
  expect((await submit([...fields(), photo(heavy)])).status).toBe(201);
  await leavesNothing(async () => {
    const { status, body } = await submit([...fields(), photo(Buffer.concat([heavy, Buffer.alloc(1)]))]);
    expect([status, body.errors]).toEqual([413, { 'files[]': ['Max 10 MB files are allowed'] }]);
  });
});

test("is refused on another's profile, and without a token", async () => {
  const body = [photo(await pictures.jpeg(9, 9))];
  await leavesNothing(async () => {
    expect((await submit([...fields({ profile_id: moll.profileId }), ...body])).status).toBe(403);
    expect((await submit([...fields({ profile_id: '999999' }), ...body])).status).toBe(404);
    expect((await submit([...fields({ profile_id: "1' or '1'='1" }), ...body])).status).toBe(404);
    expect((await submit([...fields(), ...body], { token: 'x'.repeat(43) })).status).toBe(401);
  });
});

test('a form that breaks off leaves nothing', async () => {
  await leavesNothing(async () => {
    const boundary = 'xxBOUNDARYxx';
    const request = http.request(`${stage.url}/submit/media-form`, {
      method: 'POST',
      agent: false,
      headers: {
        authorization: `Bearer ${nell.token}`,
        'content-type': `multipart/form-data; boundary=${boundary}`,
        'content-length': 1_000_000,
      },
    });
    const over = new Promise<void>((resolve) => request.once('close', () => resolve()));
    request.on('error', () => undefined);
    request.write(`--${boundary}\r\ncontent-disposition: form-data; name="files[]"; filename="a.jpg"\r\n\r\n`);
    await new Promise((resolve) => request.write(Buffer.alloc(300_000), resolve));
    request.destroy();
    await over;
  });
  for (const [type, text] of [
    [
      'multipart/form-data; boundary=b',
      '--b\r\ncontent-disposition: form-data; name="files[]"; filename="a"\r\n\r\nhalf',
    ],
    ['multipart/form-data; boundary=b', 'no form at all'],
    ['multipart/form-data', 'no boundary'],
    [
      'multipart/form-data; boundary=b',
      '--b\r\ncontent-disposition: form-data; name="__proto__"\r\n\r\nx\r\n--b--\r\n',
    ],
    ['text/plain', 'hello'],
    ['application/json', '{"profile_id":'],
    ['application/json', '[]'],
    ['application/json', '{"upload_ids":"x","files":[1]}'],
  ] as const) {
    const answer = await fetch(`${stage.url}/submit/media-form`, {
      method: 'POST',
      headers: { authorization: `Bearer ${nell.token}`, 'content-type': type },
      body: text,
    });
    expect([type, text, answer.status]).toEqual([type, text, expect.toSatisfy((s: number) => s >= 400 && s < 500)]);
  }
});

test('files go when the transaction fails', async () => {
  const { pool } = stage.database;
  await pool.query("alter table media add constraint no_macbeth check (name <> 'Macbeth')");
  await leavesNothing(async () => {
    expect((await submit([...fields({ name: 'Macbeth' }), photo(await pictures.jpeg(50, 50))])).status).toBe(500);
  });
  await pool.query('alter table media drop constraint no_macbeth');
});

test('lists by period and by profile', async () => {
  const person = await stage.performer();
  const add = async (name: string) => {
    const form: Field[] = [...fields({ profile_id: person.profileId, name }), photo(await pictures.jpeg(5, 5))];
    expect((await submit(form, { token: person.token })).status).toBe(201);
  };
  const names = async (query: string, token: string | null = person.token) => {
    const { status, body } = await stage.call<Media[]>(`GET /media${query}`, { token });
    return status === 200 ? body.map(({ name }) => name) : status;
  };
  await add('long ago');
  stage.clock.advance(400 * 24 * 60 * 60_000);
  await add('today');
  expect(await names('')).toEqual(['today', 'long ago']);
  for (const period of ['today', 'month', 'year']) expect(await names(`?period=${period}`)).toEqual(['today']);
  expect(await names('?period=always')).toBe(422);
  expect(await names('', null)).toBe(401);
  expect(await names(`?profile_id=${person.profileId}`, null)).toEqual(['today', 'long ago']);
  expect(await names(`?profile_id=${person.profileId}`, moll.token)).toEqual(['today', 'long ago']);
  expect(await names('?profile_id=nobody', null)).toBe(404);
  const newcomer = await stage.join();
  expect(await names('', newcomer.token)).toEqual([]);
  const { body } = await stage.call<{ id: string; name: string }[]>('GET /project_types');
  expect(body[0]).toEqual({ id: '1', name: 'Theatre' });
});

test('a photo is deleted by its owner alone, once, in the version they saw', async () => {
  const { body } = await submit([...fields(), photo(await pictures.jpeg(90, 60))]);
  const { id = '', path = '' } = body.files[0] ?? {};
  const before = await stage.keys();
  expect((await stage.call(`DELETE /media/${id}`)).status).toBe(401);
  expect((await stage.call(`DELETE /media/${id}`, { token: moll.token })).status).toBe(403);
  expect((await stage.call('DELETE /media/nothing', { token: nell.token })).status).toBe(404);
  const stale = await stage.call(`DELETE /media/${id}`, { token: nell.token, headers: { 'if-match': '"7"' } });
  expect([stale.status, stale.body.data]).toEqual([412, body.files[0]]);
  expect(await stage.keys()).toEqual(before);
  const gone = await stage.call(`DELETE /media/${id}`, { token: nell.token, headers: { 'if-match': '"1"' } });
  expect([gone.status, gone.body]).toEqual([200, { status: 'success' }]);
  expect((await fetch(stage.url + path)).status).toBe(404);
  expect((await stage.keys()).size).toBe(before.size - 1 - (body.files[0]?.renditions.length ?? 0));
  expect((await stage.call(`DELETE /media/${id}`, { token: nell.token })).status).toBe(404);
});

test('what is stored is what is served', async () => {
  const { body } = await submit([...fields(), photo(await pictures.jpeg(90, 60))]);
  const { file_path } = body.files[0] ?? {};
  const stored = await stage.storage.open(file_path ?? '');
  if (stored === null) throw new Error('not stored');
  const served = await fetch(stage.url + body.files[0]?.path);
  expect(Buffer.from(await served.arrayBuffer()).equals(await buffer(stored))).toBe(true);
});
