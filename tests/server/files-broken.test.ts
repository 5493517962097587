import { randomBytes, randomUUID } from 'node:crypto';
import { beforeAll, expect, test, vi } from 'vitest';
import type { Storage } from '#server/platform/storage/storage.ts';
import { offsetOf, tus, usePair } from './support/files.ts';
import { held, resume, sha256, sweep } from './support/uploads.ts';
import { quantity } from '../support/quantity.ts';

const stage = usePair();
let nells: ReturnType<typeof tus>;
beforeAll(() => {
  nells = tus(stage.url, stage.nell);
});

/** The server is taking bytes of this upload: a second sender is told so. */
const underWay = (id: string) =>
  vi.waitFor(async () => expect((await nells.patch(id, 0, new Uint8Array())).status).toBe(423));

test('a connection cut three times inside a piece costs nothing that arrived', async () => {
  const id = randomUUID();
  const bytes = randomBytes(10 * 1024 * 1024);
  await nells.create(id, bytes.length);
  let offset = 0;
  for (const share of [1_500_000, 777_777, 3_000_001]) {
    const piece = nells.open(id, offset, bytes.length - offset);
    await piece.send(bytes.subarray(offset, offset + share));
    await underWay(id);
    piece.cut();
    offset += share;
    expect(offsetOf(await nells.head(id))).toBe(offset);
  }
  const { answer } = await resume(nells, id, bytes);
  expect(answer.headers.get('upload-sha256')).toBe(sha256(bytes));
  expect((await held(stage, id)).equals(bytes)).toBe(true);
});

test('a sender that comes back before its old connection is known to be dead gets its upload', async () => {
  const id = randomUUID();
  const bytes = randomBytes(200_000);
  await nells.create(id, bytes.length);
  const dead = nells.open(id, 0, bytes.length);
  await dead.send(bytes.subarray(0, 90_000));
  await underWay(id);
  // Nobody closes it: the phone changed from Wi-Fi to mobile and the server has not noticed.
  const { offset, answer } = await resume(nells, id, bytes);
  expect(offset).toBe(90_000);
  expect(answer.headers.get('upload-sha256')).toBe(sha256(bytes));
  expect(await dead.answered).toBe(408);
  dead.cut();
});

test('who asks where the upload stands while its old connection dies hears of every byte', async () => {
  const id = randomUUID();
  const bytes = randomBytes(200_000);
  await nells.create(id, bytes.length);
  const dying = nells.open(id, 0, bytes.length);
  await dying.send(bytes.subarray(0, 90_000));
  await underWay(id);
  const asked = nells.head(id);
  await underWay(id);
  dying.cut();
  expect(offsetOf(await asked)).toBe(90_000);
});

test('of two senders at once one is taken, the other refused, and the bytes are whole', async () => {
  const other = tus((await stage.node()).url, stage.nell);
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
    expect((await held(stage, id)).equals(bytes)).toBe(true);
  }
});

test('two senders with different bytes never mix, on two nodes', async () => {
  const other = tus((await stage.node()).url, stage.nell);
  for (let round = 0; round < quantity(3, 10); round += 1) {
    const id = randomUUID();
    const [one, two] = [Buffer.alloc(300_000, 'a'), Buffer.alloc(300_000, 'b')];
    await nells.create(id, one.length);
    await Promise.all([nells.patch(id, 0, one), other.patch(id, 0, two)]);
    const bytes = await held(stage, id);
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
  expect((await held(stage, id)).toString()).toBe('0123');
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
  expect((await tus(dead.url, stage.nell).patch(id, 30_000, bytes.subarray(30_000, 70_000))).status).toBe(500);
  expect(offsetOf(await nells.head(id))).toBe(30_000);
  const { answer } = await resume(nells, id, bytes);
  expect(answer.headers.get('upload-sha256')).toBe(sha256(bytes));
  expect((await held(stage, id)).equals(bytes)).toBe(true);
  // What it left is cleared away an hour later.
  expect(await stage.keys()).toContain(orphans[0]);
  await sweep(stage, { filesOlderThan: new Date(Date.now() + 1000) });
  expect(await stage.keys()).not.toContain(orphans[0]);
  expect((await held(stage, id)).equals(bytes)).toBe(true);
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
  await tus(node.url, stage.nell).open(id, 0, 50_000).send(randomBytes(20_000));
  await vi.waitFor(() => expect(arrived).toBe(20_000));
  await node.close();
  expect(offsetOf(await nells.head(id))).toBe(20_000);
});
