import { IDBFactory, IDBKeyRange } from 'fake-indexeddb';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { AccountDb } from '#db/database.ts';
import * as conflictTools from '#sync/conflict/tools.ts';
import type { EnginePorts } from '#sync/engine-ports.ts';
import { create, update } from '#sync/queue/outbox.ts';
import { Sender } from '#sync/send/sender.ts';
import { StorageError } from '#sync/storage-error.ts';

const strays: unknown[] = [];
const note = (reason: unknown) => void strays.push(reason);
beforeEach(() => void process.on('unhandledRejection', note));
afterEach(() => void process.off('unhandledRejection', note));

const features = { idempotency_keys: true, client_ids: true, versions: true, uploads: true, sync: true };

/** A server that accepts everything at once. */
const ports: EnginePorts = {
  clock: {
    now: Date.now,
    after(ms, call) {
      const timer = setTimeout(call, ms);
      return () => clearTimeout(timer);
    },
  },
  chance: { random: Math.random, uuid: () => crypto.randomUUID() },
  transport: {
    send: ({ method }) =>
      Promise.resolve({
        status: method === 'GET' ? 200 : 201,
        redirected: false,
        header: () => null,
        body: method === 'GET' ? { features } : { data: { id: crypto.randomUUID(), version: 1 } },
      }),
  },
  lock: { tryRun: () => Promise.resolve(true) },
  loadConflictTools: () => Promise.resolve(conflictTools),
};

test('ends the drain without unhandled rejections when the disk fills up', async () => {
  const db = new AccountDb('app:test:1', '1', { indexedDB: new IDBFactory(), IDBKeyRange });
  for (let n = 0; n < 20; n += 1) await create({ ...ports, db }, 'skill', '7', { name: `Skill ${n}`, level: 1 });
  let left = 4;
  db.records.hook('creating', () => {
    if ((left -= 1) < 0) throw new DOMException('No room', 'QuotaExceededError');
  });
  await expect(new Sender(db, ports, 60_000).run()).rejects.toThrow(StorageError);
  await new Promise((resolve) => setImmediate(resolve));
  expect(strays).toEqual([]);
  // Everything unacknowledged is still queued.
  expect(await db.outbox.count()).toBeGreaterThanOrEqual(16);
  db.close();
});

test('retries later when a 412 response contains the version that the edit is based on', async () => {
  const db = new AccountDb('app:test:2', '2', { indexedDB: new IDBFactory(), IDBKeyRange });
  const body = { id: '3', name: 'Kathak', level: 1, version: 4 };
  await db.records.put({ type: 'skill', id: '3', parent: '7', version: 4, body });
  await update({ ...ports, db }, 'skill', '3', { level: 3 });
  let edits = 0;
  const send: EnginePorts['transport']['send'] = (request, session) => {
    if (request.method === 'GET') return ports.transport.send(request, session);
    edits += 1;
    // Without this limit the test would never end.
    const status = edits > 5 ? 422 : 412;
    return Promise.resolve({ status, redirected: false, header: () => null, body: { message: 'Changed', data: body } });
  };
  expect(await new Sender(db, { ...ports, transport: { send } }, 60_000).run()).toBe('waiting');
  expect(edits).toBe(1);
  expect(await db.outbox.toArray()).toMatchObject([{ state: 'queued', tries: 1, patch: { level: 3 } }]);
  db.close();
});

test('ends a concurrent drain when another one is asked to sign in', async () => {
  const db = new AccountDb('app:test:3', '3', { indexedDB: new IDBFactory(), IDBKeyRange });
  for (let n = 0; n < 4; n += 1) await create({ ...ports, db }, 'skill', '7', { name: `Skill ${n}`, level: 1 });
  const send: EnginePorts['transport']['send'] = async (request, session) => {
    if (request.method === 'POST') await db.meta.put({ k: 'auth-paused', at: Date.now() });
    return ports.transport.send(request, session);
  };
  const drain = new Sender(db, { ...ports, transport: { send } }, 60_000, () => false);
  let moves = 0;
  // Without this limit the test would never end.
  db.outbox.hook('creating', () => void ((moves += 1) > 50 && drain.stop()));
  db.outbox.hook('updating', () => void ((moves += 1) > 50 && drain.stop()));
  expect(await drain.run()).toBe('paused');
  expect(moves).toBeLessThan(20);
  const waiting = await db.outbox.toArray();
  expect(waiting.length).toBeGreaterThan(0);
  expect(waiting.filter(({ state }) => state !== 'queued')).toEqual([]);
  db.close();
});
