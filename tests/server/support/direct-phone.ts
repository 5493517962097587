import { randomUUID } from 'node:crypto';
import { IDBFactory, IDBKeyRange } from 'fake-indexeddb';
import { LIMITS } from '#contract/limits.ts';
import { AccountDb } from '#db/database.ts';
import { fetchTransport } from '#net/fetch-transport.ts';
import type { WireAnswer, WireRequest } from '#net/wire.ts';
import * as conflictTools from '#sync/conflict/tools.ts';
import { createEngine, type Engine } from '#sync/engine.ts';
import { openDigest } from '../../support/digest.ts';
import type { Performer } from './files.ts';

const MIB = 1024 * 1024;

/** The storage of a phone, and the app that runs on it. The app can die at any moment; its storage stays. */
export class DirectPhone {
  readonly #indexedDB = new IDBFactory();
  readonly #owner: Performer;
  #kill: () => void = () => undefined;
  #stop: () => Promise<void> = () => Promise.resolve();
  /** Where it reaches the server. */
  serverUrl: string;
  /** Requests to the server, as 'METHOD /path'. */
  requests: string[] = [];
  /** Called with each answer of the server. */
  onAnswer: (request: WireRequest, answer: WireAnswer) => void = () => undefined;
  /** Called when the server knows that a file is complete, before the device learns that it does. */
  onComplete: () => Promise<unknown> = () => Promise.resolve();
  db!: AccountDb;
  engine!: Engine;

  constructor(owner: Performer, serverUrl: string) {
    this.#owner = owner;
    this.serverUrl = serverUrl;
  }

  /** Starts the app. @param isWorker whether only the service worker runs, which has no code for the bucket */
  open({ isWorker = false } = {}): void {
    const { id: userId, token } = this.#owner;
    this.db = new AccountDb('phone', userId, { indexedDB: this.#indexedDB, IDBKeyRange });
    const { send } = fetchTransport(() => Promise.resolve({ token, userId, apiBase: this.serverUrl }));
    let isAlive = true;
    const engine = createEngine(this.db, {
      clock: {
        now: () => Date.now(),
        after: (ms, call) => {
          // Back-offs are short, so that no test waits for them.
          const timer = setTimeout(() => isAlive && call(), Math.min(ms, 50));
          return () => clearTimeout(timer);
        },
      },
      chance: { random: () => 0.5, uuid: () => randomUUID() },
      transport: {
        send: async (request, as) => {
          // Nothing of an app that died goes on.
          if (!isAlive) return new Promise<never>(() => undefined);
          this.requests.push(`${request.method} ${request.path.split('/')[1]}`);
          const answer = await send(request, as);
          if (request.path.endsWith('/complete')) await this.onComplete();
          if (!isAlive) return new Promise<never>(() => undefined);
          this.onAnswer(request, answer);
          return answer;
        },
      },
      lock: { tryRun: async (work) => (await work(() => isAlive), true) },
      openDigest,
      loadConflictTools: () => Promise.resolve(isWorker ? null : conflictTools),
      ...(isWorker && { isWorker }),
    });
    this.#kill = () => (isAlive = false);
    this.#stop = () => engine.stop();
    this.engine = engine;
    engine.start();
  }

  /** Ends the app at once, and starts it again from what is stored. */
  die(): void {
    this.#kill();
    this.open();
  }

  /** Ends the app in order. */
  async close(): Promise<void> {
    await this.#stop();
    this.#kill();
  }

  /** Learns what a screen learns that lets the person pick a file. */
  async learnLimits(): Promise<void> {
    await this.db.meta.put({ k: 'upload-limits', bytes: LIMITS.fileBytes, directPartBytes: 8 * MIB });
  }

  /** Adds a film to the portfolio. @returns the id of its upload */
  async add(film: Buffer): Promise<string> {
    const { id } = await this.engine.importFile({
      name: 'tape.mp4',
      type: 'video/mp4',
      size: film.length,
      slice: (start, end) => ({
        arrayBuffer: () => Promise.resolve(new Uint8Array(film.subarray(start, end)).buffer),
      }),
    });
    await this.engine.addMedia(this.#owner.profileId, [{ mediaId: id, fields: { media_type: 'video', name: 'Tape' } }]);
    return id;
  }
}
