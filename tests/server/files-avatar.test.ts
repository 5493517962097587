import { randomUUID } from 'node:crypto';
import sharp from 'sharp';
import { expect, test } from 'vitest';
import type { Profile } from '#contract/records/profile.ts';
import { tus, useTwoPerformers } from './support/files.ts';
import * as pictures from './support/pictures.ts';

const testServer = useTwoPerformers();

interface Answer {
  message: string;
  profile_photo: string;
  version: number;
  errors?: Record<string, string[]>;
}

async function set(bytes: Uint8Array, over: { token?: string; profileId?: string; key?: string; field?: string } = {}) {
  const form = new FormData();
  form.append('profileId', over.profileId ?? testServer.nell.profileId);
  form.append(over.field ?? 'image', new Blob([new Uint8Array(bytes)]), 'me.jpg');
  const answer = await fetch(`${testServer.url}/profile/avatar`, {
    method: 'POST',
    headers: {
      authorization: `Bearer ${over.token ?? testServer.nell.token}`,
      ...(over.key && { 'idempotency-key': over.key }),
    },
    body: form,
  });
  return { status: answer.status, headers: answer.headers, body: (await answer.json()) as Answer };
}
const profile = async () =>
  (
    await testServer.call<Profile>(`GET /profile/details/${testServer.nell.profileId}`, {
      token: testServer.nell.token,
    })
  ).body;

test('sets the photo, raises the version and adds it to the sync feed', async () => {
  const before = await profile();
  const { cursor } = (await testServer.call<{ cursor: string }>('GET /sync', { token: testServer.nell.token })).body;
  const { status, body } = await set(await pictures.photoWithGps());
  expect([status, body.message]).toEqual([200, 'Avatar uploaded!']);
  const after = await profile();
  expect(after).toMatchObject({ profile_photo: body.profile_photo, version: before.version + 1 });
  expect(body.version).toBe(after.version);
  const feed = await testServer.call<{ records: { type: string; body: Profile }[] }>(`GET /sync?cursor=${cursor}`, {
    token: testServer.nell.token,
  });
  expect(feed.body.records.find(({ type }) => type === 'profile')?.body.profile_photo).toBe(body.profile_photo);

  const bytes = Buffer.from(await (await fetch(testServer.url + body.profile_photo)).arrayBuffer());
  expect(bytes.includes('GPS-secret')).toBe(false);
  expect(await sharp(bytes).metadata()).toMatchObject({ format: 'webp', width: 400, height: 600 });
});

test.each(['jpeg', 'png', 'webp'] as const)('accepts a %s and deletes the old photo', async (format) => {
  const old = (await set(await pictures.jpeg(50, 50))).body.profile_photo;
  const before = (await testServer.keys()).size;
  const { body } = await set(
    await sharp(await pictures.png(900, 300))
      .toFormat(format)
      .toBuffer(),
  );
  expect((await fetch(testServer.url + old)).status).toBe(404);
  expect((await fetch(testServer.url + body.profile_photo)).status).toBe(200);
  expect((await testServer.keys()).size).toBe(before);
});

test('accepts an upload id in place of a file, once', async () => {
  const id = randomUUID();
  const bytes = new Uint8Array(await pictures.jpeg(700, 900));
  await tus(testServer.url, testServer.nell).create(id, bytes.length);
  await tus(testServer.url, testServer.nell).patch(id, 0, bytes);
  const headers = { 'idempotency-key': randomUUID() };
  const ask = { token: testServer.nell.token, headers, body: { profileId: testServer.nell.profileId, upload_id: id } };
  const first = await testServer.call('POST /profile/avatar', ask);
  expect([first.status, first.body.message]).toEqual([200, 'Avatar uploaded!']);
  expect((await tus(testServer.url, testServer.nell).head(id)).status).toBe(404);
  const { version } = await profile();
  const again = await testServer.call('POST /profile/avatar', ask);
  expect([again.status, again.body]).toEqual([200, first.body]);
  expect((await profile()).version).toBe(version);
  const gone = await testServer.call('POST /profile/avatar', { ...ask, headers: {} });
  expect([gone.status, gone.body.errors]).toEqual([
    422,
    { upload_id: ['This upload has expired. Add the file again'] },
  ]);
});

test('replays a form upload under the same key without a change', async () => {
  const key = randomUUID();
  const bytes = await pictures.jpeg(50, 50);
  const first = await set(bytes, { key });
  const { version } = await profile();
  const files = await testServer.keys();
  const again = await set(bytes, { key });
  expect([again.status, again.body, again.headers.get('idempotency-replayed')]).toEqual([200, first.body, 'true']);
  expect([(await profile()).version, await testServer.keys()]).toEqual([version, files]);
});

test("rejects an invalid picture or another person's profile and keeps the old photo", async () => {
  const { body } = await set(await pictures.jpeg(50, 50));
  const before = [await testServer.keys(), await profile()];
  for (const { make, name } of pictures.hostileFiles) {
    const answer = await set(await make());
    expect([name, answer.status, Object.keys(answer.body.errors ?? {})]).toEqual([name, 422, ['image']]);
  }
  const small = await pictures.jpeg(5, 5);
  expect((await set(small, { token: testServer.moll.token })).status).toBe(403);
  expect((await set(small, { token: 'x'.repeat(43) })).status).toBe(401);
  expect((await set(small, { profileId: '424242' })).status).toBe(404);
  expect((await set(small, { profileId: '../1' })).status).toBe(404);
  expect((await set(small, { field: 'avatar' })).body.errors).toHaveProperty('avatar');
  expect((await set(Buffer.alloc(10 * 1024 * 1024 + 1))).status).toBe(413);
  const json = (payload: object) =>
    testServer.call('POST /profile/avatar', { token: testServer.nell.token, body: payload });
  expect((await json({ profileId: testServer.nell.profileId })).body.errors).toEqual({ image: ['No files uploaded!'] });
  expect((await json({})).body.errors).toHaveProperty('profileId');
  expect((await json({ profileId: testServer.nell.profileId, upload_id: 'x' })).body.errors).toHaveProperty(
    'upload_id',
  );
  expect([await testServer.keys(), await profile()]).toEqual(before);
  expect((await fetch(testServer.url + body.profile_photo)).status).toBe(200);
});

test('rejects an outdated version with 412', async () => {
  const { version } = await profile();
  const bytes = new Uint8Array(await pictures.jpeg(70, 90));
  const id = randomUUID();
  await tus(testServer.url, testServer.nell).create(id, bytes.length);
  await tus(testServer.url, testServer.nell).patch(id, 0, bytes);
  const attempt = (seen: number) =>
    testServer.call('POST /profile/avatar', {
      token: testServer.nell.token,
      headers: { 'if-match': `"${seen}"` },
      body: { profileId: testServer.nell.profileId, upload_id: id },
    });
  const stale = await attempt(version - 1);
  expect([stale.status, stale.body.data]).toMatchObject([412, { version }]);
  expect((await attempt(version)).status).toBe(200);
});

test('leaves one photo and no orphan after concurrent uploads', async () => {
  const before = (await testServer.keys()).size;
  const answers = await Promise.all([1, 2, 3].map(async () => set(await pictures.jpeg(60, 60))));
  expect(answers.map(({ status }) => status)).toEqual([200, 200, 200]);
  expect((await testServer.keys()).size).toBe(before);
  expect(answers.map(({ body }) => body.profile_photo)).toContain((await profile()).profile_photo);
});
