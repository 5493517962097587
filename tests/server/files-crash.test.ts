import { createHash, randomBytes, randomUUID } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { getOffset, tus } from './support/files.ts';
import { callServer, startServer } from './support/server-process.ts';
import { openTestStore, storeKind, type TestStore } from './support/store.ts';
import { quantity } from '../support/quantity.ts';

/** S3 runs fewer rounds: the records are the same, only the storage of the bytes differs. */
const ROUNDS = storeKind === 's3' ? 2 : quantity(2, 5);
const PART = 1024 * 1024;

let dataDir = '';
let store: TestStore;
beforeAll(async () => {
  dataDir = await mkdtemp(path.join(tmpdir(), 'callboard-crash-'));
  store = await openTestStore();
});
afterAll(async () => {
  await store.close();
  await rm(dataDir, { recursive: true, force: true });
});

test(
  `resumes at the recorded offset and arrives whole after ${ROUNDS} kills during the upload`,
  { timeout: 120_000 },
  async () => {
    const bytes = randomBytes(10 * PART);
    const id = randomUUID();
    let server = await startServer({ DATA_DIR: dataDir, ...store.env });
    const { body } = await callServer<{ token: string }>(server.url, 'POST /register', {
      body: { name: 'Ila', email: 'ila@callboard.example', password: 'the ghost light stays on' },
    });
    await tus(server.url, body).create(id, bytes.length);

    let offset = 0;
    for (let round = 0; round < ROUNDS; round += 1) {
      const chunk = tus(server.url, body).open(id, offset, bytes.length - offset);
      const sent = offset + PART + 300_000 + round * 77_777;
      await chunk.send(bytes.subarray(offset, sent));
      await server.end('SIGKILL');
      expect(await chunk.answered).toBe('cut');

      server = await startServer({ DATA_DIR: dataDir, ...store.env });
      const now = getOffset(await tus(server.url, body).head(id));
      // Recorded parts stay. Only the part in flight may be missing.
      expect(now).toBeGreaterThanOrEqual(offset);
      expect(now).toBeLessThanOrEqual(sent);
      const again = await tus(server.url, body).create(id, bytes.length);
      expect([again.status, getOffset(again)]).toEqual([201, now]);
      offset = now;
    }
    const last = await tus(server.url, body).patch(id, offset, bytes.subarray(offset));
    expect([last.status, last.headers.get('upload-sha256')]).toEqual([
      204,
      createHash('sha256').update(bytes).digest('hex'),
    ]);
    expect(await server.end('SIGTERM')).toBe(0);
  },
);
