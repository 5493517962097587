import { expect, test } from 'vitest';
import { useFileStage, type FileStage, type Performer } from './support/files.ts';
import * as files from './support/media-files.ts';
import { photo, photoCalls, type Field } from './support/photos.ts';
import { sweep } from './support/uploads.ts';
import * as pictures from './support/pictures.ts';

const KB = 1024;
const stage = useFileStage({ env: { MAX_STORAGE_MB_PER_PERSON: '0.25' } });

/** Somebody who has nothing yet. */
async function newcomer() {
  const nell = await stage.performer();
  const calls = photoCalls(Object.assign(Object.create(stage) as FileStage & { nell: Performer }, { nell }));
  const recording = (bytes: Uint8Array): Field[] => [
    ...calls.fields({ media_type: 'audio', name: 'A voice' }),
    photo(bytes, 'voice.wav'),
  ];
  return { nell, ...calls, recording };
}

test('what one person has is bounded, and what does not fit is refused whole', async () => {
  const { nell, submit, recording, leavesNothing } = await newcomer();
  // 160 kB of 256.
  expect((await submit(recording(files.wav(10)))).status).toBe(201);
  await leavesNothing(async () => {
    const { status, body } = await submit(recording(files.wav(7)));
    expect([status, body.errors]).toEqual([
      422,
      { storage: ['Only 0.1 MB of your 0.3 MB are left. Delete something to make room'] },
    ]);
  });
  // Somebody else has room of their own.
  const other = await newcomer();
  expect((await other.submit(other.recording(files.wav(7)))).status).toBe(201);

  const listed = await stage.call<{ id: string }[]>(`GET /media/audio?profile_id=${nell.profileId}`, {
    token: nell.token,
  });
  await stage.call(`DELETE /media/${listed.body[0]?.id}`, { token: nell.token });
  expect((await submit(recording(files.wav(7)))).status).toBe(201);
});

test('two submissions at once do not share one room', async () => {
  const { submit, recording } = await newcomer();
  const answers = await Promise.all([1, 2, 3].map(() => submit(recording(files.wav(9)))));
  expect(answers.map(({ status }) => status).sort()).toEqual([201, 422, 422]);
});

test('the gallery page and the look before it say so too; links take no room', async () => {
  const { nell } = await newcomer();
  const { token } = nell;
  const size = 150 * KB;
  const checked = await stage.call('POST /media/validate', {
    token,
    body: { files: [1, 2].map((n) => ({ name: `${n}.wav`, size, type: 'audio/wav' })) },
  });
  expect(checked.body.errors).toEqual({
    'File 2': ['Only 0.3 MB of your 0.3 MB are left. Delete something to make room'],
  });
  const form = new FormData();
  for (const name of ['a.wav', 'b.wav']) form.append('files[]', new Blob([new Uint8Array(files.wav(9))]), name);
  const sent = await fetch(`${stage.url}/media/upload`, {
    method: 'POST',
    headers: { authorization: `Bearer ${token}` },
    body: form,
  });
  expect([sent.status, ((await sent.json()) as { errors: object }).errors]).toEqual([
    422,
    { storage: [expect.stringContaining('are left')] },
  ]);
  const linked = await stage.call('POST /media/upload', {
    token,
    body: { youtube_urls: ['https://youtu.be/dQw4w9WgXcQ'] },
  });
  expect(linked.status).toBe(201);
});

test('the clean-up keeps every file of every kind, posters too, and deletion leaves none', async () => {
  const { nell, submit, fields } = await newcomer();
  const poster = (await pictures.jpeg(320, 180)).toString('base64');
  const own = async (media_type: string, bytes: Uint8Array, more = {}) =>
    (await submit([...fields({ media_type, name: media_type, ...more }), photo(bytes)])).body.files[0];
  const before = await stage.keys();
  const items = [
    await own('image', await pictures.jpeg(60, 40)),
    await own('video', files.mp4(), { poster }),
    await own('audio', files.ogg()),
    await own('document', files.pdf()),
  ];
  expect(items[1]?.thumb_path).toMatch(/^\/storage\//);
  const made = [...(await stage.keys())].filter((key) => !before.has(key));
  const named = items.flatMap((item) => [
    item?.path,
    item?.thumb_path,
    ...(item?.renditions ?? []).map(({ path }) => path),
  ]);
  expect(new Set(named.filter((path) => path != null))).toEqual(new Set(made.map((key) => `/storage/${key}`)));

  await sweep(stage, { filesOlderThan: new Date(Date.now() + 60_000) });
  const after = await stage.keys();
  expect(made.filter((key) => !after.has(key))).toEqual([]);

  for (const item of items) await stage.call(`DELETE /media/${item?.id}`, { token: nell.token });
  const left = await stage.keys();
  expect(made.filter((key) => left.has(key))).toEqual([]);
});

test('a poster is of one video: with several it is not kept', async () => {
  const { submit, fields } = await newcomer();
  const poster = (await pictures.jpeg(320, 180)).toString('base64');
  const before = (await stage.keys()).size;
  const { status, body } = await submit([
    ...fields({ media_type: 'video', name: 'Two', poster }),
    photo(files.mp4(), 'a.mp4'),
    photo(files.avi(), 'b.avi'),
  ]);
  expect([status, body.files.map(({ thumb_path }) => thumb_path)]).toEqual([201, [null, null]]);
  expect((await stage.keys()).size).toBe(before + 2);
});
