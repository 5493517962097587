import { randomUUID } from 'node:crypto';
import path from 'node:path';
import type { FastifyInstance } from 'fastify';
import { IDBFactory, IDBKeyRange } from 'fake-indexeddb';
import { expect, test } from 'vitest';
import { AccountDb } from '#db/database.ts';
import { buildHeaders, buildPayload, parseBody, type WireAnswer, type WireRequest } from '#net/wire.ts';
import { buildApp } from '#server/app.ts';
import { diskStorage } from '#server/platform/storage/disk.ts';
import * as conflictTools from '#sync/conflict/tools.ts';
import { createEngine } from '#sync/engine.ts';
import { addSkill } from './support/people.ts';
import { useBackup } from './support/restore.ts';
import type { Person } from './support/test-server.ts';

const backedUp = useBackup();

/** The server that a device reaches; null without signal. */
interface Network {
  app: FastifyInstance | null;
  /** What the device sent, with the status of the response. */
  calls: string[];
}

async function send({ app, calls }: Network, request: WireRequest, { id, token }: Person): Promise<WireAnswer> {
  if (app === null) return { status: 0, reason: 'network' };
  const { statusCode, headers, body } = await app.inject({
    method: request.method,
    url: request.path,
    headers: buildHeaders(request, { token, userId: id, apiBase: '' }),
    payload: buildPayload(request) as string,
  });
  calls.push(`${request.method} ${request.path.replace(/=.*/, '=')} ${statusCode}`);
  const header = (name: string) => (headers[name] === undefined ? null : String(headers[name]));
  return { status: statusCode, redirected: false, header, body: parseBody(body) };
}

/** A browser device of a person: the app's store and engine. */
function openDevice(person: Person, network: Network) {
  const db = new AccountDb('test', person.id, { indexedDB: new IDBFactory(), IDBKeyRange });
  const engine = createEngine(db, {
    clock: {
      now: () => Date.now(),
      after: (ms, call) => {
        const timer = setTimeout(call, ms);
        return () => clearTimeout(timer);
      },
    },
    chance: { random: () => 0.5, uuid: () => randomUUID() },
    transport: { send: (request) => send(network, request, person) },
    lock: { tryRun: async (work) => (await work(() => true), true) },
    loadConflictTools: () => Promise.resolve(conflictTools),
  });
  return { db, engine };
}

test('a device that synced after the backup pulls everything, and what it still had to send arrives once', async () => {
  const { testServer, into } = backedUp;
  const { nell } = testServer;
  // Made after the backup, so it is gone with the restore.
  await addSkill(testServer, nell, nell.profileId, 'Gone with the disk');
  const network: Network = { app: testServer.app, calls: [] };
  const { db, engine } = openDevice(nell, network);
  const getSkills = async () => {
    const all = await db.records.toArray();
    return all.flatMap(({ type, body }) => (type === 'skill' ? [String(body.name)] : [])).sort();
  };
  engine.start();
  await engine.pull();
  expect(await getSkills()).toContain('Gone with the disk');

  network.app = null;
  const profile = (await db.records.where('type').equals('profile').toArray())[0]!;
  await engine.create('skill', profile.id, { name: 'Fencing', level: 1 });
  await engine.create('skill', profile.id, { name: 'Rapier', level: 2 });
  await backedUp.restore();
  await backedUp.withRestored(async (database) => {
    const { deps } = testServer.app;
    const storage = await diskStorage(path.join(into, 'files'));
    const app = await buildApp({ ...deps, db: database.db, listen: database.listen, storage });
    network.calls.length = 0;
    network.app = app;
    await engine.pull();
    await expect.poll(() => db.outbox.count(), { timeout: 20_000 }).toBe(0);
    await engine.pull();
    expect(network.calls.filter((call) => call.startsWith('GET /sync') && call.endsWith('410'))).toHaveLength(1);
    const { rows } = await database.pool.query<{ name: string }>(
      `select body ->> 'name' as name from section_rows where section = 'skill' and user_id = $1 order by 1`,
      [nell.id],
    );
    const stored = rows.map(({ name }) => name).sort();
    expect(stored.filter((name) => ['Fencing', 'Rapier'].includes(name))).toEqual(['Fencing', 'Rapier']);
    expect(stored).not.toContain('Gone with the disk');
    expect(await getSkills()).toEqual(stored);
    await engine.stop();
    await app.close();
  });
}, 60_000);
