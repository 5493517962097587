import { IDBFactory, IDBKeyRange } from 'fake-indexeddb';
import { beforeEach, expect, test, vi } from 'vitest';
import { AccountDb } from '#db/database.ts';
import { findPeople } from '#features/search/find-people.ts';
import { toAppError, toNetworkError } from '#net/app-error.ts';
import type { Read } from '#net/client.ts';

const { read } = vi.hoisted(() => ({ read: vi.fn<(path: string) => Promise<Read<unknown>>>() }));
vi.mock('#net/client.ts', () => ({ read }));

const openStore = (userId: string) =>
  new AccountDb(`people of ${userId}`, userId, { indexedDB: new IDBFactory(), IDBKeyRange });
const fail = (status: number): Read<unknown> => ({ ok: false, error: toAppError(status, null, null) });
const list = (...names: string[]): Read<unknown> => {
  const data = names.map((name, n) => ({
    id: n + 1,
    user_id: n + 1,
    user: { id: n + 1, name },
    stage_name: name,
    slug: name,
    status: 'active',
    profile_type: { id: '1', name: 'Actor / Performer', slug: 'actor-performer' },
    profile_industry_id: null,
  }));
  return { ok: true, data, tag: null, next: null };
};

beforeEach(() => {
  read.mockReset();
});

test('on a server without search, each account searches the list that the server showed it', async () => {
  const search = async (db: AccountDb, listed: Read<unknown>) => {
    read.mockImplementation((path) => Promise.resolve(path.startsWith('/search') ? fail(404) : listed));
    const found = await findPeople({ db, filters: {}, limit: 24 });
    return found.status === 'loaded' && found.rows.map((row) => row.stage_name);
  };
  expect(await search(openStore('1'), list('Meera'))).toEqual(['Meera']);
  expect(await search(openStore('2'), list('Arjun'))).toEqual(['Arjun']);
});

test.each([
  ['an error of the server', fail(503), 503],
  ['no answer', { ok: false, error: toNetworkError('timeout') } as Read<unknown>, 0],
])('people from this device come with the reason: %s', async (_, answer, status) => {
  read.mockResolvedValue(answer);
  const found = await findPeople({ db: null, filters: {}, limit: 24 });
  expect(found).toMatchObject({ source: 'device', error: { status } });
});
