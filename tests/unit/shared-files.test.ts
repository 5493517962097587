import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { readShared, SHARE_PATH } from '#lib/shared-files.ts';
import { SHARED_CACHE } from '#lib/stored-media.ts';
import { cacheStorage } from './support/cache-storage.ts';

const LINK = 'https://youtu.be/dQw4w9WgXcQ';

beforeEach(() => void vi.stubGlobal('caches', cacheStorage()));
afterEach(() => vi.unstubAllGlobals());

it('brings nothing back of a link that was shared twice, once it is dropped', async () => {
  const cache = await caches.open(SHARED_CACHE);
  for (const at of [1, 2]) await cache.put(`https://callboard.example${SHARE_PATH}/${at}-text`, new Response(LINK));
  const shared = await readShared();
  await shared?.drop([], true);
  expect(await readShared()).toBeNull();
});
