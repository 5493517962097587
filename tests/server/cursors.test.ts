import { beforeAll, describe, expect, test } from 'vitest';
import { encodeCursor } from '#server/platform/http/paging.ts';
import { addPhoto, addProfile, requestConnection } from './support/people.ts';
import { useTestServer, type Person } from './support/test-server.ts';

const testServer = useTestServer();

let me: Person;
beforeAll(async () => {
  me = await testServer.join('Meera Kulkarni');
  await addProfile(testServer, me);
  for (const name of ['Meena Kulkarni', 'Meena Rao', 'Meena Shah']) {
    const other = await testServer.join(name);
    const profile = await addProfile(testServer, other);
    const photo = await addPhoto(testServer, other, profile.id);
    await testServer.call(`POST /media/${photo.id}/save`, { token: me.token });
    await requestConnection(testServer, other, me);
  }
});

/** Every paginated list, with a different query to the same server. */
const LISTS = [
  ['/search?q=meena', '/search?q=meera'],
  ['/search?q=mena', '/search?q=meena'],
  ['/search?q=meena&location=pune', '/search?q=meena'],
  ['/profiles/all', '/media/saved'],
  ['/media/saved', '/notifications'],
  ['/notifications', '/profiles/all'],
] as const;

const page = (list: string, cursor?: string) => {
  const more = `limit=1${cursor === undefined ? '' : `&cursor=${encodeURIComponent(cursor)}`}`;
  return testServer.call<{ id: string }[]>(`GET ${list}${list.includes('?') ? '&' : '?'}${more}`, { token: me.token });
};
const forged = (list: string, place: unknown) =>
  encodeCursor({ db: testServer.database.db, request: { url: list } }, place);

describe.each(LISTS)('a cursor of %s', (list, other) => {
  test('pages through distinct rows', async () => {
    const seen: string[] = [];
    for (let cursor: string | undefined, more = true; more;) {
      const answer = await page(list, cursor);
      expect(answer.status).toBe(200);
      seen.push(...answer.body.map(({ id }) => id));
      cursor = answer.headers['x-next-cursor'];
      more = cursor !== undefined;
    }
    expect(new Set(seen).size).toBe(seen.length);
    if (!list.includes('location')) expect(seen.length).toBeGreaterThan(2);
  });

  test('is rejected with 422 when it is from another list, altered, truncated, forged or has invalid values', async () => {
    const place = { step: 0, quality: 1, id: 1, found: 0, at: testServer.clock.now().toISOString(), own: true };
    const good = await forged(list, place);
    expect((await page(list, good)).status).toBe(200);
    const unsigned = good.slice(22);
    const bad = [
      await forged(other, place),
      `${good.slice(0, -1)}${good.endsWith('A') ? 'B' : 'A'}`,
      good.slice(0, 30),
      unsigned,
      `${'A'.repeat(22)}${unsigned}`,
      await forged(list, { step: -1, quality: 'meena', id: -1, found: null, at: 'never', own: 7 }),
      await forged(list, null),
    ];
    for (const cursor of bad) {
      const answer = await page(list, cursor);
      expect([cursor, answer.status, answer.body]).toEqual([
        cursor,
        422,
        { message: expect.any(String), errors: { cursor: [expect.any(String)] } },
      ]);
    }
  });
});

test('rejects a search cursor with an unknown step', async () => {
  for (const step of [7, 8, 1000]) {
    const answer = await page(
      '/search?q=meena',
      await forged('/search?q=meena', { step, quality: 1, id: 1, found: 0 }),
    );
    expect(answer.status).toBe(422);
  }
  const answer = await page('/search?', await forged('/search', { step: 1, quality: 1, id: 1, found: 0 }));
  expect(answer.status).toBe(422);
});

test('continues among similarly spelled names after any number of results', async () => {
  const first = await page(
    '/search?q=mena',
    await forged('/search?q=mena', { step: 5, quality: 101, id: 999_999, found: 50 }),
  );
  expect(first.status).toBe(200);
  expect(first.body).toHaveLength(1);
});
