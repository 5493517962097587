import { randomUUID } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { getMaxBytesOf } from '#server/features/uploads/size-limits.ts';
import { tus, useTwoPerformers } from './support/files.ts';
import { mp4, pdf, wav } from './support/media-files.ts';
import { photo, photoCalls } from './support/photos.ts';
import * as pictures from './support/pictures.ts';

const KB = 1024;
const LIMITS = { image: 64 * KB, audio: 128 * KB, video: 256 * KB, document: 32 * KB };
const inMegabytes = (kind: keyof typeof LIMITS) => String(LIMITS[kind] / KB / KB);
const testServer = useTwoPerformers({
  env: {
    MAX_PHOTO_MB: inMegabytes('image'),
    MAX_AUDIO_MB: inMegabytes('audio'),
    MAX_VIDEO_MB: inMegabytes('video'),
    MAX_DOCUMENT_MB: inMegabytes('document'),
  },
});
const { attach, fields, submit, upload, expectNoChange } = photoCalls(testServer);

/** A valid file of about this size. */
const MAKERS = {
  image: (bytes: number) => pictures.heavyJpeg(bytes),
  video: async (bytes: number) => mp4({ pictures: Buffer.alloc(bytes) }),
  audio: async (bytes: number) => Buffer.concat([wav(), Buffer.alloc(bytes)]),
  document: async (bytes: number) => Buffer.concat([pdf(), Buffer.alloc(bytes, 32)]),
};
const KINDS = ['image', 'audio', 'video', 'document'] as const;
const textOf = (kind: keyof typeof LIMITS) => `Max ${inMegabytes(kind)} MB files are allowed`;

describe.each(KINDS)('the limit of a file of the kind %s', (kind) => {
  test('holds for a form, and for an upload when it is attached', async () => {
    const bytes = await MAKERS[kind](LIMITS[kind] + KB);
    const what = fields({ media_type: kind });
    // Without a name or type, only the request that attaches it says what it is. A video is the largest that may be.
    const id = kind === 'video' ? null : await upload(bytes);
    await expectNoChange(async () => {
      const sent = await submit([...what, photo(bytes)]);
      expect([sent.status, sent.body.errors]).toEqual([413, { 'files[]': [textOf(kind)] }]);
      if (id === null) return;
      const attached = await attach({ ...Object.fromEntries(what), upload_ids: [id] });
      expect([attached.status, attached.body.errors]).toEqual([413, { files: [textOf(kind)] }]);
    });
  });

  test('is known before the first byte of an upload if its sender names the type', async () => {
    const file = {
      image: { name: 'IMG_1.HEIC', type: 'image/heic' },
      audio: { name: 'memo.m4a', type: '' },
      video: { name: 'tape', type: 'video/quicktime' },
      document: { name: 'cv.pdf', type: 'application/octet-stream' },
    }[kind];
    const calls = tus(testServer.url, testServer.nell);
    expect((await calls.create(randomUUID(), LIMITS[kind], file)).status).toBe(201);
    const refused = await calls.create(randomUUID(), LIMITS[kind] + 1, file);
    expect([refused.status, await refused.json()]).toMatchObject([
      413,
      { errors: { 'Upload-Length': [textOf(kind)] } },
    ]);
  });
});

test('an upload of an unknown kind may be as large as the largest of all', () => {
  expect(getMaxBytesOf({ maxFileBytes: LIMITS }, { name: '', type: '' })).toBe(LIMITS.video);
});

test('the gallery page refuses each file by its own kind, before and after it was sent', async () => {
  const [picture, film] = [await MAKERS.image(LIMITS.image + KB), await MAKERS.video(LIMITS.image + KB)];
  const { token } = testServer.nell;
  const files = [
    { name: 'a.jpg', type: 'image/jpeg', size: picture.length },
    { name: 'b.mp4', type: 'video/mp4', size: film.length },
  ];
  const checked = await testServer.call('POST /media/validate', { token, body: { files } });
  expect([checked.status, checked.body.errors]).toEqual([422, { 'File 1': [textOf('image')] }]);
  const form = new FormData();
  for (const bytes of [picture, film]) form.append('files[]', new Blob([new Uint8Array(bytes)]), 'x');
  const sent = await fetch(`${testServer.url}/media/upload`, {
    method: 'POST',
    headers: { accept: 'application/json', authorization: `Bearer ${token}` },
    body: form,
  });
  expect([sent.status, await sent.json()]).toMatchObject([422, { errors: { 'File 1': [textOf('image')] } }]);
});

test('a portrait may be as large as a photo', async () => {
  const id = await upload(await MAKERS.image(LIMITS.image + KB));
  const { nell } = testServer;
  const answer = await testServer.call('POST /profile/avatar', {
    token: nell.token,
    body: { profileId: nell.profileId, upload_id: id },
  });
  expect([answer.status, answer.body.errors]).toEqual([413, { image: [textOf('image')] }]);
});
