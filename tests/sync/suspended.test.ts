import { IDBFactory, IDBKeyRange } from 'fake-indexeddb';
import { beforeEach, expect, test } from 'vitest';
import { AccountDb } from '#db/database.ts';
import { queueSummary } from '#db/queue-summary.ts';
import * as conflictTools from '#sync/conflict/tools.ts';
import type { EnginePorts } from '#sync/engine-ports.ts';
import { createEngine, type Engine } from '#sync/engine.ts';

const REST_MS = 5 * 60_000;
const QUEUED = 20;
const features = { idempotency_keys: true, client_ids: true, versions: true, uploads: true, sync: true };

let nowMs: number;
let isSuspended: boolean;
/** What the server received: the key and the person of each request to connect, and the number of pulls. */
let sent: { key: string; to: string }[];
let pulls: number;
let db: AccountDb;
let engine: Engine;

beforeEach(async () => {
  nowMs = 1_000_000;
  isSuspended = true;
  sent = [];
  pulls = 0;
  const ports: EnginePorts = {
    clock: {
      now: () => nowMs,
      after: (ms, run) => {
        const timer = setTimeout(run, ms);
        return () => clearTimeout(timer);
      },
    },
    chance: { random: () => 0.5, uuid: () => crypto.randomUUID() },
    transport: {
      send: ({ method, path, headers }) => {
        const answer = (status: number, body: object) =>
          Promise.resolve({ status, redirected: false, header: () => null, body });
        if (method === 'GET' && path.startsWith('/config')) return answer(200, { features });
        if (method === 'GET') {
          pulls += 1;
          return answer(200, { records: [], cursor: 'c1', has_more: false });
        }
        const to = path.split('/').at(-1) ?? '';
        sent.push({ key: headers['idempotency-key'] ?? '', to });
        if (isSuspended) return answer(403, { message: 'Your account is suspended', reason: 'suspended', until: null });
        return answer(201, {
          message: 'Sent',
          data: { id: `9${to}`, user_id: '1', connected_user_id: to, status: 'pending' },
        });
      },
    },
    lock: { tryRun: async (work) => (await work(() => true), true) },
    loadConflictTools: () => Promise.resolve(conflictTools),
  };
  db = new AccountDb('test', '1', { indexedDB: new IDBFactory(), IDBKeyRange });
  engine = createEngine(db, ports);
  for (let at = 0; at < QUEUED; at += 1) await engine.connect({ userId: String(100 + at), name: `Person ${at}` });
});

test('keeps twenty changes waiting while the account is suspended, without asking about one of them', async () => {
  await engine.drain(5000);
  const asked = sent.length;
  expect(asked).toBeLessThan(QUEUED);
  await engine.drain(5000);
  expect(sent).toHaveLength(asked);
  await engine.tryNow();
  expect(sent.length).toBeLessThan(QUEUED);
  expect(await queueSummary(db, nowMs)).toMatchObject({ waiting: QUEUED, sending: 0, needs: 0, isSuspended: true });
});

test('goes on reading while the account is suspended', async () => {
  await engine.drain(5000);
  const before = pulls;
  await engine.pull();
  expect(pulls).toBeGreaterThan(before);
});

test('asks again at once when the person tries now', async () => {
  await engine.drain(5000);
  isSuspended = false;
  await engine.tryNow();
  expect(await db.outbox.count()).toBe(0);
});

test('sends twenty waiting changes once each, under their keys, when the suspension has ended', async () => {
  await engine.drain(5000);
  const refused = [...sent];
  isSuspended = false;
  nowMs += REST_MS - 1;
  await engine.drain(5000);
  expect(sent).toHaveLength(refused.length);
  nowMs += 1;
  sent = [];
  await engine.drain(5000);
  expect(await db.outbox.count()).toBe(0);
  expect(new Set(sent.map(({ to }) => to)).size).toBe(QUEUED);
  expect(sent).toHaveLength(QUEUED);
  for (const { key, to } of refused) expect(sent).toContainEqual({ key, to });
  expect(await queueSummary(db, nowMs + REST_MS)).toMatchObject({ waiting: 0, isSuspended: false });
});
