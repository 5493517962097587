import { createHash, randomBytes, randomUUID } from 'node:crypto';
import { Readable } from 'node:stream';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { buffer } from 'node:stream/consumers';
import { eq } from 'drizzle-orm';
import { beforeAll, expect, test, vi } from 'vitest';
import { uploads } from '#server/db/schema.ts';
import { uploadReceiver } from '#server/features/uploads/receive.ts';
import { uploadStore } from '#server/features/uploads/store.ts';
import { sweepFiles } from '#server/features/uploads/sweep.ts';
import { newFileKey, type Storage } from '#server/storage/storage.ts';
import { offsetOf, tus, useFileStage, type Performer } from './support/files.ts';

const stage = useFileStage();
let nell: Performer;
let moll: Performer;
let nells: ReturnType<typeof tus>;

beforeAll(async () => {
  nell = await stage.performer();
  moll = await stage.performer();
  nells = tus(stage.url, nell);
});

const sha256 = (bytes: Uint8Array) => createHash('sha256').update(bytes).digest('hex');

/** What the server holds of an upload, byte for byte. */
async function held(id: string): Promise<Buffer<ArrayBuffer>> {
  const { rows } = await stage.database.pool.query<{ key: string }>(
    'select key from upload_parts where upload_id = $1 order by start_bytes',
    [id],
  );
  const parts = rows.map(async ({ key }) => {
    const part = await stage.storage.open(key);
    if (part === null) throw new Error(`The store lacks ${key}`);
    return buffer(part);
  });
  return Buffer.concat(await Promise.all(parts));
}
const HOUR_MS = 60 * 60_000;
/** Files of the store are dated by the machine, rows by the stage's clock. */
const sweep = ({ filesOlderThan = new Date(0) } = {}) => sweepFiles(stage.app.deps, filesOlderThan);
const untouchedFor = (id: string, hours: number) =>
  stage.database.db
    .update(uploads)
    .set({ updatedAt: new Date(stage.clock.now().getTime() - hours * HOUR_MS) })
    .where(eq(uploads.id, id));

/** Sends the rest as a client does: asks where it stands, sends from there. */
async function resume(id: string, bytes: Buffer<ArrayBuffer>, calls = nells) {
  return vi.waitFor(
    async () => {
      const offset = offsetOf(await calls.head(id));
      const answer = await calls.patch(id, offset, bytes.subarray(offset));
      expect(answer.status).toBe(204);
      return { offset, answer };
    },
    { timeout: 10_000, interval: 20 },
  );
}

test('says what it speaks', async () => {
  const answer = await fetch(`${stage.url}/uploads`, { method: 'OPTIONS' });
  expect(answer.status).toBe(204);
  expect(Object.fromEntries(answer.headers)).toMatchObject({
    'tus-resumable': '1.0.0',
    'tus-version': '1.0.0',
    'tus-extension': 'creation,termination,expiration',
    'tus-max-size': String(10 * 1024 * 1024),
  });
});

test('takes an upload in pieces and says its digest at the end', async () => {
  const id = randomUUID();
  const bytes = randomBytes(3_000_000);
  const created = await nells.create(id, bytes.length);
  expect([created.status, created.headers.get('location'), offsetOf(created)]).toEqual([201, `/uploads/${id}`, 0]);
  for (let offset = 0; offset < bytes.length; offset += 700_000) {
    const answer = await nells.patch(id, offset, bytes.subarray(offset, offset + 700_000));
    const now = Math.min(offset + 700_000, bytes.length);
    expect([answer.status, offsetOf(answer)]).toEqual([204, now]);
    expect(answer.headers.get('upload-sha256')).toBe(now === bytes.length ? sha256(bytes) : null);
  }
  const head = await nells.head(id);
  expect([head.status, offsetOf(head), head.headers.get('upload-length')]).toEqual([200, bytes.length, '3000000']);
  expect(head.headers.get('cache-control')).toBe('no-store');
  expect(head.headers.get('upload-sha256')).toBe(sha256(bytes));
  expect((await held(id)).equals(bytes)).toBe(true);
});

test('the same creation at every offset touches nothing', async () => {
  const id = randomUUID();
  const bytes = randomBytes(48);
  for (let offset = 0; offset <= bytes.length; offset += 1) {
    const created = await nells.create(id, bytes.length);
    expect([created.status, offsetOf(created)]).toEqual([201, offset]);
    expect((await held(id)).equals(bytes.subarray(0, offset))).toBe(true);
    if (offset < bytes.length)
      expect((await nells.patch(id, offset, bytes.subarray(offset, offset + 1))).status).toBe(204);
  }
  expect((await nells.create(id, bytes.length)).headers.get('upload-sha256')).toBe(sha256(bytes));
});

test('a creation under an id that stands for something else is a conflict', async () => {
  const id = randomUUID();
  await nells.create(id, 10);
  await nells.patch(id, 0, Buffer.from('01234'));
  expect((await nells.create(id, 11)).status).toBe(409);
  expect((await tus(stage.url, moll).create(id, 10)).status).toBe(409);
  expect((await tus(stage.url, moll).create(id.toUpperCase(), 10)).status).toBe(409);
  expect(offsetOf(await nells.head(id))).toBe(5);
});

test('many creations at once make one upload', async () => {
  const id = randomUUID();
  const answers = await Promise.all(Array.from({ length: 8 }, () => nells.create(id, 10)));
  expect(answers.map((answer) => [answer.status, offsetOf(answer)])).toEqual(Array(8).fill([201, 0]));
});

test("another person's upload does not exist", async () => {
  const id = randomUUID();
  await nells.create(id, 10);
  await nells.patch(id, 0, Buffer.from('01234'));
  const molls = tus(stage.url, moll);
  expect((await molls.head(id)).status).toBe(404);
  expect((await molls.patch(id, 5, Buffer.from('56789'))).status).toBe(404);
  expect((await molls.remove(id)).status).toBe(404);
  expect(offsetOf(await nells.head(id))).toBe(5);
});

test('without a token there is nothing to be had', async () => {
  const nobody = { 'tus-resumable': '1.0.0', 'upload-length': '1' };
  for (const [method, path] of [
    ['POST', '/uploads'],
    ['HEAD', `/uploads/${randomUUID()}`],
    ['PATCH', `/uploads/${randomUUID()}`],
    ['DELETE', `/uploads/${randomUUID()}`],
  ] as const) {
    expect((await fetch(stage.url + path, { method, headers: nobody })).status).toBe(401);
  }
});

test('a connection cut three times inside a piece costs nothing that arrived', async () => {
  const id = randomUUID();
  const bytes = randomBytes(10 * 1024 * 1024);
  await nells.create(id, bytes.length);
  let offset = 0;
  for (const share of [1_500_000, 777_777, 3_000_001]) {
    const piece = nells.open(id, offset, bytes.length - offset);
    await piece.send(bytes.subarray(offset, offset + share));
    piece.cut();
    const expected = offset + share;
    await vi.waitFor(async () => expect(offsetOf(await nells.head(id))).toBe(expected), { timeout: 10_000 });
    offset = expected;
  }
  const { answer } = await resume(id, bytes);
  expect(answer.headers.get('upload-sha256')).toBe(sha256(bytes));
  expect((await held(id)).equals(bytes)).toBe(true);
});

test('a sender that comes back before its old connection is known to be dead gets its upload', async () => {
  const id = randomUUID();
  const bytes = randomBytes(200_000);
  await nells.create(id, bytes.length);
  const dead = nells.open(id, 0, bytes.length);
  await dead.send(bytes.subarray(0, 90_000));
  await vi.waitFor(async () => expect((await nells.patch(id, 0, new Uint8Array())).status).toBe(423));
  // Nobody closes it: the phone changed from Wi-Fi to mobile and the server has not noticed.
  const { offset, answer } = await resume(id, bytes);
  expect(offset).toBe(90_000);
  expect(answer.headers.get('upload-sha256')).toBe(sha256(bytes));
  expect(await dead.answered).toBe(408);
  dead.cut();
});

test('of two senders at once one is taken, the other refused, and the bytes are whole', async () => {
  const other = tus((await stage.node()).url, nell);
  const bytes = randomBytes(2_500_000);
  for (const [first, second] of [
    [nells, nells],
    [nells, other],
  ] as const) {
    const id = randomUUID();
    await nells.create(id, bytes.length);
    const answers = await Promise.all([first.patch(id, 0, bytes), second.patch(id, 0, bytes)]);
    const refused = answers.map(({ status }) => status).filter((status) => status !== 204);
    expect(refused).toHaveLength(1);
    expect([409, 423]).toContain(refused[0]);
    expect((await nells.head(id)).headers.get('upload-sha256')).toBe(sha256(bytes));
    expect((await held(id)).equals(bytes)).toBe(true);
  }
});

test('two senders with different bytes never mix, on two nodes', async () => {
  const other = tus((await stage.node()).url, nell);
  for (let round = 0; round < 10; round += 1) {
    const id = randomUUID();
    const [one, two] = [Buffer.alloc(300_000, 'a'), Buffer.alloc(300_000, 'b')];
    await nells.create(id, one.length);
    await Promise.all([nells.patch(id, 0, one), other.patch(id, 0, two)]);
    const bytes = await held(id);
    expect(bytes.equals(one) || bytes.equals(two)).toBe(true);
  }
});

test('a sender elsewhere than the record is told where it stands', async () => {
  const id = randomUUID();
  await nells.create(id, 10);
  await nells.patch(id, 0, Buffer.from('0123'));
  for (const offset of [0, 3, 5, 10, 11]) {
    const answer = await nells.patch(id, offset, Buffer.from('x'));
    expect([answer.status, offsetOf(answer)]).toEqual([409, 4]);
  }
  expect((await held(id)).toString()).toBe('0123');
});

test('a sender elsewhere is spared the rest of its piece: the connection closes', async () => {
  const id = randomUUID();
  await nells.create(id, 3_000_000);
  await nells.patch(id, 0, Buffer.from('0123'));
  const sender = nells.open(id, 0, 3_000_000);
  await sender.send(randomBytes(1000));
  expect(await sender.answered).toBe(409);
  await sender.closed;
  expect(offsetOf(await nells.head(id))).toBe(4);
});

test('more bytes than announced are too many', async () => {
  const id = randomUUID();
  await nells.create(id, 10);
  expect((await nells.patch(id, 0, Buffer.from('0123456789X'))).status).toBe(413);
  expect(offsetOf(await nells.head(id))).toBe(0);
  const chunked = await fetch(`${stage.url}/uploads/${id}`, {
    method: 'PATCH',
    headers: {
      authorization: `Bearer ${nell.token}`,
      'tus-resumable': '1.0.0',
      'upload-offset': '0',
      'content-type': 'application/offset+octet-stream',
    },
    body: new Blob([Buffer.from('0123456789X')]).stream(),
    duplex: 'half',
  } as RequestInit);
  expect(chunked.status).toBe(413);
  expect((await held(id)).length).toBeLessThanOrEqual(10);
  expect((await nells.create(randomUUID(), 10 * 1024 * 1024 + 1)).status).toBe(413);
  expect((await nells.create(randomUUID(), 10 * 1024 * 1024)).status).toBe(201);
});

test.each([
  ['../../etc/passwd', 10, 422],
  ['not-a-uuid', 10, 422],
  ['', 10, 422],
  [randomUUID(), 'ten', 422],
  [randomUUID(), -1, 422],
  [randomUUID(), 0, 422],
])('the creation of %j with length %j is refused with %i', async (id, length, status) => {
  const answer = await nells.create(id, length);
  expect(answer.status).toBe(status);
  const body = (await answer.json()) as { errors: Record<string, string[]> };
  expect(Object.keys(body.errors)).toHaveLength(1);
});

test('refuses what is no tus', async () => {
  const id = randomUUID();
  await nells.create(id, 10);
  const patch = (headers: Record<string, string>) =>
    nells.call(
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
  expect((await nells.head('..%2f..%2fetc')).status).toBe(404);
  expect((await nells.head(randomUUID())).status).toBe(404);
  expect((await nells.patch(randomUUID(), 0, Buffer.from('x'))).status).toBe(404);
  expect(offsetOf(await nells.head(id))).toBe(0);
});

test('an upload that is ended is gone, with its bytes, and may begin anew', async () => {
  const id = randomUUID();
  const before = await stage.keys();
  await nells.create(id, 10);
  await nells.patch(id, 0, Buffer.from('01234'));
  expect((await stage.keys()).size).toBe(before.size + 1);
  expect((await nells.remove(id)).status).toBe(204);
  expect((await nells.head(id)).status).toBe(404);
  expect((await nells.remove(id)).status).toBe(404);
  expect(await stage.keys()).toEqual(before);
  expect(offsetOf(await nells.create(id, 10))).toBe(0);
});

test('a server that dies between bytes and record leaves an upload that goes on where the record stands', async () => {
  const id = randomUUID();
  const bytes = randomBytes(100_000);
  await nells.create(id, bytes.length);
  await nells.patch(id, 0, bytes.subarray(0, 30_000));
  const orphans: string[] = [];
  const dying: Storage = {
    ...stage.storage,
    async write(key, source) {
      await stage.storage.write(key, source);
      orphans.push(key);
      throw new Error('power cut');
    },
  };
  const dead = await stage.node({ storage: dying });
  expect((await tus(dead.url, nell).patch(id, 30_000, bytes.subarray(30_000, 70_000))).status).toBe(500);
  expect(offsetOf(await nells.head(id))).toBe(30_000);
  const { answer } = await resume(id, bytes);
  expect(answer.headers.get('upload-sha256')).toBe(sha256(bytes));
  expect((await held(id)).equals(bytes)).toBe(true);
  // What it left is cleared away an hour later.
  expect(await stage.keys()).toContain(orphans[0]);
  await sweep({ filesOlderThan: new Date(Date.now() + 1000) });
  expect(await stage.keys()).not.toContain(orphans[0]);
  expect((await held(id)).equals(bytes)).toBe(true);
});

test('a server that stops records what arrived', async () => {
  const id = randomUUID();
  await nells.create(id, 50_000);
  let arrived = 0;
  async function* counted(bytes: AsyncIterable<Uint8Array>) {
    for await (const chunk of bytes) {
      arrived += chunk.byteLength;
      yield chunk;
    }
  }
  const watched: Storage = { ...stage.storage, write: (key, bytes) => stage.storage.write(key, counted(bytes)) };
  const node = await stage.node({ storage: watched });
  await tus(node.url, nell).open(id, 0, 50_000).send(randomBytes(20_000));
  await vi.waitFor(() => expect(arrived).toBe(20_000));
  await node.close();
  expect(offsetOf(await nells.head(id))).toBe(20_000);
});

test('goes after seven days without a byte, not before', async () => {
  const [old, young] = [randomUUID(), randomUUID()];
  for (const id of [old, young]) {
    await nells.create(id, 10);
    await nells.patch(id, 0, Buffer.from('01234'));
  }
  await untouchedFor(old, 169);
  await untouchedFor(young, 167);
  await sweep();
  expect((await nells.head(old)).status).toBe(404);
  expect(offsetOf(await nells.head(young))).toBe(5);
  expect((await nells.head(young)).headers.get('upload-expires')).toMatch(/GMT$/);
});

test('keeps no more than 200 uploads of a person, the youngest', async () => {
  const store = uploadStore(stage.database.db, stage.clock);
  const person = await stage.join();
  const calls = tus(stage.url, person);
  const [first, second, last] = [randomUUID(), randomUUID(), randomUUID()];
  await calls.create(first, 10);
  await calls.patch(first, 0, Buffer.from('01234'));
  const before = await stage.keys();
  stage.clock.advance(1000);
  await calls.create(second, 10);
  for (let n = 0; n < 198; n += 1) await store.create(Number(person.id), randomUUID(), 10);
  expect(offsetOf(await calls.head(first))).toBe(5);
  stage.clock.advance(1000);
  expect((await calls.create(last, 10)).status).toBe(201);
  expect((await calls.head(first)).status).toBe(404);
  expect((await stage.keys()).size).toBe(before.size - 1);
  for (const id of [second, last]) expect((await calls.head(id)).status).toBe(200);
});

test('the sweep leaves what somebody needs, and what may still be under way', async () => {
  const fresh = newFileKey();
  async function* bytes() {
    yield await Promise.resolve(Buffer.from('x'));
  }
  await stage.storage.write(fresh, bytes());
  await sweep({ filesOlderThan: new Date(Date.now() - HOUR_MS) });
  expect(await stage.keys()).toContain(fresh);
});

test('an upload ended and begun anew takes no byte that was meant for the old one', async () => {
  const store = uploadStore(stage.database.db, stage.clock);
  const userId = Number(nell.id);
  const id = randomUUID();
  const old = await store.create(userId, id, 10);
  if (old === null) throw new Error('not created');
  await store.end(userId, id);
  stage.clock.advance(1);
  await store.create(userId, id, 10);
  expect(await store.addPart(old, { key: newFileKey(), sizeBytes: 5 })).toBeNull();
});

test('memory stays flat while ten megabytes flow, ten times over', async () => {
  const receiver = uploadReceiver(uploadStore(stage.database.db, stage.clock), stage.storage);
  const userId = Number(nell.id);
  const length = 10 * 1024 * 1024;
  const piece = Buffer.alloc(64 * 1024, 7);
  // What nobody holds any more is no matter: how soon it is swept hangs on the machine.
  setFlagsFromString('--expose-gc');
  const sweep = runInNewContext('gc') as () => void;
  const held = () => {
    sweep();
    return process.memoryUsage().arrayBuffers;
  };
  let highest = 0;
  const before = held();
  for (let round = 0; round < 10; round += 1) {
    const id = randomUUID();
    await uploadStore(stage.database.db, stage.clock).create(userId, id, length);
    async function* flow() {
      for (let sent = 0; sent < length; sent += piece.length) {
        if (sent % (2 * 1024 * 1024) === 0) highest = Math.max(highest, held());
        yield await Promise.resolve(Buffer.from(piece));
      }
    }
    const receipt = await receiver.receive(userId, id, 0, Readable.from(flow()), length);
    expect(receipt.kind).toBe('received');
    await receiver.end(userId, id);
  }
  expect(highest - before).toBeLessThan(40 * 1024 * 1024);
});
