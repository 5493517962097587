import { randomBytes, randomUUID } from 'node:crypto';
import { IDBFactory, IDBKeyRange } from 'fake-indexeddb';
import { afterEach, beforeEach, expect, test } from 'vitest';
import type { Media } from '#contract/records/media.ts';
import { AccountDb } from '#db/database.ts';
import { fetchTransport } from '#net/fetch-transport.ts';
import type { WireRequest } from '#net/wire.ts';
import * as conflictTools from '#sync/conflict/tools.ts';
import { createEngine, type Engine } from '#sync/engine.ts';
import { startTcpProxy, type TcpProxy } from '../e2e/support/tcp-proxy.ts';
import { openDigest } from '../support/digest.ts';
import { useTwoPerformers } from './support/files.ts';
import { mp4 } from './support/media-files.ts';
import { sha256 } from './support/uploads.ts';

const MB = 1024 * 1024;
const FILE_BYTES = 300 * MB;
/** What happens on the way, in order. The distances in bytes put each of them at another place within a piece. */
const EVENTS = [
  ...['cut', 'cut', 'death', 'cut', 'network', 'cut', 'cut'],
  ...['death', 'cut', 'cut', 'cut', 'cut', 'cut'],
] as const;
const distanceTo = (event: number) => 20 * MB + ((event * 377_777) % MB);

const testServer = useTwoPerformers();
let proxy: TcpProxy;
beforeEach(async () => {
  proxy = await startTcpProxy(Number(new URL(testServer.url).port));
});
afterEach(() => proxy.close());

/** The storage of a phone, and the app that runs on it. The app can die at any moment; its storage stays. */
class Phone {
  readonly #indexedDB = new IDBFactory();
  /** Bytes that were handed to the network in pieces of the file, arrived or not. */
  offeredBytes = 0;
  largestPieceBytes = 0;
  /** What happened so far. */
  seen = 0;
  #db!: AccountDb;
  engine!: Engine;

  get db(): AccountDb {
    return this.#db;
  }

  open(): void {
    const { id: userId, token } = testServer.nell;
    this.#db = new AccountDb('phone', userId, { indexedDB: this.#indexedDB, IDBKeyRange });
    const { send } = fetchTransport(() => Promise.resolve({ token, userId, apiBase: proxy.url }));
    let isAlive = true;
    const engine = createEngine(this.#db, {
      clock: {
        now: () => Date.now(),
        after: (ms, call) => {
          const timer = setTimeout(() => isAlive && call(), ms);
          return () => clearTimeout(timer);
        },
      },
      chance: { random: () => 0.5, uuid: () => randomUUID() },
      transport: {
        send: async (request, as) => {
          const answer = await send(request, as);
          if (!isPiece(request)) return answer;
          this.offeredBytes += request.body.value.byteLength;
          if (this.seen > 0) this.largestPieceBytes = Math.max(this.largestPieceBytes, request.body.value.byteLength);
          if (proxy.cutCount() === this.seen) return answer;
          const event = EVENTS[this.seen];
          this.seen += 1;
          if (event === 'death') {
            isAlive = false;
            setTimeout(() => this.open(), 0);
            // Nothing of this app goes on.
            return new Promise(() => undefined);
          }
          // The browser tells the app that there is a connection again.
          setTimeout(() => isAlive && engine.wake('online'), 50);
          return answer;
        },
      },
      lock: { tryRun: async (work) => (await work(() => true), true) },
      openDigest,
      loadConflictTools: () => Promise.resolve(conflictTools),
    });
    this.engine = engine;
    engine.start();
  }
}

type Piece = WireRequest & { body: { kind: 'bytes'; value: ArrayBuffer } };
const isPiece = (request: WireRequest): request is Piece => request.body?.kind === 'bytes';

test('a file of 300 MB arrives after ten cuts, two deaths of the app and a change of the network, with at most 4 % sent again', async () => {
  const phone = new Phone();
  phone.open();
  await phone.engine.pull();
  const film = mp4({ pictures: randomBytes(FILE_BYTES) });
  const picked = {
    name: 'tape.mp4',
    type: 'video/mp4',
    size: film.length,
    slice: (start: number, end: number) => ({
      arrayBuffer: () => Promise.resolve(new Uint8Array(film.subarray(start, end)).buffer),
    }),
  };
  for (const [n, event] of EVENTS.entries()) {
    if (event === 'network') proxy.changeNetworkAfterBytes(distanceTo(n));
    else proxy.cutAfterBytes(distanceTo(n));
  }
  const { id } = await phone.engine.importFile(picked);
  const { nell } = testServer;
  await phone.engine.addMedia(nell.profileId, [{ mediaId: id, fields: { media_type: 'video', name: 'Tape' } }]);
  await expect
    .poll(async () => [phone.seen, await phone.db.outbox.count()], { timeout: 600_000, interval: 500 })
    .toEqual([EVENTS.length, 0]);

  // The most that can have gone over the air twice: all of each piece that did not arrive whole, but for what the server kept.
  const againBytes = phone.offeredBytes - film.length;
  expect(againBytes).toBeGreaterThan(0);
  expect(againBytes / film.length).toBeLessThanOrEqual(0.04);
  // All traffic to the server, with creations, questions for the offset and headers.
  expect((proxy.sentBytes() - film.length) / film.length).toBeLessThanOrEqual(0.04);
  expect(phone.largestPieceBytes).toBeLessThanOrEqual(MB);

  const { body } = await testServer.call<Media[]>(`GET /media/video?profile_id=${nell.profileId}`, nell);
  expect(body).toMatchObject([{ name: 'Tape', size: film.length }]);
  const stored = await fetch(testServer.url + body[0]!.path, { headers: { authorization: `Bearer ${nell.token}` } });
  expect(sha256(new Uint8Array(await stored.arrayBuffer()))).toBe(sha256(film));
  await phone.engine.stop();
}, 700_000);
