import { beforeEach, describe, expect, it } from 'vitest';
import { queueSummary } from '#db/queue-summary.ts';
import { sectionItems } from '#db/single-items.ts';
import { listWaiting } from '#sync/queue/waiting.ts';
import { sectionOf } from '#contract/sections/index.ts';
import { acknowledge } from '#sync/send/acknowledge.ts';
import { readWithTag } from '#sync/server/basic/read-list.ts';
import type { CommitContext } from '#sync/engine-ports.ts';
import { outboxRow } from '../support/outbox-row.ts';
import { sendAgain } from '#sync/queue/resolutions.ts';
import { create } from '#sync/queue/outbox.ts';
import { createEngine } from '#sync/engine.ts';
import { learnApi } from '#sync/server/learn.ts';
import { limitTransport } from '#sync/send/rate-limit.ts';
import { pullChanges } from '#sync/pull/pull.ts';
import { jsonRequest } from '#sync/operations/build-request.ts';
import { blankRow, bodyOf, wire, useSendingDevice } from './sending-device.ts';

const device = useSendingDevice();
const { createPorts, drain, rows } = device;

describe('the response to a profile photo', () => {
  const answerWith = (record: Record<string, unknown>) =>
    device.db.transaction('rw', device.db.tables, async () => {
      const row = outboxRow({ kind: 'avatar', type: 'profile', target: '7', lane: 'avatar:7' });
      await acknowledge({ ...device.ports, server: null } as unknown as CommitContext, row, { record, existed: false });
    });
  const shown = async () => {
    const { body, version } = (await device.db.records.get(['profile', '7']))!;
    return [body.profile_photo, body.version, version];
  };
  beforeEach(async () => {
    const body = { id: '7', profile_photo: '/storage/newer.jpg', version: 5 };
    await device.db.records.put({ type: 'profile', id: '7', parent: null, body, version: 5 });
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

describe('a response that this device cannot store', () => {
  /** Makes storing this record throw. */
  function breakOn(id: string, error: Error) {
    device.db.records.hook('creating', (key: unknown) => {
      if ((key as [string, string])[1] === id) throw error;
    });
  }
  const serve = () => {
    let minted = 100;
    device.answer = (request) => ({
      status: 201,
      body: { data: { ...bodyOf(request), id: (minted += 1), version: 1 } },
    });
  };

  it('marks its change as needing attention and sends all other changes', async () => {
    for (const name of ['Fencing', 'Riding', 'Singing', 'Stunts']) await create(device.ports, 'skill', '7', { name });
    serve();
    breakOn('101', new TypeError('Cannot read it'));
    await drain();
    expect(await rows()).toMatchObject([
      { state: 'attention', reason: 'failed', lastError: { message: 'TypeError: Cannot read it' } },
    ]);
    expect(device.sent).toHaveLength(4);
  });

  it('requeues its change when storage is full and sends all other changes', async () => {
    for (const name of ['Fencing', 'Riding', 'Singing', 'Stunts']) await create(device.ports, 'skill', '7', { name });
    serve();
    breakOn('101', new DOMException('No room', 'QuotaExceededError'));
    await drain();
    expect(await rows()).toMatchObject([{ state: 'queued', lastError: { message: 'No room left on this device' } }]);
  });

  it('is requested again under the same idempotency key', async () => {
    const { op } = await create(device.ports, 'skill', '7', { name: 'Fencing' });
    serve();
    let isBroken = true;
    device.db.records.hook('creating', () => {
      if (isBroken) throw new TypeError('Cannot read it');
    });
    await drain();
    isBroken = false;
    await sendAgain(device.ports, op!);
    await drain();
    expect(await rows()).toEqual([]);
    expect(device.sent.map(({ headers }) => headers['idempotency-key'])).toEqual([op, op]);
  });

  it('is retried automatically after a day', async () => {
    await create(device.ports, 'skill', '7', { name: 'Fencing' });
    serve();
    let isBroken = true;
    device.db.records.hook('creating', () => {
      if (isBroken) throw new TypeError('Cannot read it');
    });
    await drain();
    isBroken = false;
    device.now += 23 * 3_600_000;
    await drain();
    expect(await rows()).toHaveLength(1);
    device.now += 2 * 3_600_000;
    await drain();
    expect(await rows()).toEqual([]);
  });
});

describe('a change that this device cannot send', () => {
  const expectOneNeedsAttention = async () => {
    expect(await rows()).toMatchObject([
      { patch: { name: 'Fencing' }, reason: 'failed', lastError: { message: 'TypeError: Cannot read it' } },
    ]);
    expect(device.sent.map((request) => bodyOf(request).name)).toEqual(
      expect.arrayContaining(['Riding', 'Singing', 'Stunts']),
    );
  };
  beforeEach(async () => {
    for (const name of ['Fencing', 'Riding', 'Singing', 'Stunts']) await create(device.ports, 'skill', '7', { name });
    device.answer = (request) => ({
      status: 201,
      body: { data: { ...bodyOf(request), id: device.sent.length, version: 1 } },
    });
  });

  it('waits with its error when it cannot be claimed, while all others are sent', async () => {
    device.db.outbox.hook('updating', (changes, _, { patch }) => {
      if (patch.name === 'Fencing' && 'attempt' in changes) throw new TypeError('Cannot read it');
    });
    await drain();
    await expectOneNeedsAttention();
  });

  it('waits with its error when its request throws, while all others are sent', async () => {
    const serve = device.answer;
    device.answer = (request) => {
      if (bodyOf(request).name === 'Fencing') throw new TypeError('Cannot read it');
      return serve(request);
    };
    await drain();
    await expectOneNeedsAttention();
  });
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
      await device.db.outbox.add({ ...blankRow(), lane: 'odd', ...odd } as never);
      await create(device.ports, 'skill', '7', { name: 'Fencing' });
      device.answer = (request) =>
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
      expect(await pullChanges(device.db, createPorts())).toBe('done');
      expect((await sectionItems(device.db, sectionOf('skill')!, '7')).map(({ body }) => body.name)).toEqual(
        expect.arrayContaining(['Fencing', 'Riding']),
      );
      expect((await listWaiting(device.db, 0)).moving).toHaveLength(2);
      await drain();
      expect(await rows()).toMatchObject([{ state: 'attention', reason: 'unknown-op' }]);
      expect(device.sent.filter(({ method }) => method !== 'GET')).toHaveLength(1);
      expect(await queueSummary(device.db)).toMatchObject({ waiting: 0, needs: 1 });
      expect((await listWaiting(device.db, 0)).needs).toHaveLength(1);
    },
  );

  it('of a newer app keeps its version, so that the newer app can still send it', async () => {
    await device.db.outbox.add({ ...blankRow(), ...strange['from a newer app'] } as never);
    await drain();
    expect(await rows()).toMatchObject([{ state: 'attention', reason: 'unknown-op', v: 2 }]);
  });

  it('is sent without a tap by an app that knows it, after an older one did not', async () => {
    const body = { id: 3, name: 'Fencing', version: 1 };
    await device.db.records.put({ type: 'skill', id: '3', parent: '7', body, version: 1 });
    const row = {
      ...blankRow(),
      kind: 'update',
      type: 'skill',
      target: '3',
      lane: 'skill:3',
      base: { name: 'Fencing' },
    };
    await device.db.outbox.add({ ...row, patch: { name: 'Riding' }, baseVersion: 1, v: 2 } as never);
    await drain();
    await device.db.outbox.toCollection().modify({ v: 1 });
    device.answer = () => ({ status: 200, body: { data: { ...body, name: 'Riding', version: 2 } } });
    device.now += 3_600_000;
    await drain();
    expect(await rows()).toEqual([]);
  });
});

describe('a page of a captive portal, proxy or gateway', () => {
  it.each([200, 201, 401, 403, 404, 410, 413, 419, 422, 429, 503])(
    'with status %i neither acknowledges, pauses, deletes nor signs out',
    async (status) => {
      await create(device.ports, 'skill', '7', { name: 'Fencing' });
      await device.db.outbox.add({ ...blankRow(), kind: 'delete', type: 'skill', target: '3', lane: 'skill:3' });
      for (const body of [undefined, {}, [], { error: 'Sign in to the Wi-Fi' }]) {
        device.answer = () => ({ status, body });
        await drain();
        expect((await rows()).map(({ state, reason }) => [state, reason])).toEqual([
          ['queued', undefined],
          ['queued', undefined],
        ]);
        expect(await device.db.meta.get('auth-paused')).toBeUndefined();
        expect(await device.db.meta.get('quiet')).toBeUndefined();
        expect(await pullChanges(device.db, createPorts())).toBe('unreachable');
        device.now += 600_000;
      }
    },
  );

  it.each([429, 503])('with status %i sets no rate limit even with Retry-After', async (status) => {
    const header = (name: string) => (name === 'retry-after' ? '60' : null);
    const respond = (body: unknown) => ({ send: () => Promise.resolve({ ...wire(status, body), header }) });
    const { clock } = createPorts();
    const ask = (body: unknown) =>
      limitTransport(device.db, { clock, transport: respond(body) }).send(jsonRequest('GET', '/sync'), {
        userId: 'u1',
      });
    for (const body of [undefined, {}, [], { error: 'Sign in to the Wi-Fi' }]) {
      await ask(body);
      expect(await device.db.meta.get('quiet')).toBeUndefined();
    }
    await ask({ message: 'Later' });
    expect(await device.db.meta.get('quiet')).toMatchObject({ until: device.now + 60_000 });
  });

  it('with status 410 does not reset the sync cursor', async () => {
    const mirror = () => pullChanges(device.db, createPorts());
    await device.db.cursors.put({ resource: 'sync', value: 'c0' });
    device.answer = () => ({ status: 410, body: undefined });
    expect(await mirror()).toBe('unreachable');
    expect(await device.db.cursors.get('sync')).toMatchObject({ value: 'c0' });
  });

  it('with status 404 does not mean that the basic API lacks the list', async () => {
    const list = async (body: unknown) => {
      device.answer = () => ({ status: 404, body });
      return readWithTag(device.db, createPorts(), '/notifications');
    };
    expect(await list(undefined)).toBe('unreachable');
    expect(await list({ message: 'No such address' })).toMatchObject({ tag: null, body: undefined });
  });

  it('in place of /config does not mean that the server lacks idempotency keys', async () => {
    const gateway = (body: unknown) => ({ transport: { send: () => Promise.resolve(wire(404, body)) } });
    expect(await learnApi(device.db, gateway(undefined))).toBeNull();
    expect(await learnApi(device.db, gateway({ message: 'No such address' }))).toBe('basic');
  });
});

it('arms a timer when the store fails during Try now', async () => {
  const timers: number[] = [];
  const clock = { now: () => device.now, after: (ms: number) => (timers.push(ms), () => undefined) };
  const engine = createEngine(device.db, {
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
  device.answer = () => ({ status: 200, body: { records: [], cursor: 'c1', has_more: false } });
  const engine = createEngine(device.db, { ...createPorts(), clock: { now: () => device.now, after }, lock });
  engine.start();
  await expect.poll(() => device.db.meta.get('pulled')).toBeDefined();
  expect(armed.size).toBe(1);
  isLost = true;
  await expect(engine.tryNow()).rejects.toThrow('Lost');
  expect(armed.size).toBe(1);
  await engine.stop();
});
