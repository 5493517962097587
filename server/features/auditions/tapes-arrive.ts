import { rm } from 'node:fs/promises';
import { and, eq, isNull } from 'drizzle-orm';
import * as z from 'zod/mini';
import { arriveBody, TAPE_LIMITS } from '#contract/records/tapes.ts';
import type { Config } from '#server/platform/config.ts';
import type { ChangeLog } from '#server/platform/db/change-log.ts';
import type { Db } from '#server/platform/db/connect.ts';
import { lockPerson } from '#server/platform/db/lock-person.ts';
import { auditionRequests, auditionTapes, type StoredCv } from '#server/platform/db/schema.ts';
import type { Deps } from '#server/platform/deps.ts';
import { conflict, conflictWith, invalid } from '#server/platform/http/errors.ts';
import { parseId } from '#server/platform/http/ids.ts';
import { ok, type RouteResponse } from '#server/platform/http/response.ts';
import { addAnswer } from '../casting/answers.ts';
import type { LockedTape } from '../casting/guards.ts';
import { changeRequest, getPart, tellOfTape, type RequestRow } from '../casting/rows.ts';
import {
  changeTape,
  getTapeKeys,
  listTapesOf,
  presentOwnTape,
  withoutFiles,
  type TapeRow,
} from '../casting/tape-rows.ts';
import type { StoredNewMedia, StoredNewPdf } from '../media/file-store.ts';
import { FileRefused } from '../media/inspect/refused.ts';
import {
  consumeUpload,
  copyUploadToFile,
  fileIntake,
  findDirectVideo,
  UPLOADS_ONLY,
  type UploadContext,
} from '../media/intake.ts';
import { forgetFiles, recordFiles } from '../media/store.ts';
import type { Uploads } from '../uploads/open.ts';
import { requireQuota } from '../uploads/quota.ts';

/** The takes of a tape, stored in their order, and its CV; or why one of them is none. */
type Found = { files: StoredNewMedia[]; cv: StoredNewPdf | null } | Refused;

interface Refused {
  refused: string;
  /** What the reason is about. */
  field: 'takes' | 'cv';
}

const sentTo = z.object({ id: z.string() });

/** Finds a tape of the caller that waits for its bytes. Whatever else the request may name is refused later. */
async function findWaitingTape(db: Db, userId: number, params: unknown): Promise<TapeRow | null> {
  const id = parseId(z.safeParse(sentTo, params).data?.id ?? '');
  if (id === null) return null;
  const { performerId, withdrawnAt } = auditionRequests;
  const [found] = await db
    .select({ tape: auditionTapes })
    .from(auditionTapes)
    .innerJoin(auditionRequests, eq(auditionRequests.id, auditionTapes.requestId))
    .where(
      and(eq(auditionTapes.id, id), eq(auditionTapes.state, 'announced'), eq(performerId, userId), isNull(withdrawnAt)),
    );
  return found?.tape ?? null;
}

/** The uploads that bring a tape. */
const getUploads = ({ takes, cv }: TapeRow): string[] =>
  [...takes, ...(cv ? [cv] : [])].map(({ upload_id }) => upload_id);

/** Whether these are the uploads of the tape, in any order. */
function hasUploads(tape: TapeRow, ids: readonly string[]): boolean {
  const uploads = getUploads(tape);
  return uploads.length === ids.length && uploads.every((id) => ids.includes(id));
}

/** Inspects the uploaded takes like videos of a portfolio, and the CV, and stores them, before the transaction. */
export function takesIntake(deps: Deps, uploads: Uploads) {
  /** The tapes that this process inspects at the moment. */
  const running = new Set<number>();

  async function storeTake(uploadId: string, context: UploadContext): Promise<StoredNewMedia> {
    const rules = { field: 'upload_ids', fileField: 'takes', maxBytes: deps.config.maxFileBytes.video };
    const direct = await findDirectVideo(uploads, context, uploadId, rules);
    if (direct !== null) return direct;
    const file = await copyUploadToFile(uploads.receiver, context, uploadId, rules);
    const stored = await context.fileStore.media('video', file, context.folder);
    await rm(file, { force: true });
    return stored;
  }

  async function storeCv({ upload_id }: StoredCv, context: UploadContext): Promise<StoredNewPdf> {
    const rules = { field: 'upload_ids', fileField: 'cv', maxBytes: deps.config.maxFileBytes.document };
    const file = await copyUploadToFile(uploads.receiver, context, upload_id, rules);
    const stored = await context.fileStore.pdf(file, TAPE_LIMITS.cvPages);
    await rm(file, { force: true });
    return stored;
  }

  async function storeTakes({ takes, cv }: TapeRow, context: UploadContext): Promise<Found> {
    const files: StoredNewMedia[] = [];
    for (const [index, { upload_id }] of takes.entries()) {
      try {
        files.push(await storeTake(upload_id, context));
      } catch (error) {
        if (!(error instanceof FileRefused)) throw error;
        return { refused: takes.length > 1 ? `Take ${index + 1}: ${error.message}` : error.message, field: 'takes' };
      }
    }
    try {
      return { files, cv: cv && (await storeCv(cv, context)) };
    } catch (error) {
      if (!(error instanceof FileRefused)) throw error;
      return { refused: `CV: ${error.message}`, field: 'cv' };
    }
  }

  /** @throws 409 while another request does the same: a device asks again after seconds, and large takes need longer than that */
  async function storeOnce(tape: TapeRow, context: UploadContext): Promise<Found> {
    if (running.has(tape.id)) throw conflict('Your tape is being checked', 2);
    running.add(tape.id);
    try {
      return await storeTakes(tape, context);
    } finally {
      running.delete(tape.id);
    }
  }

  return fileIntake<Found>(deps, UPLOADS_ONLY, async ({ fields }, context) => {
    const body = z.safeParse(arriveBody, fields);
    // What is wrong with such a request, its route says after it has checked whose tape it is.
    if (context.isAnswered || !body.success) return null;
    const tape = await findWaitingTape(deps.db, context.caller.userId, context.params);
    return tape !== null && hasUploads(tape, body.data.upload_ids) ? storeOnce(tape, context) : null;
  });
}

interface Arriving {
  db: Db;
  changes: ChangeLog;
  now: Date;
  body: z.output<typeof arriveBody>;
  subject: LockedTape;
}

interface Brought {
  config: Pick<Config, 'maxStorageBytes'>;
  uploads: Uploads;
  found: { value: Found; touch: UploadContext['touch'] } | undefined;
}

/** A refusal that the app shows. It does not name the uploads: that would make the device send the same bytes again. */
const refuse = ({ refused, field }: Refused): RouteResponse => ({
  status: 422,
  body: { message: refused, errors: { [field]: [refused] } },
});

/** Gives the earlier tapes of a request up for a newer one. @returns the keys of their files */
async function replaceEarlier({ db, changes, now }: Arriving, request: RequestRow, number: number): Promise<string[]> {
  const earlier = (await listTapesOf(db, request.id)).filter(
    (tape) => tape.number < number && tape.state !== 'refused',
  );
  const keys = earlier.flatMap(getTapeKeys);
  for (const tape of earlier.filter(({ state }) => state !== 'replaced')) {
    await changeTape(db, changes, tape, { state: 'replaced', ...withoutFiles(tape) }, { request, now });
  }
  await forgetFiles(db, keys);
  return keys;
}

/** Tells the side that casts that a tape has arrived. A performer who taped for a role that is cast by now reads at once what the others have read. */
async function tellBoth({ db, changes, now }: Arriving, request: RequestRow): Promise<void> {
  const arrived =
    request.arrivedAt === null ? await changeRequest(db, changes, request, { arrivedAt: now }, now) : request;
  const part = await getPart(db, request.roleId);
  await tellOfTape(db, changes, { request: arrived, part, now });
  if (part.role.status === 'cast' && request.answers.length === 0) {
    await addAnswer(db, changes, arrived, { kind: 'no_thank_you', text: part.role.othersText }, { part, now });
  }
}

/**
 * Takes the bytes of a tape, in the transaction in which it arrives: everything or nothing. Repeated, it changes nothing.
 * @throws 409 if the request was withdrawn, 422 on `upload_ids` if bytes are missing, on `storage` if the quota is exceeded
 */
export async function arrive(arriving: Arriving, { config, uploads, found }: Brought): Promise<RouteResponse> {
  const { db, changes, now, body, subject } = arriving;
  const { tape, request } = subject;
  if (tape.state === 'refused') {
    return refuse({ refused: tape.reason ?? '', field: tape.cv?.is_refused ? 'cv' : 'takes' });
  }
  if (tape.state !== 'announced') return ok({ message: 'Tape arrived', data: presentOwnTape(tape) });
  if (request.withdrawnAt !== null) throw conflictWith('This request was withdrawn', presentOwnTape(tape));
  if (!hasUploads(tape, body.upload_ids)) throw invalid({ takes: ['These are not the files of this tape'] });
  // The stored response was deleted in the meantime; a retry inspects the takes.
  if (found === undefined) throw conflict('Try again', 1);
  const { value, touch } = found;
  if ('refused' in value) {
    const keys = getTapeKeys(tape);
    const { takes, cv } = withoutFiles(tape);
    const blamed = cv && value.field === 'cv' ? { ...cv, is_refused: true as const } : cv;
    const change = { state: 'refused' as const, reason: value.refused, takes, cv: blamed };
    await changeTape(db, changes, tape, change, { request, now });
    await forgetFiles(db, keys);
    touch(...keys);
    return refuse(value);
  }
  await lockPerson(db, tape.userId);
  for (const uploadId of getUploads(tape)) {
    touch(...(await consumeUpload(uploads, db, tape.userId, uploadId, 'upload_ids')));
  }
  touch(...(await replaceEarlier(arriving, request, tape.number)));
  const files = [
    ...value.files.flatMap(({ original, copies }) => [original, ...copies]),
    ...(value.cv ? [value.cv] : []),
  ];
  await requireQuota(db, config, tape.userId, files);
  await recordFiles(db, { userId: tape.userId, requestId: request.id }, files, now);
  const takes = tape.takes.map((take, index) => {
    const { original, durationSeconds } = value.files[index]!;
    return {
      ...take,
      duration: durationSeconds ?? take.duration,
      width: original.width ?? take.width,
      height: original.height ?? take.height,
      size: original.sizeBytes,
      file_key: original.key,
    };
  });
  const { cv: pdf } = value;
  const cv = tape.cv && pdf && { ...tape.cv, pages: pdf.pages, size: pdf.sizeBytes, file_key: pdf.key };
  const change = { state: 'arrived' as const, arrivedAt: now, takes, cv };
  const arrived = await changeTape(db, changes, tape, change, { request, now });
  await tellBoth(arriving, request);
  return ok({ message: 'Tape arrived', data: presentOwnTape(arrived) });
}
