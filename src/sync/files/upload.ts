import { ENGINE_CALLS } from '#contract/engine-calls.ts';
import { pathOf } from '#contract/path.ts';
import type { AccountDb } from '#db/database.ts';
import type { MediaFile, OutboxRow } from '#db/rows.ts';
import { base64 } from '#lib/base64.ts';
import { LARGE_FILE_BYTES, WAITING_FOR_WIFI } from '#lib/mobile-data.ts';
import { classify } from '../send/classify.ts';
import type { Verdict } from '../send/verdict.ts';
import type { WireAnswer, WireRequest } from '#net/wire.ts';
import type { SendContext, ServerAdapter } from '../engine-ports.ts';
import { BYTES_TIMEOUT_MS, JSON_TIMEOUT_MS } from '../operations/build-request.ts';

/** Size of a stored chunk of a picked file, bytes. */
export const CHUNK_BYTES = 1024 * 1024;

const FIRST_PIECE_BYTES = 512 * 1024;
const MIN_PIECE_BYTES = 256 * 1024;
const MAX_PIECE_BYTES = 4 * 1024 * 1024;
/** After the connection broke, no piece is larger for a while: what did not arrive of a piece is sent again. */
const CAREFUL_PIECE_BYTES = 1024 * 1024;
const CAREFUL_MS = 10 * 60_000;
/** Target duration of a piece: short enough that an interruption costs little, long enough to limit the overhead. */
const PIECE_DURATION_MS = { least: 5000, most: 15_000 };

const TUS = { 'tus-resumable': '1.0.0', accept: 'application/json' };

/** When the sending of any file last broke off in this context, ms since the epoch. */
const lastCuts = new WeakMap<AccountDb, number>();

/**
 * Sends the missing bytes of a file, piece by piece, and stores each acknowledged offset. First creates the upload
 * under the id that this device generated. If that upload exists, the server returns its offset and changes nothing.
 */
export async function sendPieces(context: SendContext, row: OutboxRow, file: MediaFile): Promise<Verdict> {
  const { db, ports } = context;
  if (await waitsForWifi(context, file)) return PAUSED_FOR_WIFI;
  const verdict = await createAndSend(context, row, file);
  if (verdict.do !== 'again') return verdict;
  if (verdict.unknown || verdict.isServerError) lastCuts.set(db, ports.clock.now());
  // It ended in order, unlike in a page that dies.
  else await db.media.update(file.id, { cutAt: file.cutAt ?? 0 });
  return verdict;
}

async function createAndSend(context: SendContext, row: OutboxRow, file: MediaFile): Promise<Verdict> {
  const { db, server } = context;
  const created = await context.ports.transport.send(createRequest(context, file), { userId: db.userId });
  const start = parseOffset(created, 201);
  if (start === null) return refusal(created, row, server);
  return sendFrom(context, row, file, start);
}

async function sendFrom(context: SendContext, row: OutboxRow, file: MediaFile, start: number): Promise<Verdict> {
  const { db, ports, server } = context;
  const getNow = () => ports.clock.now();
  const lastCutAt = Math.max(file.cutAt ?? 0, lastCuts.get(db) ?? 0);
  let offset = await saveOffset(db, file, start, getNow());
  let piece = FIRST_PIECE_BYTES;
  while (offset < file.size) {
    if (await context.shouldStop()) return pause('Paused');
    if (await waitsForWifi(context, file)) return PAUSED_FOR_WIFI;
    const isCareful = Math.abs(getNow() - lastCutAt) < CAREFUL_MS;
    piece = Math.min(piece, isCareful ? CAREFUL_PIECE_BYTES : MAX_PIECE_BYTES);
    if ((await db.outbox.get(row.seq))?.attempt !== row.attempt) return pause('Taken over');
    const bytes = await readBytes(db, file, offset, Math.min(piece, file.size - offset));
    const startedAt = getNow();
    const answer = await ports.transport.send(patchRequest(context, file, offset, bytes), { userId: db.userId });
    let now = parseOffset(answer, 204);
    let last = answer;
    // Another context or an earlier attempt moved the offset: ask for it.
    if (now === null && 'status' in answer && answer.status === 409) {
      if (await context.shouldStop()) return pause('Paused');
      last = await ports.transport.send(headRequest(context, file), { userId: db.userId });
      now = parseOffset(last, 200);
    }
    if (now === null) return isForgotten(last) ? startOver(db, file) : refusal(last, row, server);
    const ms = getNow() - startedAt;
    if (ms > PIECE_DURATION_MS.most) piece = Math.max(MIN_PIECE_BYTES, piece / 2);
    else if (ms < PIECE_DURATION_MS.least) piece *= 2;
    offset = await saveOffset(db, file, now, getNow());
  }
  return wholeOnServer(context, row, file);
}

/** Compares the server's digest of the complete upload with ours. If they differ, the upload starts over. */
async function wholeOnServer(context: SendContext, row: OutboxRow, file: MediaFile): Promise<Verdict> {
  const { db, ports, server } = context;
  if (await context.shouldStop()) return pause('Paused');
  const head = await ports.transport.send(headRequest(context, file), { userId: db.userId });
  if (isForgotten(head)) return startOver(db, file);
  const arrived = parseOffset(head, 200);
  if (arrived === null || !('header' in head)) return refusal(head, row, server);
  // Something on the way said that more had arrived.
  if (arrived < file.size) return startOver(db, file, arrived);
  const digest = head.header('upload-sha256');
  if (digest === null || digest === file.sha256) return { do: 'done', record: {}, existed: false };
  if (await context.shouldStop()) return pause('Paused');
  const removed = await ports.transport.send(deleteRequest(context, file), { userId: db.userId });
  await saveOffset(db, file, 0);
  const isRemoved = removed.status === 204 || isForgotten(removed);
  const refused = isRemoved ? null : refusal(removed, row, server);
  // A rate limit or a sign-in request applies to the next attempt too.
  if (refused?.do === 'rate-limited' || refused?.do === 'sign-in') return refused;
  const error = { status: 0, message: 'The file arrived damaged and is sent again' };
  return { do: 'again', error, isServerError: true, unknown: false };
}

export const pause = (message: string) =>
  ({ do: 'again', error: { status: 0, message }, isServerError: false, unknown: false, afterMs: 0 }) as const;

export const PAUSED_FOR_WIFI = { ...pause(WAITING_FOR_WIFI), afterMs: 5 * 60_000 };

/** Whether this file may not be sent over the current connection. */
export async function waitsForWifi({ db, ports }: SendContext, { size, anyNetwork }: MediaFile): Promise<boolean> {
  if (size <= LARGE_FILE_BYTES || anyNetwork || !ports.isOnMobileData?.()) return false;
  return (await db.meta.get('wifi-only')) !== undefined;
}

export const isForgotten = (answer: WireAnswer) => answer.status === 404 || answer.status === 410;

/** Resets an upload of which the server has less than it said. The next attempt creates it again, or goes on from there. */
async function startOver(db: AccountDb, file: MediaFile, offset = 0): Promise<Verdict> {
  await saveOffset(db, file, offset);
  return { ...pause('Starting the upload again'), afterMs: 1000 };
}

export function refusal(answer: WireAnswer, row: OutboxRow, server: ServerAdapter): Verdict {
  if ('status' in answer && answer.status === 423) return { ...pause('The upload is busy'), afterMs: 1000 };
  const verdict = classify(row, answer, server);
  // An upload endpoint never returns a success without an offset.
  if (verdict.do === 'done' || verdict.do === 'merge') {
    const error = { status: answer.status, message: 'The upload was not understood' };
    return { do: 'again', error, isServerError: true, unknown: false };
  }
  return verdict;
}

function parseOffset(answer: WireAnswer, status: number): number | null {
  if ('reason' in answer || answer.status !== status || answer.redirected) return null;
  const header = answer.header('upload-offset');
  const offset = header === null ? NaN : Number(header);
  return Number.isSafeInteger(offset) && offset >= 0 ? offset : null;
}

/** @param cutAt when the sending counts as broken off if nothing else is stored; 0: it does not */
async function saveOffset(db: AccountDb, file: MediaFile, offset: number, cutAt = 0): Promise<number> {
  const bounded = Math.min(offset, file.size);
  await db.media.update(file.id, { offset: bounded, cutAt });
  return bounded;
}

export async function readBytes(db: AccountDb, file: MediaFile, offset: number, length: number): Promise<ArrayBuffer> {
  const out = new Uint8Array(length);
  const first = Math.floor(offset / CHUNK_BYTES);
  const last = Math.floor((offset + length - 1) / CHUNK_BYTES);
  const chunks = await db.chunks.where('[media+n]').between([file.id, first], [file.id, last], true, true).toArray();
  for (const chunk of chunks) {
    const chunkStart = chunk.n * CHUNK_BYTES;
    const from = Math.max(offset, chunkStart) - chunkStart;
    const to = Math.min(offset + length, chunkStart + chunk.bytes.byteLength) - chunkStart;
    out.set(new Uint8Array(chunk.bytes, from, to - from), chunkStart + from - offset);
  }
  return out.buffer;
}

const base = (context: SendContext) => ({ ...TUS, ...context.headers });
const textAsBase64 = (text: string) => base64(new TextEncoder().encode(text));

function createRequest(context: SendContext, file: MediaFile): WireRequest {
  const metadata = [
    `id ${textAsBase64(file.id)}`,
    `filename ${textAsBase64(file.name)}`,
    `filetype ${textAsBase64(file.type)}`,
  ].join(',');
  return {
    method: 'POST',
    path: ENGINE_CALLS.createUpload.path,
    headers: { ...base(context), 'upload-length': String(file.size), 'upload-metadata': metadata },
    timeoutMs: JSON_TIMEOUT_MS,
  };
}

const plainRequest = (method: 'HEAD' | 'DELETE', context: SendContext, file: MediaFile): WireRequest => ({
  method,
  path: pathOf(ENGINE_CALLS.upload, { id: file.id }),
  headers: base(context),
  timeoutMs: JSON_TIMEOUT_MS,
});
const headRequest = (context: SendContext, file: MediaFile) => plainRequest('HEAD', context, file);
export const deleteRequest = (context: SendContext, file: MediaFile) => plainRequest('DELETE', context, file);

function patchRequest(context: SendContext, file: MediaFile, offset: number, bytes: ArrayBuffer): WireRequest {
  return {
    method: 'PATCH',
    path: pathOf(ENGINE_CALLS.upload, { id: file.id }),
    headers: { ...base(context), 'upload-offset': String(offset) },
    body: { kind: 'bytes', value: bytes, contentType: 'application/offset+octet-stream' },
    timeoutMs: BYTES_TIMEOUT_MS,
  };
}
