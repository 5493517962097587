import 'fake-indexeddb/auto';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { AccountDb } from '#db/database.ts';
import { firstLook, whoIs } from '#session/first-look.ts';

const profile = { id: '7', user_id: 'u1', stage_name: 'Meera Kulkarni', version: 3 };
const answers = (byPath: Record<string, unknown>) =>
  vi.stubGlobal('fetch', async (path: string) =>
    path in byPath ? Response.json(byPath[path]) : new Response('<html>', { status: 404 }),
  );

let n = 0;
async function openStore(): Promise<AccountDb> {
  const db = new AccountDb(`first-look-${(n += 1)}`, 'u1');
  await db.open();
  return db;
}

afterEach(() => {
  vi.unstubAllGlobals();
});

describe('firstLook', () => {
  it('stores the own profiles where the store has never heard from the server', async () => {
    answers({ '/profiles/all': [profile, { ...profile, id: '8', user_id: 'u2' }] });
    const db = await openStore();
    expect(await firstLook(db, 'token')).toBe(true);
    expect(await db.records.toArray()).toEqual([{ type: 'profile', id: '7', parent: null, body: profile, version: 3 }]);
    expect(await db.cursors.count()).toBe(0);
  });

  it('leaves a store alone that heard from the server meanwhile', async () => {
    answers({ '/profiles/all': [profile] });
    const db = await openStore();
    await db.cursors.put({ resource: 'sync', value: 'c1' });
    expect(await firstLook(db, 'token')).toBe(false);
    expect(await db.records.count()).toBe(0);
  });

  it('stores nothing of a page that is no answer of the server', async () => {
    answers({});
    const db = await openStore();
    expect(await firstLook(db, 'token')).toBe(false);
    vi.stubGlobal('fetch', async () => new Response('<html>Sign in to this Wi-Fi</html>'));
    expect(await firstLook(db, 'token')).toBe(false);
    vi.stubGlobal('fetch', () => Promise.reject(new TypeError('Failed to fetch')));
    expect(await firstLook(db, 'token')).toBe(false);
    expect(await db.records.count()).toBe(0);
  });
});

describe('whoIs', () => {
  it('asks for the user, and reads the own profile where a server has no such call', async () => {
    answers({ '/user': { id: 5, name: 'Meera', email: 'm@example.com' } });
    expect(await whoIs('token')).toEqual({ id: '5', name: 'Meera', email: 'm@example.com' });
    answers({ '/profiles/all': [{ user_id: 5, user: { name: 'Meera' } }] });
    expect(await whoIs('token')).toEqual({ id: '5', name: 'Meera', email: '' });
    answers({});
    expect(await whoIs('token')).toBeNull();
  });
});
