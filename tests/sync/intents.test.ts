import { IDBFactory, IDBKeyRange } from 'fake-indexeddb';
import { beforeEach, describe, expect, it } from 'vitest';
import type { Connection, ProfileCard } from '#contract/records/people.ts';
import { listQueuedBlocks } from '#db/blocked-people.ts';
import { AccountDb } from '#db/database.ts';
import { readNetwork, listNotifications } from '#db/network.ts';
import { readConnectionState, listSaved, readSaved } from '#db/saved-and-connected.ts';
import type { SearchHit } from '#db/rows.ts';
import { classify } from '#sync/send/classify.ts';
import { type OutboxPorts, undo } from '#sync/queue/outbox.ts';
import { Sender } from '#sync/send/sender.ts';
import { accept, connect, disconnect } from '#sync/queue/connections.ts';
import { markSeen as markSeenOperation } from '#sync/operations/mark-seen.ts';
import { markSeen } from '#sync/queue/mark-seen.ts';
import { setSaved } from '#sync/queue/toggles.ts';
import { basicApi } from '#sync/server/basic-api.ts';
import { pullLists } from '#sync/server/basic/pull-lists.ts';
import { fullApi } from '#sync/server/full-api.ts';
import { outboxRow } from '../support/outbox-row.ts';
import { describeChange as words, getOperation } from '#sync/operations/index.ts';

const meera: ProfileCard = {
  id: '7',
  title: 'Actor',
  stage_name: 'Meera Joshi',
  location: 'Pune',
  profile_type: { id: '1', name: 'Actor / Performer', slug: 'actor-performer' },
  profile_photo: null,
  slug: 'meera-joshi',
};
const whom = { userId: '3', name: 'Meera Joshi' };

let ports: OutboxPorts;
let minted = 0;

beforeEach(() => {
  const db = new AccountDb('test', 'u1', { indexedDB: new IDBFactory(), IDBKeyRange });
  const clock = { now: () => 1_000, after: () => () => undefined };
  ports = { db, clock, chance: { uuid: () => `op-${(minted += 1)}`, random: () => 0.5 } };
});

const rows = () => ports.db.outbox.orderBy('seq').toArray();
const leave = async (op: string | null) => ports.db.outbox.where('op').equals(op!).modify({ sentOnce: true });

const seen = (...ids: string[]) => ids.map((id) => ({ id, created_at: `2026-11-2${id}` }));

describe('a bookmark', () => {
  it('sends nothing when it is undone before it was sent', async () => {
    await setSaved(ports, 'saved_profile', meera, true);
    expect(await readSaved(ports.db, 'saved_profile', '7', false)).toEqual({ value: true, syncState: 'phone' });
    expect(await setSaved(ports, 'saved_profile', meera, false)).toEqual({ op: null });
    expect(await rows()).toEqual([]);
  });

  it('sends a save that follows a redundant unsave', async () => {
    // Another tab or a list changed the state first, so the screen offered what is already true.
    await setSaved(ports, 'saved_profile', meera, false);
    await setSaved(ports, 'saved_profile', meera, true);
    expect(await rows()).toMatchObject([{ kind: 'save', target: '7', patch: { saved: true } }]);
  });

  it('sends an unsave when another device saved meanwhile', async () => {
    await setSaved(ports, 'saved_profile', meera, true);
    // A pull brings another device's change.
    await ports.db.records.put({ type: 'saved_profile', id: '7', parent: null, body: { ...meera }, version: null });
    await setSaved(ports, 'saved_profile', meera, false);
    expect(await readSaved(ports.db, 'saved_profile', '7', false)).toEqual({ value: false, syncState: 'phone' });
    expect(await rows()).toMatchObject([{ kind: 'save', target: '7', patch: { saved: false } }]);
  });

  it('queues one row for a repeated save', async () => {
    const first = await setSaved(ports, 'saved_profile', meera, true);
    expect(await setSaved(ports, 'saved_profile', meera, true)).toEqual(first);
    expect(await rows()).toHaveLength(1);
  });

  it('queues separate rows when the earlier save may have been sent', async () => {
    const { op } = await setSaved(ports, 'saved_profile', meera, true);
    await leave(op);
    await setSaved(ports, 'saved_profile', meera, false);
    const both = await rows();
    expect(both.map((row) => [row.patch.saved, getOperation(row).endpoint(row)?.path])).toEqual([
      [true, '/profile/:profileId/save'],
      [false, '/profile/:profileId/unsave'],
    ]);
    expect(both.map((row) => words(row))).toEqual(['Save Meera Joshi', 'Remove from Saved: Meera Joshi']);
    // The first save may have been applied long ago and undone by another device since, so its key has no more effect.
    const again = await setSaved(ports, 'saved_profile', meera, true);
    expect((await rows()).map((row) => [row.op, row.patch.saved])).toEqual([
      [op, true],
      [again.op, true],
    ]);
  });

  it('replaces a refused row by the next intent', async () => {
    const { op } = await setSaved(ports, 'saved_profile', meera, true);
    await ports.db.outbox.where('op').equals(op!).modify({ state: 'attention', reason: 'gone' });
    await setSaved(ports, 'saved_profile', meera, true);
    const [row, ...others] = await rows();
    expect(others).toEqual([]);
    expect(row).toMatchObject({ state: 'queued', patch: { saved: true } });
    expect(row?.op).not.toBe(op);
  });

  it('appears in the list at once', async () => {
    await setSaved(ports, 'saved_profile', meera, true);
    expect((await listSaved(ports.db, 'saved_profile')).map((item) => [item.card.stage_name, item.syncState])).toEqual([
      ['Meera Joshi', 'phone'],
    ]);
  });
});

describe('a request to connect', () => {
  it('is created once', async () => {
    const first = await connect(ports, whom, 'Hello');
    expect(await connect(ports, whom)).toEqual(first);
    expect(await readConnectionState(ports.db, '3', null)).toMatchObject({ value: 'pending', syncState: 'phone' });
    expect((await rows()).map((row) => words(row))).toEqual(['Connect with Meera Joshi']);
  });

  it('from the other person can be accepted', async () => {
    const body = { id: '9', status: 'pending', user_id: '3', connected_user_id: 'u1' };
    await ports.db.records.put({ type: 'connection', id: '9', parent: null, body, version: null });
    expect(await readConnectionState(ports.db, '3', null)).toMatchObject({ value: 'asked', connectionId: '9' });
    await accept(ports, whom, '9');
    expect(await readConnectionState(ports.db, '3', null)).toMatchObject({ value: 'connected', syncState: 'phone' });
  });
});

describe('disconnecting', () => {
  const connection = (status: string, isOwn: boolean) => {
    const [user_id, connected_user_id] = isOwn ? ['u1', '3'] : ['3', 'u1'];
    const body = {
      id: '9',
      status,
      user_id,
      connected_user_id,
      name: 'Meera Joshi',
      updated_at: '2026-11-21T09:00:00Z',
    };
    return ports.db.records.put({ type: 'connection', id: '9', parent: null, body, version: null });
  };
  const getRelation = async () => (await readConnectionState(ports.db, '3', null)).value;
  const sent = async () => (await rows()).map((row) => [getOperation(row).endpoint(row)?.path, words(row)]);

  it('uses separate endpoints for removing, blocking and declining', async () => {
    await connection('accepted', true);
    await disconnect(ports, whom, 'remove', '9');
    expect(await sent()).toEqual([['/connections/:id', 'Remove Meera Joshi']]);
    expect(await getRelation()).toBe('none');
    await disconnect(ports, whom, 'block', '9');
    expect(await sent()).toEqual([['/blocks/:userId', 'Block Meera Joshi']]);
    expect(await listQueuedBlocks(ports.db)).toMatchObject([{ userId: '3' }]);
    await ports.db.outbox.clear();
    await connection('pending', false);
    await disconnect(ports, whom, 'decline', '9');
    expect(await sent()).toEqual([['/connections/decline/:id', 'Decline Meera Joshi']]);
    expect((await readNetwork(ports.db)).connections).toEqual([]);
  });

  it('sends nothing for an unsent request', async () => {
    await connect(ports, whom, 'Hello');
    expect(await disconnect(ports, whom, 'remove', null)).toEqual({ op: null, mayBeThere: false });
    expect(await rows()).toEqual([]);
  });

  it('keeps the other request declined when a later own request is withdrawn', async () => {
    await connection('pending', false);
    await disconnect(ports, whom, 'decline', '9');
    await connect(ports, whom, 'After all');
    expect(await disconnect(ports, whom, 'remove', null)).toEqual({ op: null, mayBeThere: false });
    expect(await sent()).toEqual([['/connections/decline/:id', 'Decline Meera Joshi']]);
  });

  it('withdraws a request with a lost response once its id is known', async () => {
    await leave((await connect(ports, whom)).op);
    const { op, mayBeThere } = await disconnect(ports, whom, 'remove', null);
    expect([op === null, mayBeThere]).toEqual([false, true]);
    expect(await getRelation()).toBe('none');
    const sent: string[] = [];
    const connection = { id: 9, status: 'pending', user_id: 'u1', connected_user_id: '3' };
    const transport = {
      send: ({ method, path }: { method: string; path: string }) => {
        if (path !== '/config') sent.push(`${method} ${path}`);
        const all = { idempotency_keys: true, client_ids: true, versions: true, uploads: true, sync: true };
        const body = path === '/config' ? { features: all } : { message: 'Done', data: connection };
        return Promise.resolve({ status: 200, body, redirected: false, header: () => null });
      },
    };
    const late = { now: () => 10_000, after: () => () => undefined };
    await new Sender(ports.db, { ...ports, clock: late, transport } as never, 60_000).run();
    expect(sent).toEqual(['POST /connections/request/3', 'DELETE /connections/9']);
    expect(await rows()).toEqual([]);
  });

  it('queues one withdrawal for a request with a lost response and reports mayBeThere each time', async () => {
    await leave((await connect(ports, whom)).op);
    const first = await disconnect(ports, whom, 'remove', null);
    expect(await disconnect(ports, whom, 'remove', null)).toEqual(first);
    expect(first.mayBeThere).toBe(true);
    expect(await rows()).toHaveLength(2);
  });

  it('keeps a request when its withdrawal is undone in time', async () => {
    const { op } = await connect(ports, whom);
    await leave(op);
    const parting = await disconnect(ports, whom, 'remove', null);
    expect(await undo(ports, parting.op!)).toBe(true);
    expect((await rows()).map((row) => row.op)).toEqual([op]);
    expect(await getRelation()).toBe('pending');
  });

  it('cancels an unsent acceptance', async () => {
    await connection('pending', false);
    await accept(ports, whom, '9');
    await disconnect(ports, whom, 'decline', '9');
    expect(await sent()).toEqual([['/connections/decline/:id', 'Decline Meera Joshi']]);
  });

  it('is canceled by a request or an acceptance before it is sent', async () => {
    await connection('accepted', true);
    await disconnect(ports, whom, 'remove', '9');
    expect(await connect(ports, whom)).toEqual({ op: null });
    expect([await sent(), await getRelation()]).toEqual([[], 'connected']);
    await connection('pending', false);
    await disconnect(ports, whom, 'decline', '9');
    await accept(ports, whom, '9');
    expect(await sent()).toEqual([['/connections/accept/:id', 'Accept Meera Joshi']]);
  });

  it('queues a new request after a sent removal', async () => {
    await connection('accepted', true);
    await leave((await disconnect(ports, whom, 'remove', '9')).op);
    await connect(ports, whom, 'Once more');
    expect(await getRelation()).toBe('pending');
    expect((await readNetwork(ports.db)).connections).toMatchObject([
      { value: 'pending', syncState: 'phone', connectionId: null },
    ]);
  });

  it('deletes all local data about a blocked person', async () => {
    const visit = (address: string, user_id: string) =>
      ports.db.visited.put({
        address,
        id: user_id,
        profile: { user_id },
        rows: {},
        others: [],
        tags: {},
        openedAt: 1,
        kept: true,
      });
    await visit('meera', '3');
    await visit('zoya', '4');
    const found = (address: string, user_id: string) =>
      ports.db.seen.put({ address, at: 1, person: { row: { facts: { user_id } } } as SearchHit['person'] });
    await found('meera', '3');
    await found('zoya', '4');
    const people = ['3', '4'].map((user_id) => ({ user_id }) as Connection);
    await ports.db.meta.put({ k: 'suggestions', people });
    await disconnect(ports, whom, 'block', null);
    expect((await ports.db.visited.toArray()).map(({ address }) => address)).toEqual(['zoya']);
    expect((await ports.db.seen.toArray()).map(({ address }) => address)).toEqual(['zoya']);
    expect(await ports.db.meta.get('suggestions')).toMatchObject({ people: [{ user_id: '4' }] });
  });

  it('keeps the connection when the server refused', async () => {
    await connection('accepted', true);
    const { op } = await disconnect(ports, whom, 'remove', '9');
    await ports.db.outbox.where('op').equals(op!).modify({ state: 'attention', reason: 'forbidden' });
    expect(await readConnectionState(ports.db, '3', null)).toMatchObject({
      value: 'connected',
      syncState: 'needs',
      connectionId: '9',
    });
    await disconnect(ports, whom, 'remove', '9');
    expect((await rows()).map((row) => row.state)).toEqual(['queued']);
  });
});

describe('seen notifications', () => {
  it('are marked by id in one row until it is sent', async () => {
    for (const id of ['1', '2', '3']) {
      const body = {
        id,
        type: 'profile.saved',
        actor: { user_id: '9' },
        data: {},
        read_at: id === '3' ? '2026-11-21' : null,
        created_at: `2026-11-2${id}`,
      };
      await ports.db.records.put({ type: 'notification', id, parent: null, body, version: null });
    }
    const { op } = await markSeen(ports, seen('1'));
    expect((await listNotifications(ports.db)).map(({ news, isNew }) => [news.id, isNew])).toEqual([
      ['3', false],
      ['2', true],
      ['1', false],
    ]);
    expect(await markSeen(ports, seen('1', '2'))).toEqual({ op });
    expect((await rows()).map((row) => row.patch.ids)).toEqual([['1', '2']]);
    await leave(op);
    await markSeen(ports, seen('2', '4'));
    expect((await rows()).map((row) => row.patch)).toEqual([
      { ids: ['1', '2'], created_at: { 1: '2026-11-21', 2: '2026-11-22' } },
      { ids: ['4'], created_at: { 4: '2026-11-24' } },
    ]);
    expect((await rows()).map((row) => getOperation(row).endpoint(row)?.path)).toEqual([
      '/notifications/read',
      '/notifications/read',
    ]);
  });
});

describe('a notification that is raised again after it was seen', () => {
  const raise = (created_at: string) => {
    const body = { id: '1', type: 'profile.saved', actor: { user_id: '9' }, data: {}, read_at: null, created_at };
    return ports.db.records.put({ type: 'notification', id: '1', parent: null, body, version: null });
  };
  const isNew = async () => (await listNotifications(ports.db))[0]?.isNew;
  const FIRST = '2026-11-21T10:00:00.000Z';
  const AGAIN = '2026-11-21T11:00:00.000Z';

  it('is new although the earlier one still waits to be marked', async () => {
    await raise(FIRST);
    await markSeen(ports, [{ id: '1', created_at: FIRST }]);
    expect(await isNew()).toBe(false);
    await raise(AGAIN);
    expect(await isNew()).toBe(true);
    await markSeen(ports, [{ id: '1', created_at: AGAIN }]);
    expect(await isNew()).toBe(false);
    expect((await rows()).map((row) => row.patch)).toEqual([{ ids: ['1'], created_at: { 1: AGAIN } }]);
  });

  it('stays new when the server has marked the earlier one', async () => {
    await raise(FIRST);
    await markSeen(ports, [{ id: '1', created_at: FIRST }]);
    await raise(AGAIN);
    const [row] = await rows();
    await markSeenOperation.acknowledge(row as never, {} as never, { db: ports.db, now: 0 } as never);
    await ports.db.outbox.clear();
    expect(await isNew()).toBe(true);
  });

  it('is not new when an older version marked it without a time', async () => {
    await raise(AGAIN);
    const row = outboxRow({ kind: 'seen', type: 'notification', target: 'seen', lane: 'seen', patch: { ids: ['1'] } });
    await ports.db.outbox.put(row);
    expect(await isNew()).toBe(false);
  });
});

it('marks every notification as seen, in batches of the server’s limit', async () => {
  const ids = Array.from({ length: 1203 }, (_, n) => String(n));
  await markSeen(ports, seen(...ids.slice(0, 499)));
  await markSeen(ports, seen(...ids));
  const sent = (await rows()).map((row) => row.patch.ids as string[]);
  expect(sent.map((each) => each.length)).toEqual([500, 500, 203]);
  expect(sent.flat()).toEqual(ids);
});

it('does not show a message notification as new when the conversation was read', async () => {
  const news = {
    id: '1',
    type: 'message.received',
    actor: { user_id: '9' },
    read_at: null,
    created_at: '2026-11-21',
    data: { conversation_id: '4' },
  };
  await ports.db.records.put({ type: 'notification', id: '1', parent: null, body: news, version: null });
  const conversation = { id: '4', last_message: { seq: 3 } };
  await ports.db.records.put({ type: 'conversation', id: '4', parent: null, body: conversation, version: null });
  const isNew = async () => (await listNotifications(ports.db))[0]?.isNew;
  expect(await isNew()).toBe(true);
  const reading = { conversation: '4', has: 3, toldRead: 0, toldHas: 0 };
  await ports.db.readings.put({ ...reading, read: 2 });
  expect(await isNew()).toBe(true);
  await ports.db.readings.put({ ...reading, read: 3 });
  expect(await isNew()).toBe(false);
});

describe('the response to an intent', () => {
  it('keeps the rules that a refused request breaks', () => {
    const breaches = [{ rule: 'notice', text: 'Too short.', for_minors: true }];
    const ask = { kind: 'act', type: 'request', patch: { act: 'ask', fields: {}, title: '' } } as const;
    const refusal = { ...answer(422), body: { message: 'No', errors: { rules: ['Too short.'] }, breaches } };
    expect(classify(ask, refusal, fullApi)).toMatchObject({
      do: 'needs',
      error: { errors: { rules: ['Too short.'] }, breaches },
    });
  });

  it('retries an upload later when the server’s disk is full', () => {
    const upload = { kind: 'upload', type: 'upload', patch: {} } as const;
    expect(classify(upload, answer(507), fullApi)).toMatchObject({
      do: 'again',
      isServerError: false,
      afterMs: 300_000,
    });
  });

  it('passes the server’s message on', () => {
    const readable = { ...answer(201), body: { message: 'Connection request sent', data: { id: 9 } } };
    expect(classify(asked, readable, fullApi)).toMatchObject({ do: 'done', serverMessage: 'Connection request sent' });
  });

  it('does not treat 404 as done when the basic API lacks the endpoint', () => {
    const intent = { kind: 'delete', type: 'connection', patch: { way: 'remove' } } as const;
    expect(classify(intent, answer(404), fullApi)).toMatchObject({ do: 'done' });
    expect(classify(intent, answer(404), basicApi)).toMatchObject({ reason: 'unknown-op' });
    expect(classify(intent, answer(409), fullApi)).toMatchObject({ do: 'needs', reason: 'invalid' });
  });

  const answer = (status: number, headers: Record<string, string> = {}) => ({
    status,
    header: (name: string) => headers[name] ?? null,
    body: { message: 'No' },
    redirected: false,
  });
  const asked = { kind: 'connect', type: 'person', patch: {} } as const;

  it('delays only that request after 429, within the planner’s longest back-off', () => {
    const verdict = classify(asked, answer(429, { 'retry-after': '3600' }), fullApi);
    expect(verdict).toMatchObject({ do: 'again', afterMs: 9 * 60_000, unknown: false });
  });

  it('treats 404 as done for an unsave and asks about every other intent', () => {
    const save = { kind: 'save', type: 'saved_profile', patch: { saved: true } } as const;
    expect(classify({ ...save, patch: { saved: false } }, answer(404), fullApi)).toMatchObject({ do: 'done' });
    expect(classify(save, answer(404), fullApi)).toMatchObject({ do: 'needs', reason: 'gone' });
    expect(classify(asked, answer(409), fullApi)).toMatchObject({ do: 'needs', reason: 'invalid' });
  });
});

it('reads connections from the three lists of the basic API', async () => {
  const connection = (id: number, status: string, user_id: number | string) => ({
    id,
    status,
    user_id,
    connected_user_id: user_id === 'u1' ? 30 + id : 'u1',
    name: `Tie ${id}`,
    updated_at: `2026-11-2${id}T09:00:00Z`,
  });
  const lists: Record<string, unknown> = {
    '/profiles/all': [],
    '/connections/requests/received': [connection(1, 'pending', 31)],
    '/connections/requests/sent': [connection(2, 'pending', 'u1')],
    '/connections/accepted': [connection(3, 'accepted', 33)],
  };
  const send = ({ path }: { path: string }) =>
    Promise.resolve({ status: 200, header: () => null, body: lists[path], redirected: false });
  const seen = async () => {
    await pullLists(ports.db, { ...ports, transport: { send } } as never);
    return (await readNetwork(ports.db)).connections.map(({ name, value: is, userId }) => [name, is, userId]);
  };
  expect(await seen()).toEqual([
    ['Tie 3', 'connected', '33'],
    ['Tie 2', 'pending', '32'],
    ['Tie 1', 'asked', '31'],
  ]);
  lists['/connections/requests/received'] = [];
  lists['/connections/accepted'] = [connection(1, 'accepted', 31)];
  lists['/connections/requests/sent'] = [];
  expect(await seen()).toEqual([['Tie 1', 'connected', '31']]);
});
