import { IDBFactory, IDBKeyRange } from 'fake-indexeddb';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { AccountDb } from '#db/database.ts';
import * as rarely from '#sync/rarely.ts';
import type { Ports } from '#sync/ports.ts';
import { create } from '#sync/outbox.ts';
import { Drain } from '#sync/runner.ts';
import { StorageTrouble } from '#sync/trouble.ts';

const strays: unknown[] = [];
const note = (reason: unknown) => void strays.push(reason);
beforeEach(() => void process.on('unhandledRejection', note));
afterEach(() => void process.off('unhandledRejection', note));

const features = { idempotency_keys: true, client_ids: true, versions: true, uploads: true, sync: true };

/** A server that takes everything at once. */
const ports: Ports = {
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
  digest: () => Promise.resolve(''),
  rarely: () => Promise.resolve(rarely),
};

test('a disk that fills up while a long queue goes out ends the drain, and no failure goes unheard', async () => {
  const db = new AccountDb('app:test:1', '1', { indexedDB: new IDBFactory(), IDBKeyRange });
  for (let n = 0; n < 20; n += 1) await create({ ...ports, db }, 'skill', '7', { name: `Skill ${n}`, level: 1 });
  let left = 4;
  db.records.hook('creating', () => {
    if ((left -= 1) < 0) throw new DOMException('No room', 'QuotaExceededError');
  });
  await expect(new Drain(db, ports, 60_000).run()).rejects.toThrow(StorageTrouble);
  await new Promise((resolve) => setImmediate(resolve));
  expect(strays).toEqual([]);
  // What was not acknowledged is all still there.
  expect(await db.outbox.count()).toBeGreaterThanOrEqual(16);
  db.close();
});
