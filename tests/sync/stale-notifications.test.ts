import { IDBFactory, IDBKeyRange } from 'fake-indexeddb';
import { expect, it } from 'vitest';
import { AccountDb } from '#db/database.ts';
import { listNotifications } from '#db/network.ts';
import { pullChanges } from '#sync/pull/pull.ts';

/** Reads a notification here and on the server, then pulls a page of /sync that has it as new. */
async function isNewAfter(body: { created_at: string }): Promise<boolean> {
  const db = new AccountDb('test', 'u1', { indexedDB: new IDBFactory(), IDBKeyRange });
  const news = {
    id: '5',
    type: 'profile.saved',
    actor: { user_id: '9' },
    data: {},
    created_at: '2026-03-01T10:00:00.000Z',
  };
  const read = { ...news, read_at: '2026-03-01T11:00:00.000Z' };
  await db.records.put({ type: 'notification', id: '5', parent: null, body: read, version: null });
  const stale = { type: 'notification', id: '5', parent: null, body: { ...news, ...body, read_at: null } };
  const page = { records: [stale], cursor: 'c1', has_more: false };
  const send = () => Promise.resolve({ status: 200, body: page, redirected: false, header: () => null });
  await pullChanges(db, { clock: { now: () => 0, after: () => () => undefined }, transport: { send } });
  const [item] = await listNotifications(db);
  return item!.isNew;
}

it('keeps a notification as seen when an earlier requested page arrives', async () => {
  expect(await isNewAfter({ created_at: '2026-03-01T10:00:00.000Z' })).toBe(false);
});

it('shows a notification as new when it has happened again', async () => {
  expect(await isNewAfter({ created_at: '2026-03-01T12:00:00.000Z' })).toBe(true);
});
