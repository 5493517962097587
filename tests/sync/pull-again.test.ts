import { IDBFactory, IDBKeyRange } from 'fake-indexeddb';
import { expect, it, vi } from 'vitest';
import { AccountDb } from '#db/database.ts';
import { createEngine } from '#sync/engine.ts';
import type { EnginePorts } from '#sync/engine-ports.ts';
import * as conflictTools from '#sync/conflict/tools.ts';

const FEATURES = { idempotency_keys: true, client_ids: true, versions: true, uploads: true, sync: true };

/**
 * Creates a device whose writes get their response when `write` resolves.
 * @param after the clock's timer function
 */
function deviceWith(write: () => Promise<void>, after: EnginePorts['clock']['after'] = () => () => undefined) {
  const db = new AccountDb('test', 'u1', { indexedDB: new IDBFactory(), IDBKeyRange });
  const pulls: string[] = [];
  const body = { features: FEATURES, message: 'OK', records: [], cursor: 'c1', has_more: false };
  const ports: EnginePorts = {
    clock: { now: () => 1000, after },
    chance: { random: () => 0.5, uuid: () => crypto.randomUUID() },
    transport: {
      async send({ method, path }) {
        if (method === 'POST') await write();
        else if (path.startsWith('/sync')) pulls.push(path);
        return { status: 200, redirected: false, header: () => null, body };
      },
    },
    lock: { tryRun: async (work) => (await work(() => true), true) },
    loadConflictTools: () => Promise.resolve(conflictTools),
  };
  return { db, engine: createEngine(db, ports), pulls };
}

it('pulls again when asked to while it reports how far messages have arrived', async () => {
  let again: Promise<number> | undefined;
  const { db, engine, pulls } = deviceWith(async () => {
    // As if the live connection opened only now and earlier events were missed.
    again ??= engine.pull().then(() => pulls.length - before);
    const before = pulls.length;
    await Promise.resolve();
  });
  await db.readings.put({ conversation: '4', read: 0, has: 1, toldRead: 0, toldHas: 0 });
  engine.start();
  await engine.pull();
  expect(await again).toBe(1);
  await engine.stop();
});

it('pulls at the start while a long upload is being sent', async () => {
  const timers = new Set<() => void>();
  let answer = () => {};
  const { db, engine, pulls } = deviceWith(
    () => {
      // All timers fire while the request is under way.
      for (const strike of timers) strike();
      return new Promise((resolve) => (answer = resolve));
    },
    (_ms, call) => {
      timers.add(call);
      return () => timers.delete(call);
    },
  );
  await engine.create('skill', '7', { name: 'Kathak', level: 1 });
  engine.start();
  await vi.waitFor(() => expect(pulls).toHaveLength(1));
  expect(await db.outbox.toArray()).toMatchObject([{ state: 'sending' }]);
  answer();
  await engine.stop();
});
