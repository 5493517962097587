import { rm } from 'node:fs/promises';
import { and, eq, lt, sql } from 'drizzle-orm';
import type { FastifyRequest } from 'fastify';
import * as z from 'zod/mini';
import { askBody, CASTING_LIMITS, type AskBody } from '#contract/records/casting.ts';
import type { Config } from '#server/platform/config.ts';
import type { Db } from '#server/platform/db/connect.ts';
import { lockPerson } from '#server/platform/db/lock-person.ts';
import { auditionRequests, castingRoles, castingSides, type StoredSides } from '#server/platform/db/schema.ts';
import type { Deps } from '#server/platform/deps.ts';
import type { Caller } from '#server/platform/http/caller.ts';
import { conflict } from '#server/platform/http/errors.ts';
import { parseId } from '#server/platform/http/ids.ts';
import type { Intake } from '#server/platform/http/route.ts';
import { removeFilesLater } from '#server/platform/storage/remove-files.ts';
import type { StoredNewPdf } from '../media/file-store.ts';
import {
  consumeUpload,
  copyUploadToFile,
  fileIntake,
  UPLOADS_ONLY,
  withFieldErrors,
  type UploadContext,
} from '../media/intake.ts';
import { recordFiles } from '../media/store.ts';
import type { Uploads } from '../uploads/open.ts';
import { requireQuota } from '../uploads/quota.ts';

type SidesRow = typeof castingSides.$inferSelect;

async function findSides(db: Db, userId: number, uploadId: string): Promise<SidesRow | null> {
  const [found] = await db
    .select()
    .from(castingSides)
    .where(and(eq(castingSides.userId, userId), eq(castingSides.uploadId, uploadId)));
  return found ?? null;
}

/** Whether this person may ask for this role, so that the PDFs are worth storing. The route says what is wrong if not. */
async function isExpected(db: Db, userId: number, { role_id }: AskBody): Promise<boolean> {
  const id = parseId(role_id);
  if (id === null) return false;
  const found = await db
    .select({ id: castingRoles.id })
    .from(castingRoles)
    .where(and(eq(castingRoles.id, id), eq(castingRoles.userId, userId)));
  return found.length > 0;
}

const namesSides = (body: unknown): boolean =>
  typeof body === 'object' && body !== null && 'sides' in body && Array.isArray(body.sides) && body.sides.length > 0;

/** The PDFs that a request brings, already stored, by the uploads that brought them. */
type NewSides = ReadonlyMap<string, StoredNewPdf>;

/** What a request has beside its body. */
export interface BroughtSides {
  config: Pick<Config, 'maxStorageBytes'>;
  uploads: Uploads;
  /** Undefined if the request names no PDFs, or its route refuses it. */
  found: { value: NewSides; touch: UploadContext['touch'] } | undefined;
}

/** Inspects and stores the PDFs of a request that no earlier one has brought, before the transaction. */
export function sidesIntake(deps: Deps, { receiver }: Uploads) {
  /** The uploads that this process inspects at the moment. Whoever asks thirty people sends thirty requests with the same PDF. */
  const running = new Set<string>();

  /** @throws 409 while another request does the same */
  async function storePdf(uploadId: string, place: string, context: UploadContext): Promise<StoredNewPdf> {
    const name = `${context.caller.userId} ${uploadId}`;
    if (running.has(name)) throw conflict('Your pages are being checked', 2);
    running.add(name);
    try {
      const rules = { field: 'upload_ids', fileField: 'sides', maxBytes: deps.config.maxFileBytes.document };
      const file = await copyUploadToFile(receiver, context, uploadId, rules);
      const stored = await withFieldErrors('sides', place, () =>
        context.fileStore.pdf(file, CASTING_LIMITS.sidesPages),
      );
      await rm(file, { force: true });
      return stored;
    } finally {
      running.delete(name);
    }
  }

  const { read, prepared } = fileIntake<NewSides>(deps, UPLOADS_ONLY, async ({ fields }, context) => {
    const { userId } = context.caller;
    const body = z.safeParse(askBody, fields);
    if (context.isAnswered || !body.success || !(await isExpected(deps.db, userId, body.data))) return null;
    const { sides } = body.data;
    const stored = new Map<string, StoredNewPdf>();
    for (const { upload_id, name } of sides) {
      if ((await findSides(deps.db, userId, upload_id)) !== null) continue;
      stored.set(upload_id, await storePdf(upload_id, sides.length > 1 ? `${name}: ` : '', context));
    }
    return stored;
  });
  return {
    // A request without PDFs is like any other. The repeat of one from before there were PDFs must have the same fingerprint.
    read: (request: FastifyRequest): Promise<Intake | null> =>
      namesSides(request.body) ? read(request) : Promise.resolve(null),
    prepared,
  };
}

interface Bringing {
  userId: number;
  uploadId: string;
  now: Date;
}

/** Records a PDF that was stored before the transaction. @throws 422 on `storage` if the quota is exceeded */
async function addSides(
  tx: Db,
  { userId, uploadId, now }: Bringing,
  { config, uploads, found }: BroughtSides,
): Promise<SidesRow> {
  const file = found?.value.get(uploadId);
  // The stored response was deleted in the meantime, or an earlier PDF; a retry inspects it.
  if (found === undefined || file === undefined) throw conflict('Try again', 1);
  found.touch(...(await consumeUpload(uploads, tx, userId, uploadId, 'upload_ids')));
  await requireQuota(tx, config, userId, [file]);
  const values = { userId, uploadId, fileKey: file.key, pages: file.pages, sizeBytes: file.sizeBytes, createdAt: now };
  const [added] = await tx.insert(castingSides).values(values).returning();
  await recordFiles(tx, { userId, sidesId: added!.id }, [file], now);
  return added!;
}

/**
 * Takes the PDFs that a request names: those that an earlier request of this sender has brought, and new ones. Locks the sender until the commit, so that
 * two requests do not bring the same one, and none is deleted meanwhile.
 * @throws 422 on `upload_ids` if bytes are missing, on `storage` if the quota is exceeded
 */
export async function takeSides(
  tx: Db,
  { userId }: Caller,
  named: AskBody['sides'],
  brought: BroughtSides,
  now: Date,
): Promise<StoredSides[]> {
  if (named.length > 0) await lockPerson(tx, userId);
  const taken: StoredSides[] = [];
  for (const { upload_id: uploadId, name } of named) {
    const known = await findSides(tx, userId, uploadId);
    const { id, pages, sizeBytes, fileKey } = known ?? (await addSides(tx, { userId, uploadId, now }, brought));
    // Another device of the sender may have uploaded it again.
    if (known !== null) brought.found?.touch(...((await brought.uploads.store.end(userId, uploadId, tx)) ?? []));
    taken.push({ id: String(id), name, pages, size: sizeBytes, file_key: fileKey });
  }
  return taken;
}

/** Requests of a sender wait on phones for some time, so what none names yet is kept for a while. */
const KEPT_UNUSED_MS = 7 * 86_400_000;
const BATCH_SIZE = 50;

const isUnused = sql`not exists (select 1 from ${auditionRequests} where ${auditionRequests.userId} = ${castingSides.userId}
  and ${auditionRequests.sides} @> jsonb_build_array(jsonb_build_object('file_key', ${castingSides.fileKey})))`;

/** Deletes PDFs that no request names any more, because the performers have deleted their accounts. */
export async function deleteUnusedSides(db: Db, now: Date): Promise<void> {
  const isOld = lt(castingSides.createdAt, new Date(now.getTime() - KEPT_UNUSED_MS));
  for (;;) {
    const unused = await db.select().from(castingSides).where(and(isOld, isUnused)).limit(BATCH_SIZE);
    for (const { id, userId, fileKey } of unused) {
      await db.transaction(async (tx) => {
        await lockPerson(tx, userId);
        const gone = await tx
          .delete(castingSides)
          .where(and(eq(castingSides.id, id), isUnused))
          .returning({ id: castingSides.id });
        if (gone.length > 0) await removeFilesLater(tx, [fileKey]);
      });
    }
    if (unused.length < BATCH_SIZE) return;
  }
}
