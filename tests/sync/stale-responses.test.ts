import { IDBFactory, IDBKeyRange } from 'fake-indexeddb';
import { beforeEach, describe, expect, it } from 'vitest';
import { AccountDb } from '#db/database.ts';
import { replaceSet } from '#db/sets.ts';
import { putMirror } from '#sync/pull/apply.ts';
import { KNOWN_TYPES, pullChanges } from '#sync/pull/pull.ts';
import { pullLists } from '#sync/server/basic/pull-lists.ts';
import type { WireAnswer, WireRequest } from '#net/wire.ts';

const clock = { now: () => 1000, after: () => () => undefined };

let db: AccountDb;
beforeEach(() => {
  db = new AccountDb('test', 'u1', { indexedDB: new IDBFactory(), IDBKeyRange });
});

const answer = (body: unknown, etag: string | null = null): WireAnswer => ({
  status: 200,
  body,
  redirected: false,
  header: (name) => (name === 'etag' ? etag : null),
});
const version = async (type: string, id: string) => (await db.records.get([type, id]))?.version;

describe('the version of a record on this device', () => {
  const skill = (n: number | null) => ({ type: 'skill', id: '5', parent: '7', body: { id: 5, level: n, version: n } });

  it('stays when an older or unversioned response arrives late', async () => {
    await putMirror(db, skill(4));
    await putMirror(db, skill(3));
    expect(await db.records.get(['skill', '5'])).toMatchObject({ version: 4, body: { level: 4 } });
    await putMirror(db, skill(null));
    expect(await version('skill', '5')).toBe(4);
  });

  it('stays when an older response with a whole set arrives late', async () => {
    const row = (id: number, of: number) => ({ id, language_id: id, version: of });
    await replaceSet(db, 'language', '7', [row(1, 3), row(2, 3)]);
    await replaceSet(db, 'language', '7', [row(1, 2)]);
    expect(await db.records.toArray()).toMatchObject([
      { id: '1', version: 3 },
      { id: '2', version: 3 },
    ]);
    await replaceSet(db, 'language', '7', []);
    expect(await db.records.count()).toBe(0);
  });

  it('stays when a pull brings an older page', async () => {
    await putMirror(db, skill(4));
    const body = { records: [skill(2)], cursor: 'c1', has_more: false };
    await pullChanges(db, { clock, transport: { send: () => Promise.resolve(answer(body)) } });
    expect(await version('skill', '5')).toBe(4);
  });
});

describe('two overlapping pulls', () => {
  it('keep the records and cursor of the first to finish and continue from there', async () => {
    await db.cursors.put({ resource: 'sync', value: 'c0', types: KNOWN_TYPES });
    const record = (n: number) => ({ type: 'connection', id: '9', parent: null, body: { id: 9, status: `s${n}` } });
    const page = (n: number) => answer({ records: [record(n)], cursor: `c${n}`, has_more: false });
    const paths: string[] = [];
    let open!: (late: WireAnswer) => void;
    const send = ({ path }: WireRequest) => {
      paths.push(path);
      return paths.length > 1 ? Promise.resolve(page(2)) : new Promise<WireAnswer>((done) => (open = done));
    };
    const slow = pullChanges(db, { clock, transport: { send } });
    while (open === undefined) await new Promise((done) => setImmediate(done));
    await pullChanges(db, { clock, transport: { send: () => Promise.resolve(page(2)) } });
    open(page(1));
    await slow;
    // The other pull may have died before its last page, so this one continues where it stopped.
    expect(paths.map((path) => new URLSearchParams(path.split('?')[1]).get('cursor'))).toEqual(['c0', 'c2']);
    expect((await db.cursors.get('sync'))?.value).toBe('c2');
    expect((await db.records.get(['connection', '9']))?.body.status).toBe('s2');
  });

  it('keep the list that was stored first, with its ETag, with the basic API', async () => {
    const serve = (title: string, tag: string, hold?: Promise<void>) => ({
      clock,
      transport: {
        send: async ({ path }: WireRequest) => {
          if (path !== '/profiles/all') return answer([], 'empty');
          await hold;
          return answer([{ id: 7, user_id: 'u1', title }], tag);
        },
      },
    });
    let release!: () => void;
    const slow = pullLists(db, serve('Old', 'old', new Promise((done) => (release = done))));
    await pullLists(db, serve('New', 'new'));
    release();
    await slow;
    expect((await db.records.get(['profile', '7']))?.body.title).toBe('New');
    expect((await db.cursors.get('/profiles/all'))?.value).toBe('new');
  });
});
