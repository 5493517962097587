import { IDBFactory, IDBKeyRange } from 'fake-indexeddb';
import { beforeEach, expect, test } from 'vitest';
import { AccountDb } from '#db/database.ts';
import * as conflictTools from '#sync/conflict/tools.ts';
import type { EnginePorts } from '#sync/engine-ports.ts';
import { createEngine, type Engine } from '#sync/engine.ts';

const HOUR_MS = 3_600_000;
const features = { idempotency_keys: true, client_ids: true, versions: true, uploads: true, sync: true };
const meera = { userId: '3', name: 'Meera Joshi' };

let nowMs: number;
let isConfirmed: boolean;
/** Keys of the connection requests that the server received. */
let requests: string[];
let db: AccountDb;
let engine: Engine;

beforeEach(() => {
  nowMs = 1_000_000;
  isConfirmed = false;
  requests = [];
  const ports: EnginePorts = {
    // The tests drain by hand, so no timer is needed.
    clock: { now: () => nowMs, after: () => () => undefined },
    chance: { random: () => 0.5, uuid: () => crypto.randomUUID() },
    transport: {
      send: ({ method, path, headers }) => {
        const answer = (status: number, body: object) =>
          Promise.resolve({ status, redirected: false, header: () => null, body });
        if (method === 'GET' && path.startsWith('/config')) return answer(200, { features });
        if (method === 'GET') return answer(200, { records: [], cursor: 'c1', has_more: false });
        requests.push(headers['idempotency-key'] ?? '');
        return isConfirmed
          ? answer(201, {
              message: 'Sent',
              data: { id: '50', user_id: '1', connected_user_id: '3', status: 'pending' },
            })
          : answer(403, { message: 'Confirm your e-mail address first', reason: 'verify' });
      },
    },
    lock: { tryRun: async (work) => (await work(() => true), true) },
    loadConflictTools: () => Promise.resolve(conflictTools),
  };
  db = new AccountDb('test', '1', { indexedDB: new IDBFactory(), IDBKeyRange });
  engine = createEngine(db, ports);
});

const rows = () => db.outbox.toArray();

test('a request that needs a confirmed address waits, and is sent once as soon as the address is confirmed', async () => {
  await engine.connect(meera);
  await engine.drain(5000);
  await engine.drain(5000);
  expect(requests).toHaveLength(1);
  expect(await rows()).toMatchObject([{ kind: 'connect', state: 'attention', reason: 'unconfirmed' }]);
  isConfirmed = true;
  await engine.tryNow();
  expect(await rows()).toEqual([]);
  expect(requests).toHaveLength(2);
});

test('a request is sent within the hour when the address was confirmed on another device', async () => {
  await engine.connect(meera);
  await engine.drain(5000);
  isConfirmed = true;
  nowMs += HOUR_MS - 1;
  await engine.drain(5000);
  expect(requests).toHaveLength(1);
  nowMs += 1;
  await engine.drain(5000);
  expect(await rows()).toEqual([]);
});

test('a request that waits for the confirmation and is withdrawn never reaches the person', async () => {
  await engine.connect(meera);
  await engine.drain(5000);
  await engine.disconnect(meera, 'remove', null);
  nowMs += HOUR_MS;
  isConfirmed = true;
  await engine.tryNow();
  expect(await rows()).toEqual([]);
  expect(requests).toHaveLength(1);
});
