import { IDBFactory, IDBKeyRange } from 'fake-indexeddb';
import { AccountDb } from '#db/database.ts';
import type { Engine } from '#sync/engine.ts';
import { createDevice } from './released/device.ts';
import { encodeRequest, toWireAnswer } from './simulation/network.ts';
import { pickedFile } from './simulation/person/picked-file.ts';
import { createPrng } from './simulation/prng.ts';
import { epoch } from './simulation/scheduler.ts';
import { FakeServer } from './simulation/server/fake-server.ts';

export const HOUR_MS = 3_600_000;
/** When the app is opened first, ms since the epoch. */
export const NOW = epoch + 1000;

/** The app of one person on a new device and with a new server, which can be killed after any request and opened again. */
export class KillableApp {
  readonly server = new FakeServer(() => this.#now - epoch, { isBasic: false });
  db!: AccountDb;
  engine!: Engine;
  /** What was sent so far: 'PATCH /uploads/:id'. */
  sent: string[] = [];
  readonly #indexedDB = new IDBFactory();
  readonly #token: string;
  #now = NOW;
  /** After so many requests nothing is answered any more. */
  #dyingAfter = Infinity;

  constructor() {
    this.server.addUser('u1', 1);
    this.#token = this.server.signIn('u1');
    this.#open();
  }

  #open(): void {
    this.db = new AccountDb('phone', 'u1', { indexedDB: this.#indexedDB, IDBKeyRange });
    let isDead = false;
    const send = (request: Parameters<typeof encodeRequest>[0]) => {
      isDead ||= this.sent.length >= this.#dyingAfter;
      if (isDead) return new Promise<never>(() => undefined);
      this.sent.push(`${request.method} ${request.path.replace(/[0-9a-f-]{36}/, ':id')}`);
      return Promise.resolve(toWireAnswer(this.server.handle(encodeRequest(request, this.#token), 'phone')));
    };
    this.engine = createDevice(this.db, { transport: { send }, now: this.#now, prng: createPrng(this.#now) });
  }

  async drain(): Promise<void> {
    for (let round = 0; round < 8; round += 1) await this.engine.drain(60_000);
  }

  /** Sends until so many requests were sent, is killed, and opened again after an hour. */
  async dieAfter(requestsSent: number): Promise<void> {
    this.#dyingAfter = requestsSent;
    void this.engine.drain(60_000);
    for (let turn = 0; turn < 400; turn += 1) await new Promise((resolve) => setImmediate(resolve));
    this.db.close();
    this.#dyingAfter = Infinity;
    this.#now += HOUR_MS;
    this.#open();
  }

  /** Stores a small file. What is in it follows from the marker. */
  async pick(marker: number): Promise<string> {
    return (await this.engine.importFile(pickedFile(createPrng(marker), marker, 'document').file)).id;
  }

  readonly rows = () => this.db.outbox.orderBy('seq').toArray();
  readonly countCreated = () => this.sent.filter((line) => line === 'POST /uploads').length;
  readonly countStored = async () => [await this.db.media.count(), await this.db.chunks.count()];
}
