import { IDBFactory, IDBKeyRange } from 'fake-indexeddb';
import { beforeEach, describe, expect, it } from 'vitest';
import { AccountDb } from '#db/database.ts';
import { queueSummary } from '#db/queue-summary.ts';
import { sectionItems } from '#db/single-items.ts';
import { listWaiting } from '#sync/queue/waiting.ts';
import { sectionOf } from '#contract/sections/index.ts';
import type { OutboxRow } from '#db/rows.ts';
import type { WireAnswer, WireRequest } from '#net/wire.ts';
import { acknowledge } from '#sync/send/acknowledge.ts';
import { readWithTag } from '#sync/server/basic/read-list.ts';
import type { CommitContext } from '#sync/send/attention.ts';
import { outboxRow } from '../support/outbox-row.ts';
import { discard, resolveConflict, retryWithEdits, sendAgain } from '#sync/queue/resolutions.ts';
import { create, type OutboxPorts, remove, UNDO_MS, update } from '#sync/queue/outbox.ts';
import * as conflictTools from '#sync/conflict/tools.ts';
import type { EnginePorts } from '#sync/engine-ports.ts';
import { createEngine } from '#sync/engine.ts';
import { learnApi } from '#sync/server/learn.ts';
import { limitTransport } from '#sync/send/rate-limit.ts';
import { pullChanges } from '#sync/pull/pull.ts';
import { jsonRequest } from '#sync/operations/build-request.ts';
import { Sender } from '#sync/send/sender.ts';
import { openSealed } from '#sync/sealed/open.ts';
import { sealOutbox } from '#sync/sealed/seal.ts';
import { LOCAL } from '#db/canonical.ts';

const features = { idempotency_keys: true, client_ids: true, versions: true, uploads: true, sync: true };
const links = sectionOf('social_link')!;

let db: AccountDb;
let ports: OutboxPorts;
let sent: WireRequest[];
let now: number;
/** The server's response to a write. */
let answer: (request: WireRequest) => { status: number; body: unknown };

const wire = (status: number, body: unknown): WireAnswer => ({ status, body, redirected: false, header: () => null });

function createPorts(): EnginePorts {
  return {
    clock: { now: () => now, after: () => () => undefined },
    chance: ports.chance,
    transport: {
      send: (request) => {
        if (request.path === '/config') return Promise.resolve(wire(200, { features }));
        sent.push(request);
        const { status, body } = answer(request);
        return Promise.resolve(wire(status, body));
      },
    },
    lock: { tryRun: () => Promise.resolve(true) },
    digest: () => Promise.resolve(''),
    loadConflictTools: () => Promise.resolve(conflictTools),
  };
}

const drain = () => new Sender(db, createPorts(), 60_000).run();
const rows = () => db.outbox.orderBy('seq').toArray();
const bodyOf = ({ body }: WireRequest) => (body?.kind === 'json' ? (body.value as Record<string, unknown>) : {});

beforeEach(async () => {
  db = new AccountDb('test', 'u1', { indexedDB: new IDBFactory(), IDBKeyRange });
  ports = {
    db,
    clock: { now: () => now, after: () => () => undefined },
    chance: { uuid: () => crypto.randomUUID(), random: () => 0.5 },
  };
  sent = [];
  now = 1_000_000;
  await db.records.put({ type: 'profile', id: '7', parent: null, body: { id: '7', version: 1 }, version: 1 });
});

describe('a second local id of a server record', () => {
  const stored = { id: 5, profile_id: 7, version: 2, client_id: 'first', website_url: 'https://meera.example' };

  it('is acknowledged, and edits under either id share one lane', async () => {
    const first = await create(ports, 'social_link', '7', { website_url: null });
    answer = () => ({ status: 201, body: { data: { ...stored, version: 1, website_url: null } } });
    await drain();
    // Simulates a tab of an earlier version, which queued a second create instead of editing the first row.
    await db.outbox.add({ ...blank(), op: 'op-2', target: 'L_second', lane: 'social_link:L_second' });
    await update(ports, 'social_link', 'L_second', { facebook_url: 'https://facebook.com/meera' });
    await db.outbox
      .where('op')
      .equals('op-2')
      .modify({ patch: { website_url: stored.website_url } });
    answer = () => ({ status: 200, body: { data: stored } });
    await drain();
    expect(await rows()).toEqual([]);
    const items = await sectionItems(db, links, '7');
    expect(items.map(({ id, serverId, aliases }) => [id, serverId, aliases])).toEqual([[first.id, '5', ['L_second']]]);
    await update(ports, 'social_link', 'L_second', { threads_url: 'https://threads.net/meera' });
    expect((await rows()).map(({ target, lane }) => [target, lane])).toEqual([[first.id, `social_link:${first.id}`]]);
  });

  it('moves the rows behind it into the lane of the first id', async () => {
    const first = await create(ports, 'social_link', '7', { website_url: null });
    answer = () => ({ status: 201, body: { data: { ...stored, version: 1, website_url: null } } });
    await drain();
    await db.outbox.add({ ...blank(), target: 'L_second', lane: 'social_link:L_second', sentOnce: true });
    await update(ports, 'social_link', 'L_second', { facebook_url: 'https://facebook.com/meera' });
    answer = ({ method }) =>
      method === 'POST' ? { status: 200, body: { data: stored } } : { status: 503, body: null };
    await drain();
    expect((await rows()).map(({ kind, target, lane }) => [kind, target, lane])).toEqual([
      ['update', first.id, `social_link:${first.id}`],
    ]);
  });

  it('is created when the delete of the first record may have been sent', async () => {
    await db.records.put({ type: 'social_link', id: '5', parent: '7', body: stored, version: 2 });
    const { op } = await remove(ports, 'social_link', '5');
    await db.outbox.where('op').equals(op).modify({ sentOnce: true });
    await create(ports, 'social_link', '7', { threads_url: 'https://threads.net/meera' });
    expect((await rows()).map(({ kind }) => kind)).toEqual(['delete', 'create']);
  });

  it('is not created when the list has a record: that record is edited', async () => {
    await db.records.put({ type: 'social_link', id: '5', parent: '7', body: stored, version: 2 });
    const made = await create(ports, 'social_link', '7', {
      facebook_url: 'https://facebook.com/meera',
      threads_url: null,
    });
    expect(made.id).toBe('5');
    expect(await rows()).toMatchObject([
      { kind: 'update', target: '5', patch: { facebook_url: 'https://facebook.com/meera' }, baseVersion: 2 },
    ]);
  });

  it('is not created while the first create is queued: both merge into one', async () => {
    const first = await create(ports, 'social_link', '7', { website_url: 'https://meera.example' });
    const second = await create(ports, 'social_link', '7', { facebook_url: 'https://facebook.com/meera' });
    expect(second.id).toBe(first.id);
    expect(await rows()).toMatchObject([
      { kind: 'create', patch: { website_url: 'https://meera.example', facebook_url: 'https://facebook.com/meera' } },
    ]);
  });
});

describe('links that two devices filled in independently', () => {
  const mine = 'https://facebook.com/mine';
  const theirs = 'https://facebook.com/theirs';
  const website = 'https://meera.example';
  const empty = { facebook_url: null, instagram_url: null, threads_url: null, youtube_url: null, website_url: null };
  let stored: Record<string, unknown>;

  /** Stores another device's links and answers requests for them. */
  const beside = (fields: Record<string, unknown>) => {
    stored = { id: 5, profile_id: 7, client_id: 'other', version: 1, ...empty, ...fields };
    answer = (request) => {
      const { method, headers } = request;
      const filled = Object.entries(bodyOf(request)).filter(([field, value]) => field in empty && value !== null);
      const replaces = filled.some(([field, value]) => stored[field] !== null && stored[field] !== value);
      const isLate = 'if-match' in headers && headers['if-match'] !== `"${String(stored.version)}"`;
      if (isLate || (headers['if-none-match'] === '*' && replaces)) {
        return { status: 412, body: { message: 'Changed elsewhere', data: stored } };
      }
      if (method === 'DELETE') return { status: 200, body: { message: 'Deleted' } };
      const given = method === 'PATCH' ? bodyOf(request) : Object.fromEntries(filled);
      stored = { ...stored, ...given, version: Number(stored.version) + 1 };
      return { status: 200, body: { data: stored } };
    };
  };
  const fill = (fields: Record<string, unknown>) => create(ports, 'social_link', '7', { ...empty, ...fields });
  /** Marks the row as sent, so that a later edit gets its own row. */
  const alreadyLeft = (op: string | null) => db.outbox.where('op').equals(op!).modify({ sentOnce: true });
  const shown = async () => (await sectionItems(db, links, '7')).map(({ body }) => body);

  it('become a conflicting edit of the existing record when both wrote one field', async () => {
    const made = await fill({ facebook_url: mine, website_url: website });
    beside({ facebook_url: theirs, youtube_url: 'https://youtube.com/@meera' });
    await drain();
    expect(stored.facebook_url).toBe(theirs);
    expect(await rows()).toMatchObject([
      {
        kind: 'update',
        target: made.id,
        state: 'attention',
        reason: 'conflict',
        patch: { facebook_url: mine, website_url: website },
        theirs: { body: { facebook_url: theirs }, version: 1 },
      },
    ]);
    expect(await sectionItems(db, links, '7')).toMatchObject([{ id: made.id, serverId: '5' }]);
    expect((await listWaiting(db, 0)).needs).toMatchObject([
      { op: made.op, title: expect.stringContaining('Facebook') },
    ]);
  });

  it.each(['mine', 'theirs'] as const)('keep %s in the conflicting field and all other fields', async (choice) => {
    const made = await fill({ facebook_url: mine, website_url: website });
    beside({ facebook_url: theirs, youtube_url: 'https://youtube.com/@meera' });
    await drain();
    await resolveConflict(ports, made.op!, { facebook_url: choice });
    await drain();
    expect(await rows()).toEqual([]);
    expect(stored).toMatchObject({
      facebook_url: choice === 'mine' ? mine : theirs,
      youtube_url: 'https://youtube.com/@meera',
      website_url: website,
    });
    expect(await shown()).toMatchObject([{ ...stored }]);
    const [first, second] = sent;
    expect([first?.method, second?.method, second?.headers['if-match']]).toEqual(['POST', 'PATCH', '"1"']);
    expect(second?.headers['idempotency-key']).not.toBe(first?.headers['idempotency-key']);
  });

  it('are acknowledged without a conflict when both wrote the same value', async () => {
    await fill({ facebook_url: theirs, website_url: website });
    beside({ facebook_url: theirs });
    await drain();
    expect(sent.map(({ method }) => method)).toEqual(['POST']);
    expect(await rows()).toEqual([]);
  });

  it('keep a field that only the other device filled in', async () => {
    await fill({ website_url: website });
    beside({ facebook_url: theirs });
    await drain();
    expect(await rows()).toEqual([]);
    expect(stored).toMatchObject({ facebook_url: theirs, website_url: website });
  });

  it.each([{ facebook_url: mine }, { website_url: website }])(
    'ask about a queued edit that would replace an unseen value: %o',
    async (first) => {
      const made = await fill(first);
      await alreadyLeft(made.op);
      await update(ports, 'social_link', made.id, { youtube_url: 'https://youtube.com/@mine' });
      beside({ facebook_url: theirs, youtube_url: 'https://youtube.com/@theirs' });
      await drain();
      await resolveConflict(ports, made.op!, { facebook_url: 'mine' });
      await drain();
      expect(stored).toMatchObject({ ...first, youtube_url: 'https://youtube.com/@theirs' });
      expect(await rows()).toMatchObject([{ kind: 'update', state: 'attention', reason: 'conflict' }]);
    },
  );

  it.each(['mine', 'theirs'] as const)(
    'ask once, about the latest value, when a queued edit changed the field again: %s',
    async (choice) => {
      const made = await fill({ facebook_url: mine });
      await alreadyLeft(made.op);
      const mended = 'https://facebook.com/mended';
      const edit = await update(ports, 'social_link', made.id, { facebook_url: mended });
      beside({ facebook_url: theirs });
      await drain();
      expect(await rows()).toMatchObject([{ state: 'attention', reason: 'conflict', patch: { facebook_url: mended } }]);
      await resolveConflict(ports, edit.op!, { facebook_url: choice });
      await drain();
      expect(await rows()).toEqual([]);
      expect(stored.facebook_url).toBe(choice === 'mine' ? mended : theirs);
    },
  );

  it('are not deleted by a user who has not seen the other device’s links', async () => {
    const made = await fill({ facebook_url: mine });
    await alreadyLeft(made.op);
    await remove(ports, 'social_link', made.id);
    now += 10_000;
    beside({ facebook_url: theirs });
    await drain();
    expect(sent.map(({ method }) => method)).toEqual(['POST', 'DELETE']);
    expect(await rows()).toMatchObject([{ kind: 'delete', state: 'attention', reason: 'conflict' }]);
  });
});

describe('links of which two devices cleared one each', () => {
  const before = {
    id: 5,
    version: 1,
    facebook_url: 'https://facebook.com/meera',
    website_url: 'https://meera.example',
  };
  const theirs = { ...before, version: 2, facebook_url: null };
  const clearWebsite = async () => {
    await db.records.put({ type: 'social_link', id: '5', parent: '7', body: before, version: 1 });
    await update(ports, 'social_link', '5', { website_url: null });
  };

  it('deletes the record when none is left', async () => {
    await clearWebsite();
    answer = ({ method, headers }) => {
      if (headers['if-match'] === '"1"') return { status: 412, body: { message: 'Changed elsewhere', data: theirs } };
      if (method === 'DELETE') return { status: 200, body: { message: 'Deleted' } };
      return { status: 422, body: { message: 'Not saved', errors: { facebook_url: ['Add at least one link'] } } };
    };
    await drain();
    expect(sent.map(({ method, headers }) => [method, headers['if-match']])).toEqual([
      ['PATCH', '"1"'],
      ['DELETE', '"2"'],
    ]);
    expect(await rows()).toEqual([]);
    expect(await sectionItems(db, links, '7')).toEqual([]);
  });

  it('keeps the record when the other device added a link meanwhile', async () => {
    await clearWebsite();
    const stored = { ...theirs, threads_url: 'https://threads.net/@meera' };
    answer = ({ headers, body }) =>
      headers['if-match'] === '"1"'
        ? { status: 412, body: { message: 'It has been changed on another device', data: stored } }
        : {
            status: 200,
            body: { data: { ...stored, ...(body?.kind === 'json' ? (body.value as object) : {}), version: 3 } },
          };
    await drain();
    expect(sent.map(({ method }) => method)).toEqual(['PATCH', 'PATCH']);
    expect((await sectionItems(db, links, '7'))[0]?.body).toMatchObject({
      website_url: null,
      threads_url: 'https://threads.net/@meera',
    });
  });
});

it('asks about the other device’s value when an edit before it turns out to be the same on both', async () => {
  const before = { id: 5, version: 1, facebook_url: null, website_url: null };
  await db.records.put({ type: 'social_link', id: '5', parent: '7', body: before, version: 1 });
  const { op } = await update(ports, 'social_link', '5', { website_url: 'https://meera.example' });
  await db.outbox.where('op').equals(op!).modify({ sentOnce: true });
  await update(ports, 'social_link', '5', { facebook_url: 'https://facebook.com/mine' });
  const stored = {
    ...before,
    version: 2,
    website_url: 'https://meera.example',
    facebook_url: 'https://facebook.com/theirs',
  };
  answer = ({ headers, body }) =>
    headers['if-match'] === '"1"'
      ? { status: 412, body: { message: 'Changed elsewhere', data: stored } }
      : { status: 200, body: { data: { ...stored, ...(body as { value: object }).value, version: 3 } } };
  await drain();
  expect(await rows()).toMatchObject([
    { state: 'attention', reason: 'conflict', theirs: { body: { facebook_url: 'https://facebook.com/theirs' } } },
  ]);
});

describe('the response to a profile photo', () => {
  const answerWith = (record: Record<string, unknown>) =>
    db.transaction('rw', db.tables, async () => {
      const row = outboxRow({ kind: 'avatar', type: 'profile', target: '7', lane: 'avatar:7' });
      await acknowledge({ ...ports, server: null } as unknown as CommitContext, row, { record, existed: false });
    });
  const shown = async () => {
    const { body, version } = (await db.records.get(['profile', '7']))!;
    return [body.profile_photo, body.version, version];
  };
  beforeEach(async () => {
    const body = { id: '7', profile_photo: '/storage/newer.jpg', version: 5 };
    await db.records.put({ type: 'profile', id: '7', parent: null, body, version: 5 });
  });

  it('does not restore an earlier picture when its version is older than the local profile', async () => {
    await answerWith({ profile_photo: '/storage/earlier.jpg', version: 4 });
    expect(await shown()).toEqual(['/storage/newer.jpg', 5, 5]);
  });

  it('stores picture and version when it is the next version', async () => {
    await answerWith({ profile_photo: '/storage/next.jpg', version: 6 });
    expect(await shown()).toEqual(['/storage/next.jpg', 6, 6]);
  });

  it('stores only the picture when it skips versions', async () => {
    await answerWith({ profile_photo: '/storage/next.jpg', version: 8 });
    expect(await shown()).toEqual(['/storage/next.jpg', 5, 5]);
  });
});

it('resends a refused edit from before the first pull without the version that a later edit saw', async () => {
  const row = { ...blank(), kind: 'update' as const, type: 'skill', target: '5', lane: 'skill:5', baseVersion: null };
  const refused = { state: 'attention' as const, reason: 'invalid' as const, sentOnce: true };
  await db.outbox.add({ ...row, ...refused, op: 'op-1', patch: { level: 9 } });
  await db.outbox.add({ ...row, op: 'op-2', patch: { name: 'Fencing' }, base: { name: 'Riding' }, baseVersion: 4 });
  await retryWithEdits(ports, { op: 'op-1', type: 'skill', id: '5' }, { level: 2 });
  expect(await rows()).toMatchObject([{ patch: { level: 2, name: 'Fencing' }, baseVersion: 0 }]);
});

describe('a response that this device cannot store', () => {
  /** Makes storing this record throw. */
  function breakOn(id: string, error: Error) {
    db.records.hook('creating', (key: unknown) => {
      if ((key as [string, string])[1] === id) throw error;
    });
  }
  const serve = () => {
    let minted = 100;
    answer = (request) => ({ status: 201, body: { data: { ...bodyOf(request), id: (minted += 1), version: 1 } } });
  };

  it('marks its change as needing attention and sends all other changes', async () => {
    for (const name of ['Fencing', 'Riding', 'Singing', 'Stunts']) await create(ports, 'skill', '7', { name });
    serve();
    breakOn('101', new TypeError('Cannot read it'));
    await drain();
    expect(await rows()).toMatchObject([
      { state: 'attention', reason: 'failed', lastError: { message: 'TypeError: Cannot read it' } },
    ]);
    expect(sent).toHaveLength(4);
  });

  it('requeues its change when storage is full and sends all other changes', async () => {
    for (const name of ['Fencing', 'Riding', 'Singing', 'Stunts']) await create(ports, 'skill', '7', { name });
    serve();
    breakOn('101', new DOMException('No room', 'QuotaExceededError'));
    await drain();
    expect(await rows()).toMatchObject([{ state: 'queued', lastError: { message: 'No room left on this device' } }]);
  });

  it('is requested again under the same idempotency key', async () => {
    const { op } = await create(ports, 'skill', '7', { name: 'Fencing' });
    serve();
    let isBroken = true;
    db.records.hook('creating', () => {
      if (isBroken) throw new TypeError('Cannot read it');
    });
    await drain();
    isBroken = false;
    await sendAgain(ports, op!);
    await drain();
    expect(await rows()).toEqual([]);
    expect(sent.map(({ headers }) => headers['idempotency-key'])).toEqual([op, op]);
  });

  it('is retried automatically after a day', async () => {
    await create(ports, 'skill', '7', { name: 'Fencing' });
    serve();
    let isBroken = true;
    db.records.hook('creating', () => {
      if (isBroken) throw new TypeError('Cannot read it');
    });
    await drain();
    isBroken = false;
    now += 23 * 3_600_000;
    await drain();
    expect(await rows()).toHaveLength(1);
    now += 2 * 3_600_000;
    await drain();
    expect(await rows()).toEqual([]);
  });
});

describe('a change that this device cannot send', () => {
  const expectOneNeedsAttention = async () => {
    expect(await rows()).toMatchObject([
      { patch: { name: 'Fencing' }, reason: 'failed', lastError: { message: 'TypeError: Cannot read it' } },
    ]);
    expect(sent.map((request) => bodyOf(request).name)).toEqual(
      expect.arrayContaining(['Riding', 'Singing', 'Stunts']),
    );
  };
  beforeEach(async () => {
    for (const name of ['Fencing', 'Riding', 'Singing', 'Stunts']) await create(ports, 'skill', '7', { name });
    answer = (request) => ({ status: 201, body: { data: { ...bodyOf(request), id: sent.length, version: 1 } } });
  });

  it('waits with its error when it cannot be claimed, while all others are sent', async () => {
    db.outbox.hook('updating', (changes, _, { patch }) => {
      if (patch.name === 'Fencing' && 'attempt' in changes) throw new TypeError('Cannot read it');
    });
    await drain();
    await expectOneNeedsAttention();
  });

  it('waits with its error when its request throws, while all others are sent', async () => {
    const serve = answer;
    answer = (request) => {
      if (bodyOf(request).name === 'Fencing') throw new TypeError('Cannot read it');
      return serve(request);
    };
    await drain();
    await expectOneNeedsAttention();
  });
});

const blank = (): Omit<OutboxRow, 'seq'> => ({
  op: crypto.randomUUID(),
  v: 1,
  kind: 'create',
  type: 'social_link',
  target: '',
  parent: '7',
  patch: {},
  base: {},
  baseVersion: null,
  lane: '',
  deps: [],
  state: 'queued',
  tries: 0,
  sentOnce: false,
  trouble: 0,
  notBefore: 0,
  createdAt: 0,
});

describe('a queued row that this version of the app cannot read', () => {
  const strange = {
    'of an unknown kind': { kind: 'archive', type: 'skill', target: '3', lane: 'skill:3' },
    'of an unknown type': { kind: 'create', type: 'hologram', target: 'L_h', lane: 'hologram:L_h' },
    'without deps': { kind: 'create', type: 'skill', target: 'L_s', lane: 'skill:L_s', deps: undefined },
    'without a patch': { kind: 'update', type: 'skill', target: '3', lane: 'skill:3', patch: undefined },
    'from a newer app': { kind: 'update', type: 'skill', target: '3', lane: 'skill:3', v: 2 },
    'with hardly anything': { type: undefined, target: undefined, patch: undefined, base: undefined, deps: undefined },
  };

  it.each(Object.entries(strange))(
    '%s waits for the person and blocks neither pulls, screens nor other changes',
    async (_, odd) => {
      await db.outbox.add({ ...blank(), lane: 'odd', ...odd } as never);
      await create(ports, 'skill', '7', { name: 'Fencing' });
      answer = (request) =>
        request.method === 'GET'
          ? {
              status: 200,
              body: {
                records: [
                  { type: 'skill', id: '40', parent: '7', body: { id: 40, name: 'Riding', version: 1 } },
                  { type: 'skill', id: '3', parent: '7', body: null },
                ],
                cursor: 'c1',
                has_more: false,
              },
            }
          : { status: 201, body: { data: { id: 41, version: 1, name: 'Fencing' } } };
      expect(await pullChanges(db, createPorts())).toBe('done');
      expect((await sectionItems(db, sectionOf('skill')!, '7')).map(({ body }) => body.name)).toEqual(
        expect.arrayContaining(['Fencing', 'Riding']),
      );
      expect((await listWaiting(db, 0)).moving).toHaveLength(2);
      await drain();
      expect(await rows()).toMatchObject([{ state: 'attention', reason: 'unknown-op' }]);
      expect(sent.filter(({ method }) => method !== 'GET')).toHaveLength(1);
      expect(await queueSummary(db)).toMatchObject({ waiting: 0, needs: 1 });
      expect((await listWaiting(db, 0)).needs).toHaveLength(1);
    },
  );
});

describe('a page of a captive portal, proxy or gateway', () => {
  it.each([200, 201, 401, 403, 404, 410, 413, 419, 422, 429, 503])(
    'with status %i neither acknowledges, pauses, deletes nor signs out',
    async (status) => {
      await create(ports, 'skill', '7', { name: 'Fencing' });
      await db.outbox.add({ ...blank(), kind: 'delete', type: 'skill', target: '3', lane: 'skill:3' });
      for (const body of [undefined, {}, [], { error: 'Sign in to the Wi-Fi' }]) {
        answer = () => ({ status, body });
        await drain();
        expect((await rows()).map(({ state, reason }) => [state, reason])).toEqual([
          ['queued', undefined],
          ['queued', undefined],
        ]);
        expect(await db.meta.get('auth-paused')).toBeUndefined();
        expect(await db.meta.get('quiet')).toBeUndefined();
        expect(await pullChanges(db, createPorts())).toBe('unreachable');
        now += 600_000;
      }
    },
  );

  it.each([429, 503])('with status %i sets no rate limit even with Retry-After', async (status) => {
    const header = (name: string) => (name === 'retry-after' ? '60' : null);
    const respond = (body: unknown) => ({ send: () => Promise.resolve({ ...wire(status, body), header }) });
    const { clock } = createPorts();
    const ask = (body: unknown) =>
      limitTransport(db, { clock, transport: respond(body) }).send(jsonRequest('GET', '/sync'), { userId: 'u1' });
    for (const body of [undefined, {}, [], { error: 'Sign in to the Wi-Fi' }]) {
      await ask(body);
      expect(await db.meta.get('quiet')).toBeUndefined();
    }
    await ask({ message: 'Later' });
    expect(await db.meta.get('quiet')).toMatchObject({ until: now + 60_000 });
  });

  it('with status 410 does not reset the sync cursor', async () => {
    const mirror = () => pullChanges(db, createPorts());
    await db.cursors.put({ resource: 'sync', value: 'c0' });
    answer = () => ({ status: 410, body: undefined });
    expect(await mirror()).toBe('unreachable');
    expect(await db.cursors.get('sync')).toMatchObject({ value: 'c0' });
  });

  it('with status 404 does not mean that the basic API lacks the list', async () => {
    const list = async (body: unknown) => {
      answer = () => ({ status: 404, body });
      return readWithTag(db, createPorts(), '/notifications');
    };
    expect(await list(undefined)).toBe('unreachable');
    expect(await list({ message: 'No such address' })).toMatchObject({ tag: null, body: undefined });
  });

  it('in place of /config does not mean that the server lacks idempotency keys', async () => {
    const gateway = (body: unknown) => ({ transport: { send: () => Promise.resolve(wire(404, body)) } });
    expect(await learnApi(db, gateway(undefined))).toBeNull();
    expect(await learnApi(db, gateway({ message: 'No such address' }))).toBe('basic');
  });
});

it('arms a timer when the store fails during Try now', async () => {
  const timers: number[] = [];
  const clock = { now: () => now, after: (ms: number) => (timers.push(ms), () => undefined) };
  const engine = createEngine(db, {
    ...createPorts(),
    clock,
    lock: { tryRun: () => Promise.reject(new Error('Lost')) },
  });
  engine.start();
  await expect(engine.tryNow()).rejects.toThrow('Lost');
  expect(timers).not.toEqual([]);
  await engine.stop();
});

it('keeps one timer armed when the store fails during Try now after a successful run', async () => {
  const armed = new Set<symbol>();
  const after = () => {
    const timer = Symbol();
    armed.add(timer);
    return () => void armed.delete(timer);
  };
  let isLost = false;
  const lock = { tryRun: () => (isLost ? Promise.reject(new Error('Lost')) : Promise.resolve(true)) };
  answer = () => ({ status: 200, body: { records: [], cursor: 'c1', has_more: false } });
  const engine = createEngine(db, { ...createPorts(), clock: { now: () => now, after }, lock });
  engine.start();
  await expect.poll(() => db.meta.get('pulled')).toBeDefined();
  expect(armed.size).toBe(1);
  isLost = true;
  await expect(engine.tryNow()).rejects.toThrow('Lost');
  expect(armed.size).toBe(1);
  await engine.stop();
});

it('discards the contents of a new profile with the profile', async () => {
  const profile = await create(ports, 'profile', null, { stage_name: 'Meera' });
  await create(ports, 'skill', profile.id, { name: 'Fencing' });
  await update(ports, 'attribute', profile.id, { Height: 170 });
  await create(ports, 'skill', '7', { name: 'Riding' });
  await discard(ports, profile.op!);
  expect((await rows()).map(({ patch }) => patch.name)).toEqual(['Riding']);
});

it('overwrites no facts that another device gave a new profile before those written with it arrived', async () => {
  const profile = await create(ports, 'profile', null, { stage_name: 'Meera' });
  await update(ports, 'attribute', profile.id, { Height: 170 });
  answer = ({ method }) => {
    if (method === 'GET') return { status: 200, body: { records: [], cursor: 'c1', has_more: false } };
    return { status: 201, body: { message: 'Made', data: { id: 8, version: 1, stage_name: 'Meera' } } };
  };
  await drain();
  expect(sent.find(({ path }) => path === '/attributes')?.headers['if-match']).toBe('"0"');
});

it('asks before an open form overwrites what came meanwhile, but not about the other fields', async () => {
  const theirs = { id: '5', name: 'Sabre', level: 2, version: 4 };
  await db.records.put({ type: 'skill', id: '5', parent: '7', body: theirs, version: 4 });
  await update(ports, 'skill', '5', { name: 'Foil', level: 3 }, { name: 'Fencing', level: 2 });
  answer = ({ headers }) => ({
    status: headers['if-match'] === '"4"' ? 200 : 412,
    body: { message: 'Changed elsewhere', data: theirs },
  });
  await drain();
  expect(await rows()).toMatchObject([
    {
      state: 'attention',
      reason: 'conflict',
      base: { name: 'Fencing', level: 2 },
      theirs: { body: { name: 'Sabre' } },
    },
  ]);
});

it('sends the fields of a corrected medium that the server has without them, but not what kind it is', async () => {
  const link = { media_type: 'video', youtube_url: 'https://youtu.be/dQw4w9WgXcQ' };
  const { id } = await create(ports, 'media', '7', { ...link, name: 'Reel', category_type: 'Scene' });
  const stored = { id: '9', client_id: id.slice(LOCAL.length), version: 2, media_type: 'youtube', name: 'Reel' };
  answer = ({ method, body }) => {
    if (method === 'GET') return { status: 200, body: { records: [], cursor: 'c1', has_more: false } };
    if (method === 'POST') return { status: 200, body: { files: [{ ...stored, metadata: [] }] } };
    const { category_type: value } = (body as { value: { category_type: string } }).value;
    const metadata = [{ key: 'category_type', value }];
    return { status: 200, body: { data: { ...stored, version: 3, metadata } } };
  };
  await drain();
  expect(sent.filter(({ method }) => method === 'PUT').map(bodyOf)).toEqual([
    { profile_id: '7', category_type: 'Scene' },
  ]);
});

it('sends no value of a new profile after the one that replaced it', async () => {
  const profile = await create(ports, 'profile', null, { stage_name: 'Meera', description: 'First' });
  await db.outbox.where('op').equals(profile.op!).modify({ sealedAt: now });
  await update(ports, 'profile', profile.id, { stage_name: 'Meera Iyer' });
  await sealOutbox(db, now);
  await update(ports, 'about_me', profile.id, { description: 'Second' });
  answer = ({ method, body }) => {
    if (method === 'GET') return { status: 200, body: { records: [], cursor: 'c1', has_more: false } };
    if (method === 'POST') return { status: 201, body: { data: { id: 8, version: 1, stage_name: 'Meera' } } };
    const { value } = body as { value: object };
    return { status: 200, body: { data: { ...value, id: 8, version: sent.length } } };
  };
  await drain();
  const descriptions = sent.map((request) => bodyOf(request).description).filter((text) => text !== undefined);
  expect(descriptions.at(-1)).toBe('Second');
});

it('asks about no two values of this device when a create is discarded that another device sent', async () => {
  const made = await create(ports, 'skill', '7', { name: 'Fencing', level: 1 });
  await sealOutbox(db, now);
  await update(ports, 'skill', made.id, { name: 'Sabre' });
  const body = { id: '9', client_id: made.id.slice(LOCAL.length), name: 'Fencing', level: 1, version: 1 };
  await db.records.put({ type: 'skill', id: '9', parent: '7', body, version: 1 });
  await db.ids.put({ local: made.id, type: 'skill', server: '9' });
  await update(ports, 'skill', made.id, { level: 3 });
  await db.outbox.where('op').equals(made.op!).modify({ state: 'attention', reason: 'stale' });
  await discard(ports, made.op!);
  expect(await rows()).toMatchObject([{ patch: { name: 'Sabre', level: 3 }, base: { name: 'Fencing', level: 1 } }]);
});

it('deletes the record of a refused create that another device has corrected and sent', async () => {
  const made = await create(ports, 'skill', '7', { name: 'Fencing' });
  await db.outbox.where('op').equals(made.op!).modify({ state: 'attention', reason: 'invalid', sentOnce: true });
  await db.ids.put({ local: made.id, type: 'skill', server: '9' });
  await remove(ports, 'skill', made.id);
  now += UNDO_MS;
  answer = () => ({ status: 200, body: { message: 'Deleted' } });
  await drain();
  expect(sent.map(({ method, path }) => `${method} ${path}`)).toEqual(['DELETE /skills/9']);
  expect(await rows()).toEqual([]);
});

it('does not bring a deleted record back from the sealed file that has its create and its delete', async () => {
  const made = await create(ports, 'skill', '7', { name: 'Fencing' });
  await remove(ports, 'skill', made.id);
  const { contents } = await sealOutbox(db, now);
  await db.outbox.where('op').equals(made.op!).modify({ state: 'attention', reason: 'forbidden', sentOnce: true });
  now += UNDO_MS;
  await drain();
  expect(await openSealed(ports, contents)).toEqual({ added: 0, known: 2, stale: 0 });
});

it('keeps the edits of a discarded create that the server already stored', async () => {
  const made = await create(ports, 'skill', '7', { name: 'Fencing' });
  await db.outbox.where('op').equals(made.op!).modify({ state: 'attention', reason: 'failed', sentOnce: true });
  await db.ids.put({ local: made.id, type: 'skill', server: '9' });
  await update(ports, 'skill', made.id, { level: 3 });
  await discard(ports, made.op!);
  expect((await rows()).map(({ kind }) => kind)).toEqual(['update']);
});
