import { expect, test } from 'vitest';
import { useFileTestServer, type FileTestServer, type Performer } from './support/files.ts';
import * as files from './support/media-files.ts';
import { photo, photoCalls, type Field } from './support/photos.ts';
import { sweep } from './support/uploads.ts';
import * as pictures from './support/pictures.ts';

const KB = 1024;
const testServer = useFileTestServer({ env: { MAX_STORAGE_MB_PER_PERSON: '0.25' } });

/** Creates a performer without any files. */
async function newPerformer() {
  const nell = await testServer.addPerformer();
  const calls = photoCalls(Object.assign(Object.create(testServer) as FileTestServer & { nell: Performer }, { nell }));
  const recording = (bytes: Uint8Array): Field[] => [
    ...calls.fields({ media_type: 'audio', name: 'A voice' }),
    photo(bytes, 'voice.wav'),
  ];
  return { nell, ...calls, recording };
}

test('rejects a submission that exceeds the quota of the person as a whole', async () => {
  const { nell, submit, recording, expectNoChange } = await newPerformer();
  // Uses 160 kB of the 256 kB.
  expect((await submit(recording(files.wav(10)))).status).toBe(201);
  await expectNoChange(async () => {
    const { status, body } = await submit(recording(files.wav(7)));
    expect([status, body.errors]).toEqual([
      422,
      { storage: ['Only 0.1 MB of your 0.3 MB are left. Delete something to make room'] },
    ]);
  });
  // Other people have quotas of their own.
  const other = await newPerformer();
  expect((await other.submit(other.recording(files.wav(7)))).status).toBe(201);

  const listed = await testServer.call<{ id: string }[]>(`GET /media/audio?profile_id=${nell.profileId}`, {
    token: nell.token,
  });
  await testServer.call(`DELETE /media/${listed.body[0]?.id}`, { token: nell.token });
  expect((await submit(recording(files.wav(7)))).status).toBe(201);
});

test('does not grant the same space to concurrent submissions', async () => {
  const { submit, recording } = await newPerformer();
  const answers = await Promise.all([1, 2, 3].map(() => submit(recording(files.wav(9)))));
  expect(answers.map(({ status }) => status).sort()).toEqual([201, 422, 422]);
});

test('applies the quota to gallery uploads and their validation, but not to links', async () => {
  const { nell } = await newPerformer();
  const { token } = nell;
  const size = 150 * KB;
  const checked = await testServer.call('POST /media/validate', {
    token,
    body: { files: [1, 2].map((n) => ({ name: `${n}.wav`, size, type: 'audio/wav' })) },
  });
  expect(checked.body.errors).toEqual({
    'File 2': ['Only 0.3 MB of your 0.3 MB are left. Delete something to make room'],
  });
  const form = new FormData();
  for (const name of ['a.wav', 'b.wav']) form.append('files[]', new Blob([new Uint8Array(files.wav(9))]), name);
  const sent = await fetch(`${testServer.url}/media/upload`, {
    method: 'POST',
    headers: { authorization: `Bearer ${token}` },
    body: form,
  });
  expect([sent.status, ((await sent.json()) as { errors: object }).errors]).toEqual([
    422,
    { storage: [expect.stringContaining('are left')] },
  ]);
  const linked = await testServer.call('POST /media/upload', {
    token,
    body: { youtube_urls: ['https://youtu.be/dQw4w9WgXcQ'] },
  });
  expect(linked.status).toBe(201);
});

test('keeps files of every kind and posters in a sweep and deletes them with the items', async () => {
  const { nell, submit, fields } = await newPerformer();
  const poster = (await pictures.jpeg(320, 180)).toString('base64');
  const addItem = async (media_type: string, bytes: Uint8Array, more = {}) =>
    (await submit([...fields({ media_type, name: media_type, ...more }), photo(bytes)])).body.files[0];
  const before = await testServer.keys();
  const items = [
    await addItem('image', await pictures.jpeg(60, 40)),
    await addItem('video', files.mp4(), { poster }),
    await addItem('audio', files.ogg()),
    await addItem('document', files.pdf()),
  ];
  expect(items[1]?.thumb_path).toMatch(/^\/storage\//);
  const made = [...(await testServer.keys())].filter((key) => !before.has(key));
  const named = items.flatMap((item) => [
    item?.path,
    item?.thumb_path,
    ...(item?.renditions ?? []).map(({ path }) => path),
  ]);
  expect(new Set(named.filter((path) => path != null))).toEqual(new Set(made.map((key) => `/storage/${key}`)));

  await sweep(testServer, { filesOlderThan: new Date(Date.now() + 60_000) });
  const after = await testServer.keys();
  expect(made.filter((key) => !after.has(key))).toEqual([]);

  for (const item of items) await testServer.call(`DELETE /media/${item?.id}`, { token: nell.token });
  const left = await testServer.keys();
  expect(made.filter((key) => left.has(key))).toEqual([]);
});

test('drops the poster of a submission with several videos', async () => {
  const { submit, fields } = await newPerformer();
  const poster = (await pictures.jpeg(320, 180)).toString('base64');
  const before = (await testServer.keys()).size;
  const { status, body } = await submit([
    ...fields({ media_type: 'video', name: 'Two', poster }),
    photo(files.mp4(), 'a.mp4'),
    photo(files.avi(), 'b.avi'),
  ]);
  expect([status, body.files.map(({ thumb_path }) => thumb_path)]).toEqual([201, [null, null]]);
  expect((await testServer.keys()).size).toBe(before + 2);
});
