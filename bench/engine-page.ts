/** Runs in the browser: the real engine, store and transport beside the bare operations. */
import { Dexie } from 'dexie';
import { experience } from '#contract/sections/experience.ts';
import { AccountDb } from '#db/database.ts';
import * as conflictTools from '#sync/conflict/tools.ts';
import { freeBytes, realChance, realClock, webLock } from '#lib/platform.ts';
import { pageTransport, setSender } from '#net/client.ts';
import { createEngine, type Engine } from '#sync/engine.ts';

interface Timing {
  ours: number[];
  bare: number[];
}

interface Edit {
  id: string;
  parent: string | null;
  version: number;
}

let db: AccountDb;
let engine: Engine;
let token = '';

const BARE = 'bare';

const page = {
  /** Opens the engine of a person without starting it: it sends nothing until `drain` is called. */
  async open(userId: string, ownToken: string): Promise<void> {
    token = ownToken;
    setSender(() => ({ token, userId, apiBase: '' }));
    db = new AccountDb(`app:bench:${userId}`, userId);
    engine = createEngine(db, {
      clock: realClock,
      chance: realChance,
      transport: pageTransport,
      lock: webLock(`outbox:${db.name}`),
      openDigest: async (bytes) => (await import('#lib/file-digest.ts')).openDigest(bytes),
      loadConflictTools: () => Promise.resolve(conflictTools),
      freeBytes,
    });
    await engine.pull();
  },

  /** Alternates edits and creates, each beside a bare strict put of a row of the same size. Returns milliseconds. */
  async save(count: number): Promise<Timing> {
    const records = (await db.records.toArray()).filter((record) => record.type === 'experience');
    const bare = await openBare();
    const timing: Timing = { ours: [], bare: [] };
    for (let n = 0; n < count; n += 1) {
      const record = records[n % records.length];
      if (record === undefined) throw new Error('There is no record to edit');
      const startedAt = performance.now();
      if (n % 2 === 0) await engine.update('experience', record.id, { details: `Role ${n}` });
      else await engine.create('experience', record.parent, { ...experience.example, details: `Role ${n}` });
      timing.ours.push(performance.now() - startedAt);
      const row = await db.outbox.orderBy('seq').last();
      const { seq: _seq, ...value } = row!;
      const bareAt = performance.now();
      await putStrict(bare, value);
      timing.bare.push(performance.now() - bareAt);
    }
    bare.close();
    await new Dexie(BARE).delete();
    await engine.discardAll();
    return timing;
  },

  /** Queues an edit of every record and sends them. Returns the milliseconds of sending. */
  async send(words: string): Promise<number> {
    for (const { id } of await edits()) await engine.update('experience', id, { details: words });
    const startedAt = performance.now();
    const drained = await engine.drain(600_000);
    const ms = performance.now() - startedAt;
    if (drained !== 'empty') throw new Error(`The queue did not empty: ${drained}`);
    return ms;
  },

  /**
   * Sends the same requests by bare fetch, `places` at a time. Returns milliseconds. The records must be unchanged
   * since the last pull.
   */
  async sendBare(words: string, places: number): Promise<number> {
    const left = await edits();
    const startedAt = performance.now();
    // Like the engine, reports a count that is at most a second old.
    let reported = { at: startedAt, rows: left.length };
    const work = async () => {
      for (let edit = left.shift(); edit !== undefined; edit = left.shift()) {
        if (performance.now() - reported.at >= 1000) reported = { at: performance.now(), rows: left.length + 1 };
        const answer = await fetch(`/profile/experience/${edit.id}`, {
          method: 'PUT',
          headers: {
            accept: 'application/json',
            authorization: `Bearer ${token}`,
            'content-type': 'application/json',
            'idempotency-key': crypto.randomUUID(),
            'if-match': `"${edit.version}"`,
            'x-pending': String(reported.rows),
            'x-requested-with': 'XMLHttpRequest',
          },
          body: JSON.stringify({ profile_id: edit.parent, details: words }),
        });
        if (answer.status !== 200) throw new Error(`A bare edit was answered ${answer.status}`);
        await answer.json();
      }
    };
    await Promise.all(Array.from({ length: places }, work));
    const ms = performance.now() - startedAt;
    await engine.pull();
    return ms;
  },

  /** Stores a picture, queues it and sends it through any connection failure. Resolves when it is attached. */
  async upload(profileId: string, address: string): Promise<void> {
    const blob = await (await fetch(address)).blob();
    const file = await engine.importFile(new File([blob], 'headshot.png', { type: 'image/png' }));
    await engine.addMedia(profileId, [{ mediaId: file.id, fields: { media_type: 'image', name: 'Headshot' } }]);
    engine.start();
    await new Promise<void>((done, failed) => {
      const subscription = Dexie.liveQuery(() => db.outbox.toArray()).subscribe((rows) => {
        const stuck = rows.find((row) => row.state === 'attention');
        if (stuck) failed(new Error(`The upload was refused: ${JSON.stringify(stuck.lastError)}`));
        if (rows.length > 0 && !stuck) return;
        subscription.unsubscribe();
        done();
      });
    });
    await engine.stop();
  },
};

async function edits(): Promise<Edit[]> {
  const records = (await db.records.toArray()).filter((record) => record.type === 'experience');
  return records.map(({ id, parent, version }) => ({ id, parent, version: version ?? 0 }));
}

/** A hand-written store with the keys of the outbox: the cost of one durable put in the browser. */
function openBare(): Promise<IDBDatabase> {
  return new Promise((resolve, reject) => {
    const request = indexedDB.open(BARE, 1);
    request.onupgradeneeded = () => {
      const store = request.result.createObjectStore('rows', { keyPath: 'seq', autoIncrement: true });
      store.createIndex('op', 'op', { unique: true });
      store.createIndex('lane', 'lane');
    };
    request.onsuccess = () => resolve(request.result);
    request.onerror = () => reject(request.error ?? new Error('The bare store did not open'));
  });
}

function putStrict(bare: IDBDatabase, row: object): Promise<void> {
  return new Promise((resolve, reject) => {
    const transaction = bare.transaction('rows', 'readwrite', { durability: 'strict' });
    transaction.objectStore('rows').put({ ...row, op: crypto.randomUUID() });
    transaction.oncomplete = () => resolve();
    transaction.onabort = () => reject(transaction.error ?? new Error('The bare put was refused'));
  });
}

export type EnginePage = typeof page;
declare global {
  interface Window {
    enginePage: EnginePage;
  }
}
window.enginePage = page;
