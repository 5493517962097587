import { randomBytes, randomUUID } from 'node:crypto';
import http from 'node:http';
import { beforeAll, expect, test, vi } from 'vitest';
import type { Storage } from '#server/platform/storage/storage.ts';
import { getOffset, tus, useTwoPerformers } from './support/files.ts';
import { readUpload, resume, sha256, sweep } from './support/uploads.ts';
import { readBody, startHttpProxy } from '../e2e/support/http-proxy.ts';
import { quantity } from '../support/quantity.ts';

const testServer = useTwoPerformers();
let nellUploads: ReturnType<typeof tus>;
beforeAll(() => {
  nellUploads = tus(testServer.url, testServer.nell);
});

/** Waits until the server receives bytes of this upload: it answers 423 to a second sender. */
const waitUntilReceiving = (id: string) =>
  vi.waitFor(async () => expect((await nellUploads.patch(id, 0, new Uint8Array())).status).toBe(423));

test('keeps every received byte when the connection is cut three times within a chunk', async () => {
  const id = randomUUID();
  const bytes = randomBytes(10 * 1024 * 1024);
  await nellUploads.create(id, bytes.length);
  let offset = 0;
  for (const share of [1_500_000, 777_777, 3_000_001]) {
    const piece = nellUploads.open(id, offset, bytes.length - offset);
    await piece.send(bytes.subarray(offset, offset + share));
    await waitUntilReceiving(id);
    piece.cut();
    offset += share;
    expect(getOffset(await nellUploads.head(id))).toBe(offset);
  }
  const { answer } = await resume(nellUploads, id, bytes);
  expect(answer.headers.get('upload-sha256')).toBe(sha256(bytes));
  expect((await readUpload(testServer, id)).equals(bytes)).toBe(true);
});

test('lets a sender resume before the server notices that its old connection is dead', async () => {
  const id = randomUUID();
  const bytes = randomBytes(200_000);
  await nellUploads.create(id, bytes.length);
  const dead = nellUploads.open(id, 0, bytes.length);
  await dead.send(bytes.subarray(0, 90_000));
  await waitUntilReceiving(id);
  // The dead connection stays open: the phone switched from Wi-Fi to mobile and the server has not noticed.
  const { offset, answer } = await resume(nellUploads, id, bytes);
  expect(offset).toBe(90_000);
  expect(answer.headers.get('upload-sha256')).toBe(sha256(bytes));
  expect(await dead.answered).toBe(408);
  dead.cut();
});

test('reports every received byte to an offset request while the old connection dies', async () => {
  const id = randomUUID();
  const bytes = randomBytes(200_000);
  await nellUploads.create(id, bytes.length);
  const dying = nellUploads.open(id, 0, bytes.length);
  await dying.send(bytes.subarray(0, 90_000));
  await waitUntilReceiving(id);
  const offsetRequest = nellUploads.head(id);
  await waitUntilReceiving(id);
  dying.cut();
  expect(getOffset(await offsetRequest)).toBe(90_000);
});

/**
 * Starts a proxy that takes whole pieces, passes half of each on, and confirms all of it. Everything else it passes on as it is.
 * @param ends how the piece ends for the server: its connection breaks, or the proxy sends it as a shorter one of its own
 */
const startLyingProxy = (ends: 'broken' | 'shorter') =>
  startHttpProxy((request, response) => {
    void readBody(request).then((bytes) => {
      const { url = '', method, headers } = request;
      const passed = http.request(testServer.url + url, { method: String(method), headers, agent: false });
      passed.on('error', () => undefined);
      if (method !== 'PATCH') {
        passed.on('response', (answer) => answer.pipe(response.writeHead(answer.statusCode ?? 502, answer.headers)));
        passed.end(bytes);
        return;
      }
      const half = bytes.subarray(0, bytes.length / 2);
      const confirm = () => response.writeHead(204, { 'upload-offset': bytes.length }).end();
      if (ends === 'shorter') passed.setHeader('content-length', half.length);
      passed.write(half, () => {
        if (ends === 'shorter') passed.on('response', confirm).end();
        else {
          confirm();
          passed.destroy();
        }
      });
    });
  });

test.each(['broken', 'shorter'] as const)(
  'tells what arrived when a proxy confirmed more, and passed a %s piece on',
  async (ends) => {
    const proxy = await startLyingProxy(ends);
    const throughProxy = tus(proxy.url, testServer.nell);
    const id = randomUUID();
    const bytes = randomBytes(200_000);
    await throughProxy.create(id, bytes.length);
    expect(getOffset(await throughProxy.patch(id, 0, bytes))).toBe(200_000);
    await vi.waitFor(async () => expect(getOffset(await throughProxy.head(id))).toBe(100_000));
    const { answer } = await resume(nellUploads, id, bytes);
    expect(answer.headers.get('upload-sha256')).toBe(sha256(bytes));
    await proxy.close();
  },
);

test('accepts one of two concurrent senders and keeps the bytes whole', async () => {
  const other = tus((await testServer.openNode()).url, testServer.nell);
  const bytes = randomBytes(2_500_000);
  for (const [first, second] of [
    [nellUploads, nellUploads],
    [nellUploads, other],
  ] as const) {
    const id = randomUUID();
    await nellUploads.create(id, bytes.length);
    const answers = await Promise.all([first.patch(id, 0, bytes), second.patch(id, 0, bytes)]);
    const refused = answers.map(({ status }) => status).filter((status) => status !== 204);
    expect(refused).toHaveLength(1);
    expect([409, 423]).toContain(refused[0]);
    expect((await nellUploads.head(id)).headers.get('upload-sha256')).toBe(sha256(bytes));
    expect((await readUpload(testServer, id)).equals(bytes)).toBe(true);
  }
});

test('never mixes the bytes of two senders on two nodes', async () => {
  const other = tus((await testServer.openNode()).url, testServer.nell);
  for (let round = 0; round < quantity(3, 10); round += 1) {
    const id = randomUUID();
    const [one, two] = [Buffer.alloc(300_000, 'a'), Buffer.alloc(300_000, 'b')];
    await nellUploads.create(id, one.length);
    await Promise.all([nellUploads.patch(id, 0, one), other.patch(id, 0, two)]);
    const bytes = await readUpload(testServer, id);
    expect(bytes.equals(one) || bytes.equals(two)).toBe(true);
  }
});

test('answers 409 with the current offset to a wrong offset', async () => {
  const id = randomUUID();
  await nellUploads.create(id, 10);
  await nellUploads.patch(id, 0, Buffer.from('0123'));
  for (const offset of [0, 3, 5, 10, 11]) {
    const answer = await nellUploads.patch(id, offset, Buffer.from('x'));
    expect([answer.status, getOffset(answer)]).toEqual([409, 4]);
  }
  expect((await readUpload(testServer, id)).toString()).toBe('0123');
});

test('closes the connection on a wrong offset instead of reading the rest of the chunk', async () => {
  const id = randomUUID();
  await nellUploads.create(id, 3_000_000);
  await nellUploads.patch(id, 0, Buffer.from('0123'));
  const sender = nellUploads.open(id, 0, 3_000_000);
  await sender.send(randomBytes(1000));
  expect(await sender.answered).toBe(409);
  await sender.closed;
  expect(getOffset(await nellUploads.head(id))).toBe(4);
});

test('resumes at the recorded offset when a server dies between storing bytes and recording them', async () => {
  const id = randomUUID();
  const bytes = randomBytes(100_000);
  await nellUploads.create(id, bytes.length);
  await nellUploads.patch(id, 0, bytes.subarray(0, 30_000));
  const orphans: string[] = [];
  const dying: Storage = {
    ...testServer.storage,
    async write(key, source) {
      await testServer.storage.write(key, source);
      orphans.push(key);
      throw new Error('power cut');
    },
  };
  const dead = await testServer.openNode({ storage: dying });
  expect((await tus(dead.url, testServer.nell).patch(id, 30_000, bytes.subarray(30_000, 70_000))).status).toBe(500);
  expect(getOffset(await nellUploads.head(id))).toBe(30_000);
  const { answer } = await resume(nellUploads, id, bytes);
  expect(answer.headers.get('upload-sha256')).toBe(sha256(bytes));
  expect((await readUpload(testServer, id)).equals(bytes)).toBe(true);
  // The next sweep removes the orphan that the dead server left.
  expect(await testServer.keys()).toContain(orphans[0]);
  await sweep(testServer, { filesOlderThan: new Date(Date.now() + 1000) });
  expect(await testServer.keys()).not.toContain(orphans[0]);
  expect((await readUpload(testServer, id)).equals(bytes)).toBe(true);
});

test('records the received bytes when the server stops', async () => {
  const id = randomUUID();
  await nellUploads.create(id, 50_000);
  let arrived = 0;
  async function* counted(bytes: AsyncIterable<Uint8Array>) {
    for await (const chunk of bytes) {
      arrived += chunk.byteLength;
      yield chunk;
    }
  }
  const watched: Storage = {
    ...testServer.storage,
    write: (key, bytes) => testServer.storage.write(key, counted(bytes)),
  };
  const node = await testServer.openNode({ storage: watched });
  await tus(node.url, testServer.nell).open(id, 0, 50_000).send(randomBytes(20_000));
  await vi.waitFor(() => expect(arrived).toBe(20_000));
  await node.close();
  expect(getOffset(await nellUploads.head(id))).toBe(20_000);
});
