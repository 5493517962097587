import { IDBFactory, IDBKeyRange } from 'fake-indexeddb';
import { expect, it } from 'vitest';
import { LIMITS } from '#contract/limits.ts';
import { AccountDb } from '#db/database.ts';
import type { Features } from '#db/rows.ts';
import { loadUploadLimits } from '#shared/queries/use-upload-limits.ts';

const MB = 1024 * 1024;
const ALL: Features = { keys: true, versions: true, uploads: true, sync: true };

it.each([
  ['nothing is known of the server', null, LIMITS.fileBytes.video],
  ['the server offers everything', ALL, LIMITS.fileBytes.video],
  ['the server has no resumable uploads', { ...ALL, uploads: false }, 10 * MB],
  ['the server has them, but lacks what the engine needs to use them', { ...ALL, versions: false }, 10 * MB],
])('the largest video, before the server has told its limits: %s', async (_, value, bytes) => {
  const db = new AccountDb('test', 'u1', { indexedDB: new IDBFactory(), IDBKeyRange });
  if (value !== null) await db.meta.put({ k: 'features', value });
  expect((await loadUploadLimits(db)).video).toBe(bytes);
});
