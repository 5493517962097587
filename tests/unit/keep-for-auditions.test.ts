import 'fake-indexeddb/auto';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { AccountDb } from '#db/database.ts';
import { PINNED_CACHE } from '#lib/stored-media.ts';
import { keepForAuditions } from '#shared/offline-media/keep-for-auditions.ts';
import { getPinnedFiles } from '#shared/offline-media/offline-cache.ts';
import { NO_FACTS } from '#tests/support/request-facts.ts';
import { cacheStorage } from './support/cache-storage.ts';

const ORIGIN = 'https://callboard.example';
const NEEDED = '/storage/needed.pdf';
const ENDED = '/storage/ended.pdf';
const pinned = async () => [...(await getPinnedFiles()).keys()].map((url) => new URL(url).pathname);

let db: AccountDb;
let page: EventTarget;
let leaving: AbortController;
beforeEach(() => {
  db = new AccountDb('keep-for-auditions', '1');
  page = new EventTarget();
  leaving = new AbortController();
  vi.stubGlobal('caches', cacheStorage());
  vi.stubGlobal('location', { origin: ORIGIN });
  vi.stubGlobal('addEventListener', page.addEventListener.bind(page));
  vi.stubGlobal('fetch', () => Promise.reject(new TypeError('Failed to fetch')));
});
afterEach(async () => {
  leaving.abort();
  await db.delete();
  vi.unstubAllGlobals();
});

it('removes no pages that are needed when the network comes before the auditions are read', async () => {
  const cast = { kind: 'cast', text: null, at: '' };
  const body = { ...NO_FACTS, deadline_at: '', answers: [cast], role: { status: 'open' }, sides: [{ path: NEEDED }] };
  await db.records.put({ type: 'audition', id: '4', parent: null, body, version: 1 });
  await db.meta.put({ k: 'kept-sides', paths: [NEEDED, ENDED] });
  const cache = await caches.open(PINNED_CACHE);
  const pdf = { headers: { 'Content-Type': 'application/pdf' } };
  for (const path of [NEEDED, ENDED]) await cache.put(ORIGIN + path, new Response('x', pdf));

  keepForAuditions(db, leaving.signal);
  page.dispatchEvent(new Event('online'));
  await vi.waitFor(async () => expect(await pinned()).not.toContain(ENDED));
  expect(await pinned()).toEqual([NEEDED]);
});
