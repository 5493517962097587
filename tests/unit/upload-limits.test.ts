import { IDBFactory, IDBKeyRange } from 'fake-indexeddb';
import { expect, it } from 'vitest';
import { LIMITS } from '#contract/limits.ts';
import { AccountDb } from '#db/database.ts';
import type { Features } from '#db/rows.ts';
import { loadUploadLimits, storeUploadLimits } from '#sync/server/upload-limits.ts';

const MB = 1024 * 1024;
const ALL: Features = { keys: true, versions: true, uploads: true, sync: true };

const openStore = () => new AccountDb('test', 'u1', { indexedDB: new IDBFactory(), IDBKeyRange });

it.each([
  ['nothing is known of the server', null, LIMITS.fileBytes.video],
  ['the server offers everything', ALL, LIMITS.fileBytes.video],
  ['the server has no resumable uploads', { ...ALL, uploads: false }, 10 * MB],
  ['the server has them, but lacks what the engine needs to use them', { ...ALL, versions: false }, 10 * MB],
])('the largest video, before the server has told its limits: %s', async (_, value, bytes) => {
  const db = openStore();
  if (value !== null) await db.meta.put({ k: 'features', value });
  expect((await loadUploadLimits(db)).video).toBe(bytes);
});

/** What a server reports that has one limit for files of every kind. */
const oneLimit = (max_upload_mb: number) => ({ limits: { max_upload_mb, max_storage_mb: 500, media: {} } });

it('a server from before the limits of each kind has one for all of them', async () => {
  const db = openStore();
  await storeUploadLimits(db, oneLimit(7));
  expect(await loadUploadLimits(db)).toEqual({ image: 7 * MB, audio: 7 * MB, video: 7 * MB, document: 7 * MB });
});

it.each([[{}], [oneLimit(-1)], [oneLimit(Number.NaN)]])(
  'limits that cannot be read leave those that were stored before',
  async (unreadable) => {
    const db = openStore();
    await storeUploadLimits(db, oneLimit(7));
    await storeUploadLimits(db, unreadable);
    expect((await loadUploadLimits(db)).image).toBe(7 * MB);
  },
);
