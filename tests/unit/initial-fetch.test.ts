import 'fake-indexeddb/auto';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { AccountDb } from '#db/database.ts';
import { storeInitialProfiles } from '#open-store/store.ts';
import { fetchProfiles, fetchUser } from '#net/initial-fetch.ts';

const profile = { id: '7', user_id: 'u1', stage_name: 'Meera Kulkarni', version: 3 };
const answers = (byPath: Record<string, unknown>) =>
  vi.stubGlobal('fetch', async (path: string) =>
    path in byPath ? Response.json(byPath[path]) : new Response('<html>', { status: 404 }),
  );

let n = 0;
async function openStore(): Promise<AccountDb> {
  const db = new AccountDb(`initial-fetch-${(n += 1)}`, 'u1');
  await db.open();
  return db;
}

async function fetchAndStore(db: AccountDb): Promise<boolean> {
  const profiles = await fetchProfiles('token');
  return profiles !== null && storeInitialProfiles(db, profiles);
}

afterEach(() => {
  vi.unstubAllGlobals();
});

describe('storeInitialProfiles', () => {
  it('stores only the own profiles in a store that was never pulled', async () => {
    answers({ '/profiles/all': [profile, { ...profile, id: '8', user_id: 'u2' }] });
    const db = await openStore();
    expect(await fetchAndStore(db)).toBe(true);
    expect(await db.records.toArray()).toEqual([{ type: 'profile', id: '7', parent: null, body: profile, version: 3 }]);
    expect(await db.cursors.count()).toBe(0);
  });

  it('leaves a store unchanged that was pulled in the meantime', async () => {
    answers({ '/profiles/all': [profile] });
    const db = await openStore();
    await db.cursors.put({ resource: 'sync', value: 'c1' });
    expect(await fetchAndStore(db)).toBe(false);
    expect(await db.records.count()).toBe(0);
  });

  it('stores nothing when the answer is missing or not JSON', async () => {
    answers({});
    const db = await openStore();
    expect(await fetchAndStore(db)).toBe(false);
    vi.stubGlobal('fetch', async () => new Response('<html>Sign in to this Wi-Fi</html>'));
    expect(await fetchAndStore(db)).toBe(false);
    vi.stubGlobal('fetch', () => Promise.reject(new TypeError('Failed to fetch')));
    expect(await fetchAndStore(db)).toBe(false);
    expect(await db.records.count()).toBe(0);
  });
});

describe('fetchUser', () => {
  it('falls back to the own profile on a server without /user', async () => {
    answers({ '/user': { id: 5, name: 'Meera', email: 'm@example.com' } });
    expect(await fetchUser('token')).toEqual({ id: '5', name: 'Meera', email: 'm@example.com' });
    answers({ '/profiles/all': [{ user_id: 5, user: { name: 'Meera' } }] });
    expect(await fetchUser('token')).toEqual({ id: '5', name: 'Meera', email: '' });
    answers({});
    expect(await fetchUser('token')).toBeNull();
  });
});
