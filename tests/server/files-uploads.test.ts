import { randomBytes, randomUUID } from 'node:crypto';
import { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { eq } from 'drizzle-orm';
import { beforeAll, expect, test } from 'vitest';
import { uploads } from '#server/platform/db/schema.ts';
import { uploadReceiver } from '#server/features/uploads/receive.ts';
import { uploadStore } from '#server/features/uploads/store.ts';
import { sweepFiles } from '#server/features/uploads/sweep.ts';
import { newFileKey } from '#server/platform/storage/storage.ts';
import { getOffset, tus, useTwoPerformers } from './support/files.ts';
import { readUpload, sha256, sweep } from './support/uploads.ts';
import { quantity } from '../support/quantity.ts';

const testServer = useTwoPerformers();
let nellUploads: ReturnType<typeof tus>;
beforeAll(() => {
  nellUploads = tus(testServer.url, testServer.nell);
});

const HOUR_MS = 60 * 60_000;
const setIdleHours = (id: string, hours: number) =>
  testServer.database.db
    .update(uploads)
    .set({ updatedAt: new Date(testServer.clock.now().getTime() - hours * HOUR_MS) })
    .where(eq(uploads.id, id));

test('announces its tus version and extensions', async () => {
  const answer = await fetch(`${testServer.url}/uploads`, { method: 'OPTIONS' });
  expect(answer.status).toBe(204);
  expect(Object.fromEntries(answer.headers)).toMatchObject({
    'tus-resumable': '1.0.0',
    'tus-version': '1.0.0',
    'tus-extension': 'creation,termination,expiration',
    'tus-max-size': String(500 * 1024 * 1024),
  });
});

test('receives an upload in chunks and returns its digest at the end', async () => {
  const id = randomUUID();
  const bytes = randomBytes(3_000_000);
  const created = await nellUploads.create(id, bytes.length);
  expect([created.status, created.headers.get('location'), getOffset(created)]).toEqual([201, `/uploads/${id}`, 0]);
  for (let offset = 0; offset < bytes.length; offset += 700_000) {
    const answer = await nellUploads.patch(id, offset, bytes.subarray(offset, offset + 700_000));
    const now = Math.min(offset + 700_000, bytes.length);
    expect([answer.status, getOffset(answer)]).toEqual([204, now]);
    expect(answer.headers.get('upload-sha256')).toBe(now === bytes.length ? sha256(bytes) : null);
  }
  const head = await nellUploads.head(id);
  expect([head.status, getOffset(head), head.headers.get('upload-length')]).toEqual([200, bytes.length, '3000000']);
  expect(head.headers.get('cache-control')).toBe('no-store');
  expect(head.headers.get('upload-sha256')).toBe(sha256(bytes));
  expect((await readUpload(testServer, id)).equals(bytes)).toBe(true);
});

test('answers a repeated creation with the current offset and keeps the bytes', async () => {
  const id = randomUUID();
  const bytes = randomBytes(48);
  for (let offset = 0; offset <= bytes.length; offset += 1) {
    const created = await nellUploads.create(id, bytes.length);
    expect([created.status, getOffset(created)]).toEqual([201, offset]);
    expect((await readUpload(testServer, id)).equals(bytes.subarray(0, offset))).toBe(true);
    if (offset < bytes.length)
      expect((await nellUploads.patch(id, offset, bytes.subarray(offset, offset + 1))).status).toBe(204);
  }
  expect((await nellUploads.create(id, bytes.length)).headers.get('upload-sha256')).toBe(sha256(bytes));
});

test('answers 409 to a creation whose id is used for something else', async () => {
  const id = randomUUID();
  await nellUploads.create(id, 10);
  await nellUploads.patch(id, 0, Buffer.from('01234'));
  expect((await nellUploads.create(id, 11)).status).toBe(409);
  expect((await tus(testServer.url, testServer.moll).create(id, 10)).status).toBe(409);
  expect((await tus(testServer.url, testServer.moll).create(id.toUpperCase(), 10)).status).toBe(409);
  expect(getOffset(await nellUploads.head(id))).toBe(5);
});

test('creates one upload for concurrent creations', async () => {
  const id = randomUUID();
  const answers = await Promise.all(Array.from({ length: 8 }, () => nellUploads.create(id, 10)));
  expect(answers.map((answer) => [answer.status, getOffset(answer)])).toEqual(Array(8).fill([201, 0]));
});

test("answers 404 for another person's upload", async () => {
  const id = randomUUID();
  await nellUploads.create(id, 10);
  await nellUploads.patch(id, 0, Buffer.from('01234'));
  const mollUploads = tus(testServer.url, testServer.moll);
  expect((await mollUploads.head(id)).status).toBe(404);
  expect((await mollUploads.patch(id, 5, Buffer.from('56789'))).status).toBe(404);
  expect((await mollUploads.remove(id)).status).toBe(404);
  expect(getOffset(await nellUploads.head(id))).toBe(5);
});

test('answers 401 without a token', async () => {
  const nobody = { 'tus-resumable': '1.0.0', 'upload-length': '1' };
  for (const [method, path] of [
    ['POST', '/uploads'],
    ['HEAD', `/uploads/${randomUUID()}`],
    ['PATCH', `/uploads/${randomUUID()}`],
    ['DELETE', `/uploads/${randomUUID()}`],
  ] as const) {
    expect((await fetch(testServer.url + path, { method, headers: nobody })).status).toBe(401);
  }
});

test('answers 413 when more bytes arrive than announced', async () => {
  const id = randomUUID();
  await nellUploads.create(id, 10);
  expect((await nellUploads.patch(id, 0, Buffer.from('0123456789X'))).status).toBe(413);
  expect(getOffset(await nellUploads.head(id))).toBe(0);
  const chunked = await fetch(`${testServer.url}/uploads/${id}`, {
    method: 'PATCH',
    headers: {
      authorization: `Bearer ${testServer.nell.token}`,
      'tus-resumable': '1.0.0',
      'upload-offset': '0',
      'content-type': 'application/offset+octet-stream',
    },
    body: new Blob([Buffer.from('0123456789X')]).stream(),
    duplex: 'half',
  } as RequestInit);
  expect(chunked.status).toBe(413);
  expect((await readUpload(testServer, id)).length).toBeLessThanOrEqual(10);
});

test.each([
  ['../../etc/passwd', 10, 422],
  ['not-a-uuid', 10, 422],
  ['', 10, 422],
  [randomUUID(), 'ten', 422],
  [randomUUID(), -1, 422],
  [randomUUID(), 0, 422],
])('rejects the creation of %j with length %j with %i', async (id, length, status) => {
  const answer = await nellUploads.create(id, length);
  expect(answer.status).toBe(status);
  const body = (await answer.json()) as { errors: Record<string, string[]> };
  expect(Object.keys(body.errors)).toHaveLength(1);
});

test('rejects requests that violate the tus protocol', async () => {
  const id = randomUUID();
  await nellUploads.create(id, 10);
  const patch = (headers: Record<string, string>) =>
    nellUploads.call(
      'PATCH',
      `/uploads/${id}`,
      { 'content-type': 'application/offset+octet-stream', ...headers },
      Buffer.from('x'),
    );
  expect((await patch({ 'upload-offset': '0', 'tus-resumable': '0.2.2' })).status).toBe(412);
  expect((await patch({ 'upload-offset': '0', 'content-type': 'application/octet-stream' })).status).toBe(415);
  expect((await patch({ 'upload-offset': '0', 'content-type': 'application/json' })).status).toBeGreaterThanOrEqual(
    400,
  );
  expect((await patch({})).status).toBe(422);
  expect((await patch({ 'upload-offset': '-1' })).status).toBe(422);
  expect((await nellUploads.head('..%2f..%2fetc')).status).toBe(404);
  expect((await nellUploads.head(randomUUID())).status).toBe(404);
  expect((await nellUploads.patch(randomUUID(), 0, Buffer.from('x'))).status).toBe(404);
  expect(getOffset(await nellUploads.head(id))).toBe(0);
});

test('deletes an upload with its bytes and allows the id again', async () => {
  const id = randomUUID();
  const before = await testServer.keys();
  await nellUploads.create(id, 10);
  await nellUploads.patch(id, 0, Buffer.from('01234'));
  expect((await testServer.keys()).size).toBe(before.size + 1);
  expect((await nellUploads.remove(id)).status).toBe(204);
  expect((await nellUploads.head(id)).status).toBe(404);
  expect((await nellUploads.remove(id)).status).toBe(404);
  expect(await testServer.keys()).toEqual(before);
  expect(getOffset(await nellUploads.create(id, 10))).toBe(0);
});

test('expires after seven days without a byte', async () => {
  const [old, young] = [randomUUID(), randomUUID()];
  for (const id of [old, young]) {
    await nellUploads.create(id, 10);
    await nellUploads.patch(id, 0, Buffer.from('01234'));
  }
  await setIdleHours(old, 169);
  await setIdleHours(young, 167);
  await sweep(testServer);
  expect((await nellUploads.head(old)).status).toBe(404);
  expect(getOffset(await nellUploads.head(young))).toBe(5);
  expect((await nellUploads.head(young)).headers.get('upload-expires')).toMatch(/GMT$/);
});

test('keeps the 200 most recent uploads of a person', async () => {
  const store = uploadStore(testServer.database.db, testServer.clock);
  const person = await testServer.join();
  const calls = tus(testServer.url, person);
  const [first, second, last] = [randomUUID(), randomUUID(), randomUUID()];
  await calls.create(first, 10);
  await calls.patch(first, 0, Buffer.from('01234'));
  const before = await testServer.keys();
  testServer.clock.advance(1000);
  await calls.create(second, 10);
  for (let n = 0; n < 198; n += 1) await store.create(Number(person.id), randomUUID(), 10);
  expect(getOffset(await calls.head(first))).toBe(5);
  testServer.clock.advance(1000);
  expect((await calls.create(last, 10)).status).toBe(201);
  expect((await calls.head(first)).status).toBe(404);
  expect((await testServer.keys()).size).toBe(before.size - 1);
  for (const id of [second, last]) expect((await calls.head(id)).status).toBe(200);
});

test('sweeps no file that may still be in progress, whatever the clock of the machine says', async () => {
  const fresh = newFileKey();
  async function* bytes() {
    yield await Promise.resolve(Buffer.from('x'));
  }
  await testServer.storage.write(fresh, bytes());
  for (const aheadMs of [0, 2 * HOUR_MS]) {
    await sweepFiles({ ...testServer.app.deps, clock: { now: () => new Date(Date.now() + aheadMs) } });
    expect(await testServer.keys()).toContain(fresh);
  }
});

test('adds no part of a deleted upload to a new one with the same id', async () => {
  const store = uploadStore(testServer.database.db, testServer.clock);
  const userId = Number(testServer.nell.id);
  const id = randomUUID();
  const old = await store.create(userId, id, 10);
  if (old === null) throw new Error('not created');
  await store.end(userId, id);
  testServer.clock.advance(1);
  await store.create(userId, id, 10);
  expect(await store.addPart(old, { key: newFileKey(), sizeBytes: 5 })).toBeNull();
});

test('takes an upload that is consumed while it is read as gone, not as empty', async () => {
  const real = uploadStore(testServer.database.db, testServer.clock);
  const userId = Number(testServer.nell.id);
  const consumedFirst = uploadReceiver(
    testServer.database.db,
    {
      ...real,
      partKeys: async (id, on) => {
        await real.end(userId, id);
        return real.partKeys(id, on);
      },
    },
    testServer.storage,
  );
  const addUnsealed = async () => {
    const upload = await real.create(userId, randomUUID(), 5);
    if (upload === null) throw new Error('not created');
    const key = newFileKey();
    await testServer.storage.write(key, Readable.from([Buffer.from('01234')]));
    const whole = await real.addPart(upload, { key, sizeBytes: 5 });
    if (whole === null) throw new Error('not added');
    return whole;
  };
  const read = async () => buffer(consumedFirst.read(await addUnsealed()));
  await expect(read()).rejects.toThrow('0 bytes instead of 5');
  expect(await consumedFirst.look(userId, (await addUnsealed()).id)).toBeNull();

  const { id } = (await real.create(userId, randomUUID(), 5))!;
  const receipt = await consumedFirst.receive(userId, id, 0, Readable.from([Buffer.from('01234')]), 5);
  expect(receipt.kind).toBe('gone');
});

test('keeps memory flat while receiving ten megabytes repeatedly', async () => {
  const receiver = uploadReceiver(
    testServer.database.db,
    uploadStore(testServer.database.db, testServer.clock),
    testServer.storage,
  );
  const userId = Number(testServer.nell.id);
  const length = 10 * 1024 * 1024;
  const piece = Buffer.alloc(64 * 1024, 7);
  // Collects garbage before measuring: how soon unused buffers are freed depends on the machine.
  setFlagsFromString('--expose-gc');
  const collect = runInNewContext('gc') as () => void;
  const inUse = () => {
    collect();
    return process.memoryUsage().arrayBuffers;
  };
  let highest = 0;
  const before = inUse();
  for (let round = 0; round < quantity(2, 10); round += 1) {
    const id = randomUUID();
    await uploadStore(testServer.database.db, testServer.clock).create(userId, id, length);
    async function* flow() {
      for (let sent = 0; sent < length; sent += piece.length) {
        if (sent % (2 * 1024 * 1024) === 0) highest = Math.max(highest, inUse());
        yield await Promise.resolve(Buffer.from(piece));
      }
    }
    const receipt = await receiver.receive(userId, id, 0, Readable.from(flow()), length);
    expect(receipt.kind).toBe('received');
    await receiver.end(userId, id);
  }
  expect(highest - before).toBeLessThan(40 * 1024 * 1024);
});
