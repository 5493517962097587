import { IDBFactory, IDBKeyRange } from 'fake-indexeddb';
import { createHash, randomBytes } from 'node:crypto';
import { beforeEach, describe, expect, it } from 'vitest';
import { AccountDb } from '#db/database.ts';
import type { OutboxRow } from '#db/rows.ts';
import { LARGE_FILE_BYTES, WAITING_FOR_WIFI } from '#lib/mobile-data.ts';
import type { WireAnswer, WireRequest } from '#net/wire.ts';
import { CHUNK_BYTES, sendPieces } from '#sync/files/upload.ts';
import { sendOnAnyNetwork } from '#sync/queue/resolutions.ts';
import type { Verdict } from '#sync/send/verdict.ts';
import { fullApi } from '#sync/server/full-api.ts';
import { outboxRow } from '../support/outbox-row.ts';

const MB = 1024 * 1024;
const MINUTE_MS = 60_000;
const FILE = 'f1';
const NO_ANSWER: WireAnswer = { status: 0, reason: 'network' };

/** What the connection does with a piece: `cut` loses it, `lost answer` only the response. */
type Event = 'cut' | 'lost answer';

let indexedDB: IDBFactory;
let db: AccountDb;
let now: number;
let isOnMobileData: boolean;
/** Bytes that the server has. */
let arrived: number;
/** The sizes of the pieces that were sent, in order. */
let pieces: number[];
/** What happens to the next pieces. */
let events: (Event | ((bytes: number) => WireAnswer | Promise<WireAnswer>))[];
/** Bytes per millisecond. */
let rate: number;
let sha256: string;

const answer = (status: number, headers: Record<string, string> = {}): WireAnswer => ({
  status,
  redirected: false,
  body: undefined,
  header: (name) => headers[name] ?? null,
});

/** The server behind a connection: keeps the bytes of each piece that arrives. */
async function exchange({ method, body, headers }: WireRequest, size: number): Promise<WireAnswer> {
  if (method === 'PATCH' && body?.kind === 'bytes') {
    const bytes = body.value.byteLength;
    pieces.push(bytes);
    now += bytes / rate;
    const event = events.shift();
    if (typeof event === 'function') return event(bytes);
    if (event === 'cut') return NO_ANSWER;
    if (Number(headers['upload-offset']) !== arrived) return answer(409, { 'upload-offset': String(arrived) });
    arrived += bytes;
    if (event === 'lost answer') return NO_ANSWER;
  }
  const digest: Record<string, string> = arrived === size ? { 'upload-sha256': sha256 } : {};
  const statuses: Partial<Record<WireRequest['method'], number>> = { POST: 201, PATCH: 204 };
  return answer(statuses[method] ?? 200, { 'upload-offset': String(arrived), ...digest });
}

async function open(): Promise<void> {
  db = new AccountDb('test', 'u1', { indexedDB, IDBKeyRange });
  await db.open();
}

/** Stores a file and its row, as picking and saving it does. */
async function store(size: number): Promise<OutboxRow> {
  const bytes = randomBytes(size);
  sha256 = createHash('sha256').update(bytes).digest('hex');
  const chunks = Math.ceil(size / CHUNK_BYTES);
  const named = { name: 'tape.mp4', type: 'video/mp4', sha256, chunks, createdAt: 0 };
  await db.media.put({ id: FILE, state: 'ready', size, offset: 0, ...named });
  for (let n = 0; n < chunks; n += 1) {
    const { buffer } = new Uint8Array(bytes.subarray(n * CHUNK_BYTES, (n + 1) * CHUNK_BYTES));
    await db.chunks.put({ media: FILE, n, bytes: buffer });
  }
  const row = outboxRow({ kind: 'upload', type: 'upload', target: FILE, lane: `upload:${FILE}`, attempt: 'a' });
  await db.outbox.put(row);
  return row;
}

/** Makes one attempt, as the sender does. `stopAfter`: the attempt has to end after this many pieces. */
async function attempt(row: OutboxRow, stopAfter = Infinity): Promise<Verdict> {
  const file = (await db.media.get(FILE))!;
  const most = pieces.length + stopAfter;
  return sendPieces(
    {
      db,
      ports: {
        clock: { now: () => now, after: () => () => undefined },
        chance: { random: () => 0.5, uuid: () => 'x' },
        transport: { send: (request) => exchange(request, file.size) },
        lock: { tryRun: () => Promise.resolve(true) },
        isOnMobileData: () => isOnMobileData,
        loadConflictTools: () => Promise.reject(new Error('Not needed')),
      },
      server: fullApi,
      headers: {},
      shouldStop: () => Promise.resolve(pieces.length >= most),
    },
    row,
    file,
  );
}

beforeEach(async () => {
  indexedDB = new IDBFactory();
  now = 1_000_000_000;
  arrived = 0;
  pieces = [];
  events = [];
  isOnMobileData = false;
  // Faster than any piece takes five seconds, so that pieces grow to their maximum.
  rate = 4 * MB;
  await open();
});

describe('the pieces of a large file', () => {
  it('grow to four megabytes while nothing breaks', async () => {
    expect(await attempt(await store(12 * MB))).toMatchObject({ do: 'done' });
    expect(Math.max(...pieces)).toBe(4 * MB);
  });

  it('have at most one megabyte for ten minutes after the connection broke', async () => {
    const row = await store(30 * MB);
    events = ['cut'];
    expect(await attempt(row)).toMatchObject({ do: 'again', unknown: true });
    pieces = [];
    await attempt(row, 5);
    expect(pieces).toEqual([0.5, 1, 1, 1, 1].map((size) => size * MB));
    now += 10 * MINUTE_MS;
    pieces = [];
    expect(await attempt(row)).toMatchObject({ do: 'done' });
    expect(Math.max(...pieces)).toBe(4 * MB);
  });

  it('have at most one megabyte in a page that was opened after the one before died', async () => {
    const row = await store(30 * MB);
    // The page dies within the third piece: neither the result nor the end of the attempt is stored.
    events = [answerOf, answerOf, () => Promise.reject(new Error('dead'))];
    await expect(attempt(row)).rejects.toThrow('dead');
    db.close();
    await open();
    pieces = [];
    await attempt(row, 4);
    expect(pieces).toEqual([0.5, 1, 1, 1].map((size) => size * MB));
  });

  it('stay large when an attempt had to end in order', async () => {
    const row = await store(30 * MB);
    await attempt(row, 3);
    db.close();
    await open();
    pieces = [];
    expect(await attempt(row)).toMatchObject({ do: 'done' });
    expect(Math.max(...pieces)).toBe(4 * MB);
  });

  it('are not sent again when only the response was lost', async () => {
    const row = await store(6 * MB);
    events = ['lost answer'];
    await attempt(row);
    await attempt(row);
    expect(pieces.reduce((sum, size) => sum + size, 0)).toBe(6 * MB);
  });
});

/** Accepts a piece as the server does. */
function answerOf(bytes: number): WireAnswer {
  arrived += bytes;
  return answer(204, { 'upload-offset': String(arrived) });
}

describe('a proxy that says more than is true', () => {
  it('about a piece: the device goes on from what arrived', async () => {
    const row = await store(6 * MB);
    // The proxy takes the whole piece, passes half of it on, and confirms all.
    events = [
      (bytes) => {
        arrived += bytes / 2;
        return answer(204, { 'upload-offset': String(bytes) });
      },
    ];
    expect(await attempt(row)).toMatchObject({ do: 'done' });
    expect(arrived).toBe(6 * MB);
  });

  it('about the last piece: the file counts as incomplete until the server has it', async () => {
    const row = await store(MB / 2);
    events = [(bytes) => answer(204, { 'upload-offset': String(bytes) })];
    expect(await attempt(row)).toMatchObject({ do: 'again', unknown: false, isServerError: false });
    expect(await db.media.get(FILE)).toMatchObject({ offset: 0, state: 'ready' });
    expect(await attempt(row)).toMatchObject({ do: 'done' });
    expect(arrived).toBe(MB / 2);
  });
});

describe('large files only on Wi-Fi', () => {
  const paused = { do: 'again', unknown: false, error: { status: 0, message: WAITING_FOR_WIFI } };
  beforeEach(async () => {
    isOnMobileData = true;
    await db.meta.put({ k: 'wifi-only' });
  });

  it('wait without a single request while the device is on mobile data', async () => {
    const row = await store(LARGE_FILE_BYTES + 1);
    expect(await attempt(row)).toMatchObject(paused);
    expect(pieces).toEqual([]);
    isOnMobileData = false;
    expect(await attempt(row)).toMatchObject({ do: 'done' });
  });

  it('pause where the device leaves the Wi-Fi, and go on from there', async () => {
    const row = await store(LARGE_FILE_BYTES + MB);
    isOnMobileData = false;
    events = [
      answerOf,
      (bytes) => {
        isOnMobileData = true;
        return answerOf(bytes);
      },
    ];
    expect(await attempt(row)).toMatchObject(paused);
    expect(pieces).toHaveLength(2);
    isOnMobileData = false;
    expect(await attempt(row)).toMatchObject({ do: 'done' });
    expect(pieces.reduce((sum, size) => sum + size, 0)).toBe(LARGE_FILE_BYTES + MB);
  });

  it('go over mobile data once the user says so', async () => {
    const row = await store(LARGE_FILE_BYTES + 1);
    await attempt(row);
    await db.outbox.update(row.seq, { notBefore: now + MINUTE_MS });
    const ports = { clock: { now: () => now, after: () => () => undefined } };
    await sendOnAnyNetwork({ db, ...ports, chance: { uuid: () => 'x', random: () => 0 } }, FILE);
    expect(await db.outbox.get(row.seq)).toMatchObject({ notBefore: 0 });
    expect(await attempt(row)).toMatchObject({ do: 'done' });
  });

  it('concern neither smaller files nor those who did not choose it', async () => {
    expect(await attempt(await store(LARGE_FILE_BYTES))).toMatchObject({ do: 'done' });
    arrived = 0;
    await db.meta.delete('wifi-only');
    expect(await attempt(await store(LARGE_FILE_BYTES + 1))).toMatchObject({ do: 'done' });
  });
});
