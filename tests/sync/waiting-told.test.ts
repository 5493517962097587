import { IDBFactory, IDBKeyRange } from 'fake-indexeddb';
import { beforeEach, expect, it } from 'vitest';
import { formatPending, parsePending } from '#contract/pending.ts';
import { AccountDb } from '#db/database.ts';
import type { OutboxRow } from '#db/rows.ts';
import type { WireRequest } from '#net/wire.ts';
import { openLedger, readWaiting, toHeaders } from '#sync/send/ledger.ts';
import { outboxRow } from '../support/outbox-row.ts';

let db: AccountDb;
let sent: WireRequest[];
const transport = {
  send: (request: WireRequest) => {
    sent.push(request);
    return Promise.resolve({ status: 204, body: undefined, redirected: false, header: () => null });
  },
};
const AT = Date.parse('2026-11-17T10:59:00Z');

async function queue(...rows: Partial<OutboxRow>[]): Promise<OutboxRow[]> {
  for (const [n, row] of rows.entries()) {
    const { seq: _seq, ...given } = outboxRow({ op: `op${n}`, createdAt: AT + n, ...row });
    await db.outbox.add(given);
  }
  return db.outbox.toArray();
}
const getTold = async () => {
  const row = await db.meta.get('told');
  return row?.k === 'told' ? row.text : null;
};

beforeEach(async () => {
  db = new AccountDb('told', '1', { indexedDB: new IDBFactory(), IDBKeyRange });
  sent = [];
  await db.meta.put({ k: 'told', text: '' });
});

it('counts what waits by kind, and a file once', async () => {
  const medium = (media_type: string) => ({ kind: 'create' as const, type: 'media', patch: { media_type } });
  await queue(
    { kind: 'upload', type: 'upload', lane: 'upload:1' },
    medium('image'),
    medium('video'),
    medium('audio'),
    medium('document'),
    { kind: 'avatar' },
    { kind: 'update', type: 'media' },
    { kind: 'delete', type: 'skill' },
    { kind: 'send', lane: 'chat:1' },
    { kind: 'connect', lane: 'person:1' },
    { kind: 'delete', lane: 'person:2' },
    { kind: 'seen', lane: 'seen' },
    { kind: 'act', type: 'audition' },
    { kind: 'create', type: 'request' },
  );
  expect(toHeaders(await readWaiting(db))).toEqual({
    'x-pending': '13',
    'x-pending-detail': 'edit=3,photo=2,video=1,audio=1,document=1,message=1,request=2,other=2;since=2026-11-17T10',
  });
});

it('says with each change what waits besides it, and nothing more once all have arrived', async () => {
  const [first, second] = await queue({ kind: 'update' }, { kind: 'send', lane: 'chat:1' });
  const ledger = (await openLedger(db))!;
  const said = ledger.without(first!);
  expect(toHeaders(said)).toMatchObject({ 'x-pending': '1', 'x-pending-detail': 'message=1;since=2026-11-17T10' });
  ledger.note(first!, said, true);
  const last = ledger.without(second!);
  expect(toHeaders(last)).toEqual({ 'x-pending': '0' });
  ledger.note(second!, last, true);
  await db.outbox.clear();
  await ledger.close(transport);
  expect([sent, await getTold()]).toEqual([[], '']);
});

it('says at the end what is left, if the server heard something else', async () => {
  const [row] = await queue({ kind: 'update' });
  const ledger = (await openLedger(db))!;
  // The server refused it.
  ledger.note(row!, ledger.without(row!), false);
  await ledger.close(transport);
  expect(sent).toMatchObject([{ path: '/devices/pending', keepalive: true, headers: { 'x-pending': '1' } }]);
  expect(await getTold()).toBe('edit=1;since=2026-11-17T10');
  await (await openLedger(db))!.close(transport);
  expect(sent).toHaveLength(1);
});

it('says later what could not be said now', async () => {
  await queue({ kind: 'update' });
  await (await openLedger(db))!.close(null);
  await (await openLedger(db))!.close({ send: () => Promise.resolve({ status: 0, reason: 'network' }) });
  expect(await getTold()).toBe('');
  await (await openLedger(db))!.close(transport);
  expect(sent).toHaveLength(1);
});

it('says nothing about a store of which the server has not been told', async () => {
  await db.meta.delete('told');
  await queue({ kind: 'update' });
  expect(await openLedger(db)).toBeNull();
});

it('writes what it reads, also from a clock that is far off', () => {
  for (const at of [AT, 0, -5, Number.NaN, Infinity, 9e15]) {
    const text = formatPending({ edit: 2, photo: 0 }, at);
    expect(parsePending(text)?.kinds).toEqual({ edit: 2 });
  }
});
