import { IDBFactory, IDBKeyRange } from 'fake-indexeddb';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { Sides } from '#contract/records/casting.ts';
import { AccountDb } from '#db/database.ts';
import type { Engine } from '#sync/engine.ts';
import { collectFiles } from '#sync/files/collect.ts';
import { createDevice } from './released/device.ts';
import { encodeRequest, toWireAnswer } from './simulation/network.ts';
import { createPrng } from './simulation/prng.ts';
import { pickedFile } from './simulation/person/picked-file.ts';
import { epoch } from './simulation/scheduler.ts';
import { FakeServer } from './simulation/server/fake-server.ts';

const NOW = epoch + 1000;
const HOUR_MS = 3_600_000;
const title = 'Naseem, The Salt Road';

describe('PDFs of requests to audition', () => {
  let server: FakeServer;
  let indexedDB: IDBFactory;
  let profiles: string[];
  let token: string;
  let engine: Engine;
  let db: AccountDb;
  let now: number;
  let roleId: string;
  /** After so many requests the app is killed: nothing is answered any more. */
  let dyingAfter: number;
  let sent: string[];

  /** Opens the app, or opens it again after it was killed. */
  function openApp(): void {
    db = new AccountDb('phone', 'u1', { indexedDB, IDBKeyRange });
    let isDead = false;
    const send = (request: Parameters<typeof encodeRequest>[0]) => {
      isDead ||= sent.length >= dyingAfter;
      if (isDead) return new Promise<never>(() => undefined);
      sent.push(`${request.method} ${request.path.replace(/[0-9a-f-]{36}/, ':id')}`);
      return Promise.resolve(toWireAnswer(server.handle(encodeRequest(request, token), 'phone')));
    };
    engine = createDevice(db, { transport: { send }, now, prng: createPrng(now) });
  }
  async function drain(): Promise<void> {
    for (let round = 0; round < 8; round += 1) await engine.drain(60_000);
  }

  /** Begins anew with a role, on a new server and a new device. */
  async function begin(): Promise<void> {
    server = new FakeServer(() => now - epoch, { isBasic: false });
    server.addUser('u1', 1);
    profiles = ['u2', 'u3', 'u4'].flatMap((user) => server.addUser(user, 1));
    token = server.signIn('u1');
    indexedDB = new IDBFactory();
    sent = [];
    dyingAfter = Infinity;
    openApp();
    const project = await engine.create('project', null, { title: 'The Salt Road', type: 'film' });
    roleId = (await engine.create('role', project.id, { name: 'Naseem' })).id;
  }
  /** Sends until the app is killed, and opens it again after an hour. */
  async function dieAfter(requestsSent: number): Promise<void> {
    dyingAfter = requestsSent;
    void engine.drain(60_000);
    for (let turn = 0; turn < 400; turn += 1) await new Promise((resolve) => setImmediate(resolve));
    db.close();
    dyingAfter = Infinity;
    now += HOUR_MS;
    openApp();
  }

  beforeEach(async () => {
    now = NOW;
    await begin();
  });
  afterEach(() => db.close());

  const pickPdf = async (marker = 7) =>
    (await engine.importFile(pickedFile(createPrng(marker), marker, 'document').file)).id;
  const ask = (whom: readonly string[], files: readonly string[]) => {
    const sides = files.map((upload_id) => ({ upload_id, name: 'Scene 14' }));
    const deadline_at = new Date(NOW + 48 * HOUR_MS).toISOString();
    return engine.createAll(
      'request',
      roleId,
      whom.map((profile_id) => ({ profile_id, deadline_at, sides })),
      files,
    );
  };
  const rows = () => db.outbox.orderBy('seq').toArray();
  const requests = () => [...server.store.rows.values()].filter(({ type }) => type === 'request');
  const pathsOf = (body: Record<string, unknown>) => (body['sides'] as Sides[]).map(({ path }) => path);
  const countCreated = () => sent.filter((line) => line === 'POST /uploads').length;
  const countStored = async () => [await db.media.count(), await db.chunks.count()];

  it('wait for one upload, which all requests share', async () => {
    const pdf = await pickPdf();
    await ask(profiles, [pdf]);
    expect((await rows()).map(({ kind }) => kind)).toEqual([
      'create',
      'create',
      'upload',
      'create',
      'create',
      'create',
    ]);
    await drain();
    expect(await rows()).toEqual([]);
    expect(requests()).toHaveLength(3);
    expect(new Set(requests().flatMap(({ body }) => pathsOf(body))).size).toBe(1);
    expect(countCreated()).toBe(1);
    expect(sent.findLastIndex((line) => line.startsWith('PATCH'))).toBeLessThan(
      sent.findIndex((line) => line === 'POST /casting/requests'),
    );
    // The bytes are given up with the last request that names them.
    expect(await countStored()).toEqual([0, 0]);
  });

  it('arrive once wherever the app is killed', async () => {
    const undisturbed = 14;
    for (let after = 1; after < undisturbed; after += 1) {
      db.close();
      await begin();
      await ask(profiles, [await pickPdf(), await pickPdf(8)]);
      await dieAfter(after);
      await drain();
      expect([after, await rows(), requests().length]).toEqual([after, [], 3]);
      const paths = requests().map(({ body }) => pathsOf(body));
      expect([paths[0]!.length, new Set(paths.flat()).size]).toEqual([2, 2]);
      expect(await countStored()).toEqual([0, 0]);
    }
  });

  it('are given up with the last request that names them, when requests are withdrawn before they leave', async () => {
    const pdf = await pickPdf();
    await ask(profiles.slice(0, 2), [pdf]);
    const [first, second] = (await rows()).filter(({ type }) => type === 'request');
    await engine.act({ type: 'request', id: first!.target, act: 'withdraw', title });
    expect((await db.media.get(pdf))?.state).toBe('ready');
    expect((await rows()).map(({ type }) => type)).toEqual(['project', 'role', 'upload', 'request']);
    await engine.act({ type: 'request', id: second!.target, act: 'withdraw', title });
    expect((await rows()).map(({ type }) => type)).toEqual(['project', 'role']);
    expect(await countStored()).toEqual([0, 0]);
  });

  it('go back into the form with a refused request, and can be sent again without another upload', async () => {
    const pdf = await pickPdf();
    await ask(profiles.slice(0, 1), [pdf]);
    await drain();
    const other = await pickPdf(9);
    // This person was asked already.
    await ask(profiles.slice(0, 2), [other]);
    await drain();
    const [refused] = await rows();
    expect([refused?.type, refused?.state, requests().length]).toEqual(['request', 'attention', 2]);
    await db.drafts.put({ key: 'ask:1', values: { files: [other] }, at: now });
    await engine.discard(refused!.op);
    expect([await rows(), (await db.media.get(other))?.state]).toEqual([[], 'sent']);
    await collectFiles(db, now + 2 * HOUR_MS);
    const uploads = countCreated();
    await ask([profiles[2]!], [other]);
    await db.drafts.clear();
    await drain();
    expect([await rows(), countCreated() - uploads]).toEqual([[], 0]);
    expect(
      new Set(
        requests()
          .slice(1)
          .flatMap(({ body }) => pathsOf(body)),
      ).size,
    ).toBe(1);
    expect(await countStored()).toEqual([0, 0]);
  });

  it('are uploaded again if the server has lost the upload', async () => {
    await ask(profiles.slice(0, 2), [await pickPdf()]);
    // Every byte has left, and no request.
    await dieAfter(6);
    expect(requests()).toEqual([]);
    server.store.uploads.clear();
    await drain();
    expect([await rows(), requests().length, countCreated()]).toEqual([[], 2, 2]);
  });
});
