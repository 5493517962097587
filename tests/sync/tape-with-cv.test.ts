import { IDBFactory, IDBKeyRange } from 'fake-indexeddb';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { AccountDb } from '#db/database.ts';
import type { Engine } from '#sync/engine.ts';
import { createDevice } from './released/device.ts';
import { encodeRequest, toWireAnswer } from './simulation/network.ts';
import { createPrng } from './simulation/prng.ts';
import { pickedFile } from './simulation/person/picked-file.ts';
import { epoch } from './simulation/scheduler.ts';
import { FakeServer } from './simulation/server/fake-server.ts';

const NOW = epoch + 1000;
const HOUR_MS = 3_600_000;

describe('a tape with a CV', () => {
  let server: FakeServer;
  let indexedDB: IDBFactory;
  let token: string;
  let engine: Engine;
  let db: AccountDb;
  let now: number;
  let auditionId: string;
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

  /** Begins anew with an audition, on a new server and a new device. */
  function begin(): void {
    server = new FakeServer(() => now - epoch, { isBasic: false });
    server.addUser('u1', 1);
    token = server.signIn('u1');
    const body = { performer_id: 'u1', answers: [], withdrawn_at: null };
    auditionId = server.store.newId();
    const request = { type: 'request', id: auditionId, userId: 'u2', profileId: 'none', body, clientId: null };
    server.store.insert(request, 'web');
    indexedDB = new IDBFactory();
    sent = [];
    dyingAfter = Infinity;
    openApp();
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

  beforeEach(() => {
    now = NOW;
    begin();
  });
  afterEach(() => db.close());

  /** Stores a file. What is in it does not matter here, and this kind is small. */
  const pick = async (marker: number) =>
    (await engine.importFile(pickedFile(createPrng(marker), marker, 'document').file)).id;
  const send = (take: string, cv: string) =>
    engine.sendTape({
      auditionId,
      takes: [{ mediaId: take, name: 'take.mp4', label: null }],
      cv: { mediaId: cv, name: 'Ila CV' },
      note: null,
      noLinks: false,
      title: 'Naseem, The Salt Road',
    });
  const rows = () => db.outbox.orderBy('seq').toArray();
  const names = async () => (await rows()).map(({ kind, type }) => `${kind} ${type}`);
  const WAITING = ['upload upload', 'upload upload', 'create tape', 'act tape'];
  const tapes = () => server.store.rowsOf('tape', auditionId).map(({ body }) => body);
  const countCreated = () => sent.filter((line) => line === 'POST /uploads').length;
  const countStored = async () => [await db.media.count(), await db.chunks.count()];

  it('is announced first, and arrives with one upload of each file', async () => {
    await send(await pick(7), await pick(8));
    expect(await names()).toEqual(WAITING);
    await drain();
    expect(tapes()).toMatchObject([{ state: 'arrived', cv: { name: 'Ila CV', pages: 1 } }]);
    expect([await rows(), countCreated()]).toEqual([[], 2]);
    expect(sent.findLastIndex((line) => line.startsWith('PATCH'))).toBeLessThan(
      sent.findIndex((line) => line.endsWith('/arrive')),
    );
    expect(await countStored()).toEqual([0, 0]);
  });

  it('arrives once wherever the app is killed', async () => {
    await send(await pick(7), await pick(8));
    await drain();
    const undisturbed = sent.length;
    expect(undisturbed).toBeGreaterThan(5);
    for (let after = 1; after < undisturbed; after += 1) {
      db.close();
      begin();
      await send(await pick(7), await pick(8));
      await dieAfter(after);
      await drain();
      expect([after, await rows(), tapes().length]).toEqual([after, [], 1]);
      expect(tapes()).toMatchObject([{ state: 'arrived', cv: { pages: 1 } }]);
      expect([server.store.uploads.size, await countStored()]).toEqual([0, [0, 0]]);
    }
  });

  it('uploads its CV again if the server has lost the upload', async () => {
    const cv = await pick(8);
    await send(await pick(7), cv);
    let lost = 0;
    const handle = server.handle.bind(server);
    server.handle = (request, device) => {
      if (request.path.endsWith('/arrive') && lost === 0) lost += Number(server.store.uploads.delete(cv));
      return handle(request, device);
    };
    await drain();
    expect([lost, await rows(), server.store.uploads.size]).toEqual([1, [], 0]);
    expect(tapes()).toMatchObject([{ state: 'arrived', cv: { pages: 1 } }]);
  });

  it('uploads its CV once when the app was killed before the form forgot it, and it is sent again', async () => {
    const [take, cv] = [await pick(7), await pick(8)];
    await db.drafts.put({ key: `tape:${auditionId}`, values: { files: [take] }, at: now });
    await db.drafts.put({ key: `tape-cv:${auditionId}`, values: { files: [cv] }, at: now });
    await send(take, cv);
    await send(take, cv);
    expect([await names(), await db.media.count()]).toEqual([WAITING, 2]);
    await db.drafts.clear();
    await drain();
    expect([countCreated(), tapes().length, await rows()]).toEqual([2, 1, []]);
  });

  it('gives up its CV when a newer one replaces it before it has left', async () => {
    const first = await pick(8);
    await send(await pick(7), first);
    const second = await pick(10);
    await send(await pick(9), second);
    expect(await names()).toEqual(WAITING);
    expect([await db.media.get(first), (await db.media.get(second))?.state]).toEqual([undefined, 'ready']);
  });

  it('is not sent with a CV that is not stored yet', async () => {
    const [take, cv] = [await pick(7), await pick(8)];
    await db.media.update(cv, { state: 'importing' });
    await expect(send(take, cv)).rejects.toThrow();
    expect(await rows()).toEqual([]);
  });
});
