import { and, eq } from 'drizzle-orm';
import type { FastifyRequest } from 'fastify';
import type { Db } from '#server/platform/db/connect.ts';
import type { Deps } from '#server/platform/deps.ts';
import { idempotencyKeys } from '#server/platform/db/schema.ts';
import type { Caller } from '#server/platform/http/caller.ts';
import { invalid } from '#server/platform/http/errors.ts';
import type { Intake } from '#server/platform/http/route.ts';
import { computeFingerprint, readIdempotencyKey } from '#server/platform/http/write.ts';
import type { Uploads } from '#server/features/uploads/open.ts';
import type { UploadReceiver } from '#server/features/uploads/receive.ts';
import { removeUnreferenced } from '#server/platform/storage/sweep.ts';
import { readForm, type FormRules, type PickedFile } from './form.ts';
import { FileRefused } from './inspect/refused.ts';
import { createFileStore } from './file-store.ts';
import { spool, withFolder } from './spool.ts';

/** What came: fields as they were sent, and files, or the ids of uploads in their place. */
export interface ReceivedFiles {
  fields: Record<string, unknown>;
  files: PickedFile[];
}

/** Works for one call; `touch` is told every stored file that the call makes or may let go of. */
export interface UploadContext {
  caller: Caller;
  fileStore: ReturnType<typeof createFileStore>;
  folder: string;
  touch: (...keys: string[]) => void;
  /** Whether an answer lies ready under this request's Idempotency-Key, so that no file need be looked at. */
  isAnswered: boolean;
}

/**
 * The part of a call with files that cannot wait for its transaction: bytes are read, files looked through and stored. Whatever
 * becomes of the call, afterwards the store holds none of its files that no row knows.
 * @param prepare checks the fields, stores the files and answers what the transaction needs; null when it needs nothing
 */
export function fileIntake<T>(
  deps: Deps,
  rules: FormRules,
  prepare: (sent: ReceivedFiles, context: UploadContext) => Promise<T | null>,
) {
  const prepared = new WeakMap<FastifyRequest, { value: T; touch: UploadContext['touch'] }>();

  async function read(request: FastifyRequest): Promise<Intake> {
    const { db, storage, inspector, floor } = deps;
    const caller = request.caller as Caller;
    const touched = new Set<string>();
    const touch = (...keys: string[]) => keys.forEach((key) => touched.add(key));
    const release = async () => {
      await removeUnreferenced(db, storage, [...touched]).catch((error: unknown) =>
        request.log.warn({ err: error }, 'stored files are left to the sweep'),
      );
    };
    try {
      return await withFolder(deps.config.dataDir, async (folder) => {
        // The length is its sender's word, and enough to keep a disk from filling up by ten megabytes at a time.
        await floor.requireStagingSpace(Number(request.headers['content-length'] ?? 0) || 0);
        const sent = await receive(request, folder, rules);
        const isAnswered = await hasAnswer(deps, request, caller.userId);
        const fileStore = createFileStore(storage, touch, (file, kind) => inspector.inspect(caller.userId, file, kind));
        const value = await prepare(sent, { caller, fileStore, folder, touch, isAnswered });
        if (value !== null) prepared.set(request, { value, touch });
        return { body: sent.fields, fingerprint: fingerprintOfSent(sent), release };
      });
    } catch (error) {
      await release();
      throw error;
    }
  }

  return { read, prepared };
}

async function receive(request: FastifyRequest, folder: string, rules: FormRules): Promise<ReceivedFiles> {
  // Where no forms are read, one has been turned away before.
  const isForm = request.headers['content-type']?.toLowerCase().startsWith('multipart/') ?? false;
  if (isForm) return readForm(request, folder, rules);
  const { body } = request;
  if (typeof body !== 'object' || body === null || Array.isArray(body)) return { fields: {}, files: [] };
  return { fields: { ...body }, files: [] };
}

async function hasAnswer({ db }: Deps, request: FastifyRequest, userId: number): Promise<boolean> {
  const key = readIdempotencyKey(request.headers['idempotency-key']);
  if (key === null) return false;
  const found = await db
    .select({ key: idempotencyKeys.key })
    .from(idempotencyKeys)
    .where(and(eq(idempotencyKeys.userId, userId), eq(idempotencyKeys.key, key)));
  return found.length > 0;
}

/** Fields and bytes, but not the boundary, which differs from one try to the next. */
const fingerprintOfSent = ({ fields, files }: ReceivedFiles) =>
  computeFingerprint(
    // By their names alone: a value out of JSON may be one that no text can be made of.
    JSON.stringify(Object.entries(fields).sort(([one], [other]) => (one < other ? -1 : 1))),
    ...files.map(({ field, sha256 }) => `${field} ${sha256}`),
  );

/** The bytes of a complete upload of this person, as a file. @throws 422 on `field` when it is gone or not complete */
export async function copyUploadToFile(
  receiver: UploadReceiver,
  { caller, folder }: UploadContext,
  id: string,
  field: string,
): Promise<string> {
  const upload = await receiver.look(caller.userId, id);
  if (upload === null) throw invalid({ [field]: ['This upload has expired. Add the file again'] });
  if (upload.offsetBytes < upload.lengthBytes) throw invalid({ [field]: ['This upload is not finished yet'] });
  const { file, sha256 } = await spool(receiver.read(upload), folder);
  if (sha256 !== upload.sha256) throw new Error(`Upload ${id} is not what was received`);
  return file;
}

/** Spends an upload in the transaction that attaches it; answers the files of its parts. @throws 422 when it is gone */
export async function consumeUpload(
  uploads: Uploads,
  tx: Db,
  userId: number,
  id: string,
  field: string,
): Promise<string[]> {
  const keys = await uploads.store.end(userId, id, tx);
  if (keys === null) throw invalid({ [field]: ['This upload has expired. Add the file again'] });
  return keys;
}

/** Runs `work`; a refused file becomes 422 on the field it came in, told apart by its place where there are several. */
export async function withFieldErrors<T>(field: string, place: string, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (!(error instanceof FileRefused)) throw error;
    throw invalid({ [field]: [`${place}${error.message}`] });
  }
}
