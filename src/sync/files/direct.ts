import { DIRECT_UPLOADS } from '#contract/direct-uploads.ts';
import { partsResponse, type AnnouncedPart, type PartsResponse } from '#contract/records/uploads.ts';
import { pathOf } from '#contract/path.ts';
import { UPLOAD_CALLS } from '#contract/upload-calls.ts';
import type { AccountDb } from '#db/database.ts';
import type { MediaFile, OutboxRow } from '#db/rows.ts';
import { putPart } from '#net/put-part.ts';
import type { WireAnswer, WireRequest } from '#net/wire.ts';
import type { SendContext } from '../engine-ports.ts';
import { jsonRequest } from '../operations/build-request.ts';
import type { Verdict } from '../send/verdict.ts';
import { isOwnRefusal } from '../server/own-answer.ts';
import { deleteRequest, isForgotten, pause, PAUSED_FOR_WIFI, readBytes, refusal, waitsForWifi } from './upload.ts';

/** A part of 5 MiB takes this long at 150 kbit/s. A slower connection is better served through the server, in smaller pieces. */
const PART_TIMEOUT_MS = 5 * 60_000;
/** The addresses work for 15 minutes. */
const ADDRESSES_AGE_MS = 14 * 60_000;
/** Above this speed, larger parts spare requests. Below, a break should cost little. Bits per ms. */
const FAST_BITS_PER_MS = 4000;
/**
 * Parts that failed in a row, while our own server could be reached, after which the file goes through the server: the bucket is
 * blocked here. More if some parts have arrived, because those would be sent again.
 */
const MOST_FAILURES = { atFirst: 2, later: 8 };
/** How often the digests computed so far are stored. */
const PARTS_PER_SAVE = 8;

type Direct = NonNullable<MediaFile['direct']>;
/** A file and its parts. */
interface Sending {
  context: SendContext;
  row: OutboxRow;
  file: MediaFile;
  parts: AnnouncedPart[];
}

/** The speed of the last part that was sent from this context, bits per ms. */
const speeds = new WeakMap<AccountDb, number>();

/**
 * Sends the missing parts of a file to the operator's bucket. The server says which have arrived, so this goes on where an earlier attempt, or
 * another device, stopped. A bucket that cannot be reached from here leaves the file to `sendPieces`.
 */
export async function sendDirectly(context: SendContext, row: OutboxRow, file: MediaFile): Promise<Verdict> {
  if (await waitsForWifi(context, file)) return PAUSED_FOR_WIFI;
  const parts = await planParts(context, row, file);
  return 'do' in parts ? parts : sendParts({ context, row, file, parts });
}

/** Why this attempt must not go on; null if it may. */
async function findStop({ context, row, file }: Omit<Sending, 'parts'>): Promise<Verdict | null> {
  if (await context.shouldStop()) return pause('Paused');
  if (await waitsForWifi(context, file)) return PAUSED_FOR_WIFI;
  return (await context.db.outbox.get(row.seq))?.attempt === row.attempt ? null : pause('Taken over');
}

const saveDirect = (db: AccountDb, file: MediaFile, direct: Direct) => db.media.update(file.id, { direct });

/** Divides the file into parts and computes their digests. Both are stored: the server takes no other parts for the same file later. */
async function planParts(context: SendContext, row: OutboxRow, file: MediaFile): Promise<AnnouncedPart[] | Verdict> {
  const { db, ports } = context;
  const direct: Direct = file.direct ?? { partBytes: DIRECT_UPLOADS.partBytes };
  const isFast = (speeds.get(db) ?? 0) >= FAST_BITS_PER_MS;
  const digests = [...(direct.digests ?? [])];
  const partBytes = digests.length > 0 || isFast ? direct.partBytes : DIRECT_UPLOADS.minPartBytes;
  const count = Math.ceil(file.size / partBytes);
  const sizeOf = (index: number) => Math.min(partBytes, file.size - index * partBytes);
  if (ports.openDigest === undefined) return pause('Only a page sends this file');
  while (digests.length < count) {
    const stop = await findStop({ context, row, file });
    if (stop !== null) return stop;
    const size = sizeOf(digests.length);
    const digest = await ports.openDigest(size);
    await digest.add(await readBytes(db, file, digests.length * partBytes, size));
    digests.push(await digest.end());
    digest.close();
    const isTime = digests.length % PARTS_PER_SAVE === 0 || digests.length === count;
    if (isTime) await saveDirect(db, file, { ...direct, partBytes, digests });
  }
  return digests.map((sha256, index) => ({ n: index + 1, size: sizeOf(index), sha256 }));
}

async function sendParts(sending: Sending): Promise<Verdict> {
  const { context, row, parts } = sending;
  let arrived = new Set<number>();
  for (let failures = 0; failures < (arrived.size > 0 ? MOST_FAILURES.later : MOST_FAILURES.atFirst);) {
    const stop = await findStop(sending);
    if (stop !== null) return stop;
    const { size: before } = arrived;
    const askedAt = context.ports.clock.now();
    const missing = parts.filter(({ n }) => !arrived.has(n));
    const answer = await ask(sending, missing.slice(0, DIRECT_UPLOADS.addressesPerCall));
    const reply = readReply(answer);
    if (reply === null) return isNotOffered(answer) ? fallBack(sending) : refusal(answer, row, context.server);
    if (reply.state !== 'open') return DONE;
    arrived = new Set(reply.done.map(({ n }) => n));
    await saveArrived(sending, arrived);
    const outcome = await (arrived.size === parts.length
      ? complete(sending)
      : putParts(sending, reply, arrived, askedAt));
    if (typeof outcome !== 'string') return outcome;
    // A part that arrived ends the row, also if its answer was lost.
    const last = arrived.size > before ? 0 : failures;
    failures = outcome === 'sent' ? 0 : last + 1;
  }
  return fallBack(sending);
}

/**
 * Sends the parts that have an address, one at a time, and adds them to those that have arrived.
 * @returns how it ended: `sent` if the last attempt of a part succeeded
 */
async function putParts(
  sending: Sending,
  { urls }: PartsResponse,
  arrived: Set<number>,
  askedAt: number,
): Promise<'sent' | 'failed' | Verdict> {
  const { context, file, parts } = sending;
  const { db, ports } = context;
  let outcome: 'sent' | 'failed' = 'failed';
  for (const address of urls) {
    const part = parts[address.n - 1];
    if (part === undefined || arrived.has(part.n)) continue;
    const stop = await findStop(sending);
    if (stop !== null) return stop;
    const startedAt = ports.clock.now();
    if (Math.abs(startedAt - askedAt) > ADDRESSES_AGE_MS) break;
    const bytes = await readBytes(db, file, (part.n - 1) * parts[0]!.size, part.size);
    const status = await putPart(address, bytes, PART_TIMEOUT_MS);
    // The addresses have expired, the connection broke or the bucket is in trouble. The server knows what arrived.
    if (status < 200 || status >= 300) return 'failed';
    speeds.set(db, (8 * part.size) / Math.max(1, ports.clock.now() - startedAt));
    arrived.add(part.n);
    await saveArrived(sending, arrived);
    outcome = 'sent';
  }
  return outcome;
}

/** Says that all parts have arrived. `failed`: the bucket has fewer than it said. */
async function complete({ context, row, file }: Sending): Promise<'failed' | Verdict> {
  const request = jsonRequest('POST', pathOf(UPLOAD_CALLS.completeUpload, { id: file.id }), {});
  const answer = await send(context, request);
  if ('body' in answer && !answer.redirected && answer.status === 202) return DONE;
  const isIncomplete = isOwnRefusal(answer) && (answer.status === 409 || isForgotten(answer));
  return isIncomplete ? 'failed' : refusal(answer, row, context.server);
}

const DONE: Verdict = { do: 'done', record: {}, existed: false };

function send({ db, ports, headers }: SendContext, request: WireRequest): Promise<WireAnswer> {
  return ports.transport.send({ ...request, headers: { ...request.headers, ...headers } }, { userId: db.userId });
}

function ask({ context, file, parts }: Sending, want: readonly AnnouncedPart[]): Promise<WireAnswer> {
  const { size, sha256 } = file;
  const body = { kind: 'video', size, sha256, parts, want: want.map(({ n }) => n) };
  return send(context, jsonRequest('POST', pathOf(UPLOAD_CALLS.sendParts, { id: file.id }), body));
}

function readReply(answer: WireAnswer): PartsResponse | null {
  if (!('body' in answer) || answer.status !== 201 || answer.redirected) return null;
  return partsResponse.safeParse(answer.body).data ?? null;
}

/** Whether the server does not take this file for the bucket (any more). */
function isNotOffered(answer: WireAnswer): boolean {
  if (!isOwnRefusal(answer)) return false;
  if (answer.status !== 422) return isForgotten(answer);
  const errors = 'body' in answer && (answer.body as { errors?: object }).errors;
  return ['kind', 'size', 'parts', 'want'].some((field) => errors && field in errors);
}

/** Stores how many bytes the bucket has. */
async function saveArrived({ context, file, parts }: Sending, arrived: ReadonlySet<number>): Promise<void> {
  const offset = parts.reduce((total, { n, size }) => total + (arrived.has(n) ? size : 0), 0);
  await context.db.media.update(file.id, { offset });
}

/** Sends the file through the server from now on, and says so in the journal. */
async function fallBack({ context, row, file }: Sending): Promise<Verdict> {
  const { db, ports } = context;
  // Without this, the unfinished upload would count against the quota.
  const ended = await ports.transport.send(deleteRequest(context, file), { userId: db.userId });
  if (ended.status !== 204 && !isForgotten(ended)) return refusal(ended, row, context.server);
  await db.media.update(file.id, { direct: undefined, offset: 0 });
  const { op, kind, state: from } = row;
  const note = 'The storage could not be reached from here. The file goes through the server';
  const entry = { op, kind, type: row.type, title: file.name, from, to: 'queued' as const, status: null };
  await db.journal.add({ ...entry, note, at: ports.clock.now() });
  return pause(note);
}
