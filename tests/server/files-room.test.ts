import { randomBytes, randomUUID } from 'node:crypto';
import { expect, test } from 'vitest';
import { photo, photoCalls } from './support/photos.ts';
import { tus, usePair } from './support/files.ts';
import * as pictures from './support/pictures.ts';

const MB = 1024 * 1024;
/** What the disk has free, as the system would say. */
let freeBytes = 1000 * MB;
const stage = usePair({ env: { MAX_STORAGE_MB_PER_PERSON: '1' }, freeDiskBytes: async () => freeBytes });
const { submit, fields } = photoCalls(stage);

const FULL = 'The server is full at the moment. Your file stays on your device';

test('counts uploads under way as room that is taken, and gives it back when they end', async () => {
  const calls = tus(stage.url, stage.moll);
  const [first, second] = [randomUUID(), randomUUID()];
  expect((await calls.create(first, 700_000)).status).toBe(201);
  const refused = await calls.create(second, 700_000);
  expect([refused.status, await refused.json()]).toMatchObject([
    422,
    { errors: { storage: ['Only 0.3 MB of your 1 MB are left. Delete something to make room'] } },
  ]);
  // The same one again is no second one.
  expect((await calls.create(first, 700_000)).status).toBe(201);
  expect((await calls.remove(first)).status).toBe(204);
  expect((await calls.create(second, 700_000)).status).toBe(201);
});

test('does not let two uploads that begin at once share one room', async () => {
  const person = await stage.performer();
  const calls = tus(stage.url, person);
  const answers = await Promise.all([1, 2, 3].map(() => calls.create(randomUUID(), 600_000)));
  expect(answers.map(({ status }) => status).sort()).toEqual([201, 422, 422]);
});

test('counts an upload once when it becomes a recording', async () => {
  const person = await stage.performer();
  const calls = tus(stage.url, person);
  const id = randomUUID();
  const bytes = await pictures.jpeg(300, 200);
  expect((await calls.create(id, bytes.length)).status).toBe(201);
  expect((await calls.patch(id, 0, new Uint8Array(bytes))).status).toBe(204);
  const answer = await stage.call('POST /submit/media-form', {
    token: person.token,
    body: { profile_id: person.profileId, media_type: 'image', name: 'On stage', upload_ids: [id] },
  });
  expect(answer.status).toBe(201);
});

test('refuses uploads with 507 while the disk has less free than its floor, and takes them again after', async () => {
  const calls = tus(stage.url, stage.nell);
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
    // What is there already may be asked for and thrown away.
    expect((await calls.head(id)).status).toBe(200);
  } finally {
    freeBytes = 1000 * MB;
  }
  expect((await calls.patch(id, 0, bytes)).status).toBe(204);
});
