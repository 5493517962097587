import { randomUUID } from 'node:crypto';
import http from 'node:http';
import { expect, test } from 'vitest';
import { isFull } from '../support/quantity.ts';
import { tus, useTwoPerformers } from './support/files.ts';
import { photo, photoCalls, type Field } from './support/photos.ts';
import * as pictures from './support/pictures.ts';

const testServer = useTwoPerformers();
const { attach, fields, expectNoChange, submit, upload } = photoCalls(testServer);

test.each(pictures.hostileFiles)('rejects $name and stores nothing', async ({ make, error }) => {
  const bytes = await make();
  await expectNoChange(async () => {
    const alone = await submit([...fields(), photo(bytes, '../../../etc/cron.d/evil.php\u0000.jpg')]);
    expect([alone.status, alone.body.errors]).toEqual([422, { 'files[]': [error] }]);
    // All or nothing: the valid photo before it is not stored either.
    const mixed = await submit([...fields(), photo(await pictures.jpeg(40, 40)), photo(bytes)]);
    expect([mixed.status, mixed.body.errors]).toEqual([422, { 'files[]': [`Photo 2: ${error}`] }]);
  });
});

test('rejects a hostile upload and keeps the upload itself', async () => {
  const id = await upload(Buffer.from('<?php system($_GET[0]);'));
  await expectNoChange(async () => {
    const { status, body } = await attach({
      profile_id: testServer.nell.profileId,
      media_type: 'image',
      name: 'x',
      upload_ids: [id],
    });
    expect([status, body.errors]).toEqual([422, { files: ['Only .JPG, .JPEG and .PNG photos'] }]);
  });
  expect((await tus(testServer.url, testServer.nell).head(id)).status).toBe(200);
});

test('rejects a missing, unfinished or foreign upload with an error on upload_ids', async () => {
  const half = randomUUID();
  await tus(testServer.url, testServer.nell).create(half, 1000);
  await tus(testServer.url, testServer.nell).patch(half, 0, new Uint8Array(10));
  const foreignUpload = await upload(await pictures.jpeg(10, 10), testServer.moll);
  const good = await upload(await pictures.jpeg(10, 10));
  await expectNoChange(async () => {
    for (const [upload_ids, error] of [
      [[randomUUID()], 'This upload has expired. Add the file again'],
      [[foreignUpload], 'This upload has expired. Add the file again'],
      [[half], 'This upload is not finished yet'],
      [[good, randomUUID()], 'This upload has expired. Add the file again'],
      [[good, good], 'Send each upload once'],
    ] as const) {
      const { status, body } = await attach({
        profile_id: testServer.nell.profileId,
        media_type: 'image',
        name: 'x',
        upload_ids,
      });
      expect([status, body.errors]).toEqual([422, { upload_ids: [error] }]);
    }
  });
  expect((await tus(testServer.url, testServer.nell).head(good)).status).toBe(200);
});

test.each([
  [{ name: '' }, 'name'],
  [{ name: 'x'.repeat(151) }, 'name'],
  [{ name: 'a\u0000b' }, 'name'],
  [{ media_type: 'film' }, 'media_type'],
  [{ project_type: '99' }, 'project_type'],
  [{ project_type: 'Theatre' }, 'project_type'],
  [{ keywords: 'x'.repeat(501) }, 'keywords'],
  [{ client_id: 'not-a-uuid' }, 'client_id'],
  [{ upload_ids: 'not-a-uuid' }, 'upload_ids'],
])('rejects the fields %j with an error on %s', async (over, field) => {
  await expectNoChange(async () => {
    const { status, body } = await submit([
      ...fields(over as Record<string, string>),
      photo(await pictures.jpeg(9, 9)),
    ]);
    expect(status).toBe(422);
    expect(Object.keys(body.errors ?? {})[0]?.split('.')[0]).toBe(field);
  });
});

test('requires at least one and at most ten files', async () => {
  const small = photo(await pictures.jpeg(5, 5));
  await expectNoChange(async () => {
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

if (isFull) {
  test('accepts exactly ten megabytes and rejects one byte more', async () => {
    const MB10 = 10 * 1024 * 1024;
    const heavy = await pictures.heavyJpeg(MB10);
    expect((await submit([...fields(), photo(heavy)])).status).toBe(201);
    await expectNoChange(async () => {
      const { status, body } = await submit([...fields(), photo(Buffer.concat([heavy, Buffer.alloc(1)]))]);
      expect([status, body.errors]).toEqual([413, { 'files[]': ['Max 10 MB files are allowed'] }]);
    });
  });
}

test("rejects another person's profile and an invalid token", async () => {
  const body = [photo(await pictures.jpeg(9, 9))];
  await expectNoChange(async () => {
    expect((await submit([...fields({ profile_id: testServer.moll.profileId }), ...body])).status).toBe(403);
    expect((await submit([...fields({ profile_id: '999999' }), ...body])).status).toBe(404);
    expect((await submit([...fields({ profile_id: "1' or '1'='1" }), ...body])).status).toBe(404);
    expect((await submit([...fields(), ...body], { token: 'x'.repeat(43) })).status).toBe(401);
  });
});

test('stores nothing of a form that is cut off or malformed', async () => {
  await expectNoChange(async () => {
    const boundary = 'xxBOUNDARYxx';
    const request = http.request(`${testServer.url}/submit/media-form`, {
      method: 'POST',
      agent: false,
      headers: {
        authorization: `Bearer ${testServer.nell.token}`,
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
    const answer = await fetch(`${testServer.url}/submit/media-form`, {
      method: 'POST',
      headers: { authorization: `Bearer ${testServer.nell.token}`, 'content-type': type },
      body: text,
    });
    expect([type, text, answer.status]).toEqual([type, text, expect.toSatisfy((s: number) => s >= 400 && s < 500)]);
  }
});

test('deletes the files when the transaction fails', async () => {
  const { pool } = testServer.database;
  await pool.query("alter table media add constraint no_macbeth check (name <> 'Macbeth')");
  await expectNoChange(async () => {
    expect((await submit([...fields({ name: 'Macbeth' }), photo(await pictures.jpeg(50, 50))])).status).toBe(500);
  });
  await pool.query('alter table media drop constraint no_macbeth');
});
