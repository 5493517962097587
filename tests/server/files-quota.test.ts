import { randomBytes, randomUUID } from 'node:crypto';
import { Readable } from 'node:stream';
import { expect, test } from 'vitest';
import { photo, photoCalls } from './support/photos.ts';
import { tus, useTwoPerformers } from './support/files.ts';
import * as pictures from './support/pictures.ts';

const MB = 1024 * 1024;
/** The free disk space that the server sees. */
let freeBytes = 1000 * MB;
const testServer = useTwoPerformers({ env: { MAX_STORAGE_MB_PER_PERSON: '1' }, freeDiskBytes: async () => freeBytes });
const { submit, fields } = photoCalls(testServer);

const FULL = 'The server is full at the moment. Your file stays on your device';

test('counts uploads in progress toward the quota until they end', async () => {
  const calls = tus(testServer.url, testServer.moll);
  const [first, second] = [randomUUID(), randomUUID()];
  expect((await calls.create(first, 700_000)).status).toBe(201);
  const refused = await calls.create(second, 700_000);
  expect([refused.status, await refused.json()]).toMatchObject([
    422,
    { errors: { storage: ['Only 0.3 MB of your 1 MB are left. Delete something to make room'] } },
  ]);
  // Creating the same upload again does not count twice.
  expect((await calls.create(first, 700_000)).status).toBe(201);
  expect((await calls.remove(first)).status).toBe(204);
  expect((await calls.create(second, 700_000)).status).toBe(201);
});

test('does not grant the same space to concurrent uploads', async () => {
  const person = await testServer.addPerformer();
  const calls = tus(testServer.url, person);
  const answers = await Promise.all([1, 2, 3].map(() => calls.create(randomUUID(), 600_000)));
  expect(answers.map(({ status }) => status).sort()).toEqual([201, 422, 422]);
});

test('counts an upload once when it becomes a photo', async () => {
  const person = await testServer.addPerformer();
  const calls = tus(testServer.url, person);
  const id = randomUUID();
  const bytes = await pictures.jpeg(300, 200);
  expect((await calls.create(id, bytes.length)).status).toBe(201);
  expect((await calls.patch(id, 0, new Uint8Array(bytes))).status).toBe(204);
  const answer = await testServer.call('POST /submit/media-form', {
    token: person.token,
    body: { profile_id: person.profileId, media_type: 'image', name: 'On stage', upload_ids: [id] },
  });
  expect(answer.status).toBe(201);
});

test('stops a form of unknown length before it fills the disk', async () => {
  const before = freeBytes;
  const [boundary, name] = ['----form', 'Content-Disposition: form-data; name="files[]"; filename="reel.mp4"'];
  let sentBytes = 0;
  let isAnswered = false;
  // Without Content-Length, the server learns of each byte as it comes, and the disk fills up meanwhile.
  async function* form() {
    yield Buffer.from(`--${boundary}\r\n${name}\r\n\r\n`);
    for (; sentBytes < 64 * MB && !isAnswered; sentBytes += MB) {
      freeBytes = 540 * MB - sentBytes;
      yield randomBytes(MB);
    }
    yield Buffer.from(`\r\n--${boundary}--\r\n`);
  }
  const init = {
    method: 'POST',
    headers: {
      authorization: `Bearer ${testServer.nell.token}`,
      'content-type': `multipart/form-data; boundary=${boundary}`,
    },
    body: Readable.from(form()),
    duplex: 'half',
  };
  try {
    const answer = await fetch(`${testServer.url}/submit/media-form`, init as unknown as RequestInit);
    expect([answer.status, await answer.json()]).toMatchObject([507, { message: FULL }]);
  } finally {
    isAnswered = true;
    freeBytes = before;
  }
});

test('rejects uploads with 507 while free disk space is below the minimum', async () => {
  const calls = tus(testServer.url, testServer.nell);
  const id = randomUUID();
  const bytes = new Uint8Array(randomBytes(1000));
  expect((await calls.create(id, 1000)).status).toBe(201);
  freeBytes = 500 * MB;
  try {
    for (const answer of [await calls.create(randomUUID(), 1000), await calls.patch(id, 0, bytes)]) {
      expect([answer.status, answer.headers.get('retry-after'), await answer.json()]).toMatchObject([
        507,
        '300',
        { message: FULL },
      ]);
    }
    const sent = await submit([...fields(), photo(await pictures.jpeg(300, 200))]);
    expect([sent.status, sent.body.message]).toEqual([507, FULL]);
    // Existing uploads can still be queried and deleted.
    expect((await calls.head(id)).status).toBe(200);
  } finally {
    freeBytes = 1000 * MB;
  }
  expect((await calls.patch(id, 0, bytes)).status).toBe(204);
});
