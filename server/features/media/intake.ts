import { and, eq } from 'drizzle-orm';
import type { FastifyRequest } from 'fastify';
import type { Db } from '#server/platform/db/connect.ts';
import type { Deps } from '#server/platform/deps.ts';
import { idempotencyKeys } from '#server/platform/db/schema.ts';
import type { Caller } from '#server/platform/http/caller.ts';
import { conflict, HttpError, invalid } from '#server/platform/http/errors.ts';
import type { Intake } from '#server/platform/http/route.ts';
import { computeFingerprint, readIdempotencyKey } from '#server/platform/http/write.ts';
import type { Uploads } from '#server/features/uploads/open.ts';
import type { UploadReceiver } from '#server/features/uploads/receive.ts';
import { isUploadId } from '#server/features/uploads/protocol.ts';
import { fileTooBig } from '#server/features/uploads/size-limits.ts';
import { removeUnreferenced } from '#server/platform/storage/sweep.ts';
import { describeFailure } from '#server/platform/jobs/failure.ts';
import { readForm, type FormRules, type PickedFile } from './form.ts';
import { FileRefused } from './inspect/refused.ts';
import { createFileStore, type StoredNewMedia } from './file-store.ts';
import { spool, type Staging, withFolder } from './spool.ts';

/** A received request: its fields as sent, and its files, or the ids of uploads among the fields. */
export interface ReceivedFiles {
  fields: Record<string, unknown>;
  files: PickedFile[];
}

/** Resources of one request. `touch` records every stored file that the request creates or may release. */
export interface UploadContext extends Staging {
  caller: Caller;
  fileStore: ReturnType<typeof createFileStore>;
  /** Checks that a file of this size can be staged in `folder` and stored. @throws 507 */
  requireSpace: (bytes: number) => Promise<void>;
  touch: (...keys: string[]) => void;
  /** The parameters of the path, as sent. */
  params: unknown;
  /** Whether a response is already stored under this request's Idempotency-Key, so that files need no inspection. */
  isAnswered: boolean;
}

/** The rules of a request that names uploads and takes no form. */
export const UPLOADS_ONLY: FormRules = { fileField: '', maxFiles: 0, maxBytes: 0, tooMany: () => '' };

/**
 * Handles the part of a request with files that runs before its transaction: reads, inspects and stores the files. However the
 * request ends, storage keeps none of its files that no row references.
 * @param prepare validates the fields, stores the files and returns what the transaction needs, or null if it needs nothing
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
        request.log.warn(describeFailure(error), 'stored files are left to the sweep'),
      );
    };
    try {
      return await withFolder(deps.config.dataDir, async (folder) => {
        // Content-Length is only the client's claim. With an honest one, nothing is received in vain.
        await floor.requireStagingSpace(Number(request.headers['content-length'] ?? 0) || 0);
        const sent = await receive(request, { folder, floor }, rules);
        const fileStore = createFileStore(storage, touch, (file, kind) => inspector.inspect(caller.userId, file, kind));
        const prepareNow = async () => {
          const isAnswered = await hasAnswer(deps, request, caller.userId);
          const requireSpace = async (bytes: number) => {
            await floor.requireStagingSpace(bytes);
            await floor.requireStorageSpace(2 * bytes);
          };
          return prepare(sent, {
            caller,
            fileStore,
            folder,
            floor,
            requireSpace,
            touch,
            params: request.params,
            isAnswered,
          });
        };
        const value = await prepareNow().catch((error: unknown) => {
          if (!(error instanceof UploadGone)) throw error;
          // A repeat of this request may have consumed the upload in this moment. Then there is an answer now.
          return prepareNow();
        });
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

async function receive(request: FastifyRequest, staging: Staging, rules: FormRules): Promise<ReceivedFiles> {
  // Routes without a form parser have already rejected multipart requests.
  const isForm = request.headers['content-type']?.toLowerCase().startsWith('multipart/') ?? false;
  if (isForm) return readForm(request, staging, rules);
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

/** Fingerprint of fields and file contents. It excludes the multipart boundary, which differs between retries. */
const fingerprintOfSent = ({ fields, files }: ReceivedFiles) =>
  computeFingerprint(
    // Sort by name only: a JSON value may not be convertible to a string.
    JSON.stringify(Object.entries(fields).sort(([one], [other]) => (one < other ? -1 : 1))),
    ...files.map(({ field, sha256 }) => `${field} ${sha256}`),
  );

/** The upload has expired or was consumed. A 422 on the field that names it. */
class UploadGone extends HttpError {
  constructor(field: string) {
    const { status, body } = invalid({ [field]: ['This upload has expired. Add the file again'] });
    super(status, body);
  }
}

interface UploadRules {
  /** The field that names the upload. */
  field: string;
  /** The field of a file in a form: an error of the file itself is reported there. */
  fileField: string;
  maxBytes: number;
}

/**
 * Copies a completed upload of this person to a temporary file.
 * @throws 413 on `fileField` if it is too large, 422 on `field` if it is gone or incomplete, 507 if the disk is too full
 */
export async function copyUploadToFile(
  receiver: UploadReceiver,
  { caller, folder, floor, requireSpace }: UploadContext,
  id: string,
  { field, fileField, maxBytes }: UploadRules,
): Promise<string> {
  const upload = await receiver.look(caller.userId, id);
  if (upload === null) throw new UploadGone(field);
  if (upload.lengthBytes > maxBytes) throw fileTooBig(fileField, maxBytes);
  if (upload.offsetBytes < upload.lengthBytes) throw invalid({ [field]: ['This upload is not finished yet'] });
  await requireSpace(upload.lengthBytes);
  const { file, sha256 } = await spool(receiver.read(upload), { folder, floor }).catch(async (error: unknown) => {
    // Its parts are removed once it is consumed.
    if ((await receiver.look(caller.userId, id)) === null) throw new UploadGone(field);
    throw error;
  });
  if (sha256 !== upload.sha256) throw new Error(`Upload ${id} is not what was received`);
  return file;
}

/**
 * Finds a video that this person sent to the bucket, already checked and stored. Null if it was not sent that way, or another device was
 * faster and sent it to the server under the same id.
 * @throws FileRefused if the check refused it; 409 while it is being checked, 413 and 422 like `copyUploadToFile`
 */
export async function findDirectVideo(
  { direct, receiver }: Uploads,
  { caller }: Pick<UploadContext, 'caller'>,
  id: string,
  { field, fileField, maxBytes }: UploadRules,
): Promise<StoredNewMedia | null> {
  const upload = isUploadId(id) ? await direct.find(caller.userId, id) : null;
  if (upload === null) return null;
  const { sizeBytes, state, fileKey: key, facts } = upload;
  const sent = state === 'open' ? await receiver.look(caller.userId, id) : null;
  if (sent !== null && sent.offsetBytes === sent.lengthBytes) return null;
  if (sizeBytes > maxBytes) throw fileTooBig(fileField, maxBytes);
  if (state === 'refused') throw new FileRefused(upload.reason ?? '');
  if (state === 'open') throw invalid({ [field]: ['This upload is not finished yet'] });
  if (state === 'checking' || key === null || facts === null) throw conflict('Your file is being checked', 2);
  const { durationSeconds, ...found } = facts;
  return { original: { ...found, key, sizeBytes, sha256: null }, copies: [], durationSeconds };
}

/** Consumes an upload in the transaction that attaches it. @returns the keys of its parts @throws 422 if it is gone */
export async function consumeUpload(
  uploads: Uploads,
  tx: Db,
  userId: number,
  id: string,
  field: string,
): Promise<string[]> {
  const keys = await uploads.store.end(userId, id, tx);
  const direct = isUploadId(id) ? await uploads.direct.end(userId, id, tx) : null;
  if (keys === null && direct === null) throw new UploadGone(field);
  return [...(keys ?? []), ...(direct?.fileKey == null ? [] : [direct.fileKey])];
}

/** Runs `work` and turns a refused file into a 422 on its field. `place` prefixes the message when there are several files. */
export async function withFieldErrors<T>(field: string, place: string, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (!(error instanceof FileRefused)) throw error;
    throw invalid({ [field]: [`${place}${error.message}`] });
  }
}
