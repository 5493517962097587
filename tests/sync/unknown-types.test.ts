import { IDBFactory, IDBKeyRange } from 'fake-indexeddb';
import { expect, it } from 'vitest';
import { AccountDb } from '#db/database.ts';
import { renew } from '#sync/queue/outbox.ts';
import type { OutboxRow } from '#db/rows.ts';
import { pullChanges } from '#sync/pull/pull.ts';

const skill = { type: 'skill', id: '5', parent: '7', body: { id: '5', name: 'Kathak', version: 1 } };
const later = { type: 'a type of the next release', id: '6', parent: null, body: { id: '6' } };

/** A device, and a server with both records that notes how it is asked. */
function openDevice() {
  const db = new AccountDb('test', 'u1', { indexedDB: new IDBFactory(), IDBKeyRange });
  const asked: string[] = [];
  const send = ({ path }: { path: string }) => {
    asked.push(path);
    const records = path.includes('cursor') ? [] : [skill, later];
    const page = { records, cursor: 'c1', has_more: false };
    return Promise.resolve({ status: 200, body: page, redirected: false, header: () => null });
  };
  const pull = () => pullChanges(db, { clock: { now: () => 0, after: () => () => undefined }, transport: { send } });
  return { db, asked, pull };
}

it('a release that knows more types pulls everything once, because the one before has passed some over', async () => {
  const { db, asked, pull } = openDevice();
  await pull();
  expect(await db.records.toCollection().primaryKeys()).toEqual([['skill', '5']]);
  const cursor = (await db.cursors.get('sync'))!;
  // As a release stores it that knew fewer types, and as the first one stored it, which did not say.
  for (const types of ['profile,media', undefined]) {
    await db.cursors.put({ ...cursor, types });
    asked.length = 0;
    expect([await pull(), await pull()]).toEqual(['done', 'done']);
    expect(asked).toEqual(['/sync', '/sync?cursor=c1']);
    expect(await db.cursors.get('sync')).toEqual(cursor);
  }
});

it('without a connection, what was pulled counts as pulled although a newer release wants everything', async () => {
  const { db, pull } = openDevice();
  await pull();
  await db.cursors.put({ resource: 'sync', value: 'c1' });
  const send = () => Promise.resolve({ status: 0 as const, reason: 'network' as const });
  expect(await pullChanges(db, { clock: { now: () => 0, after: () => () => undefined }, transport: { send } })).toBe(
    'unreachable',
  );
  expect(await db.cursors.get('sync')).toEqual({ resource: 'sync', value: 'c1' });
  expect(await db.records.count()).toBe(1);
});

it('a change that is sent again by hand may send its bytes again as often as a new one', () => {
  const row = { op: 'a', resent: 4, patch: {}, state: 'needs' } as unknown as OutboxRow;
  expect(renew(row, 'b')).not.toHaveProperty('resent');
});
