import { createHash } from 'node:crypto';
import type { Deps } from '#server/platform/deps.ts';
import { describeFailure } from '#server/platform/jobs/failure.ts';
import type { Place, Quarantine } from '#server/platform/storage/quarantine.ts';
import { newFileKey } from '#server/platform/storage/storage.ts';
import { clearQuarantine, directStore, findDone, type DirectStore, type DirectUpload } from '../../uploads/direct.ts';
import { blank } from '../inspect/blank.ts';
import type { Inspected } from '../inspect/inspect.ts';
import { FileRefused } from '../inspect/refused.ts';
import { withFolder } from '../spool.ts';
import { PartialFile } from './partial-file.ts';
import { planPieces } from './pieces.ts';

type Parts = Pick<Deps, 'config' | 'db' | 'storage' | 'clock' | 'inspector' | 'floor' | 'log'>;

/** Read at once from both ends: what a check needs of most files. */
const END_BYTES = 64 * 1024;
/** The least that is read for a part in between. */
const LEAST_READ_BYTES = 4 * 1024;
/** A file that needs more reads than this is read as a whole: it consists of many small pieces. */
const MAX_READS = 64;

/** What is known of the complete file. `unproven`: the bucket computes no digests. */
type Outcome = 'proven' | 'unproven' | 'lost';

/** Puts the parts together. Repeated after a failure, it finds out how far it came. */
async function putTogether(quarantine: Quarantine, upload: DirectUpload, place: Place): Promise<Outcome> {
  const received = await quarantine.listParts(place);
  // Null: an earlier try put them together.
  if (received !== null) {
    const done = findDone(upload, received);
    if (done.length < upload.parts.length) return 'lost';
    await quarantine.complete(place, done);
  }
  const found = await quarantine.describe(place.name);
  if (found?.size !== upload.sizeBytes) return 'lost';
  if (found.digestOfParts === null) return 'unproven';
  const hash = createHash('sha256');
  for (const { sha256 } of upload.parts) hash.update(sha256, 'hex');
  return found.digestOfParts === hash.digest('hex') ? 'proven' : 'lost';
}

/** Whether the file in the quarantine is the one that the device announced. Reads all of it. */
async function hasDigest(quarantine: Quarantine, { quarantineName, sha256 }: DirectUpload): Promise<boolean> {
  const bytes = await quarantine.open(quarantineName);
  if (bytes === null) return false;
  const hash = createHash('sha256');
  for await (const chunk of bytes as AsyncIterable<Buffer>) hash.update(chunk);
  return hash.digest('hex') === sha256;
}

/** Inspects a file of which only what the inspection asks for is fetched. @throws FileRefused */
async function inspectByParts({ inspector, floor }: Parts, userId: number, partial: PartialFile): Promise<Inspected> {
  const { sizeBytes } = partial;
  await partial.fetch(0, END_BYTES);
  await partial.fetch(sizeBytes - END_BYTES, END_BYTES);
  for (let reads = 2; ; reads += 1) {
    const found = await inspector.inspectParts(userId, partial.file, partial.present);
    if (!('missing' in found)) return found;
    if (reads < MAX_READS) await partial.fetch(found.missing.offset, Math.max(LEAST_READ_BYTES, found.missing.length));
    else {
      await floor.requireStagingSpace(sizeBytes);
      await partial.fetch(0, sizeBytes);
    }
  }
}

/** Stores a checked file under its final key, without the metadata that must go. */
async function publish(
  quarantine: Quarantine,
  name: string,
  key: string,
  { partial, hidden }: { partial: PartialFile; hidden: Inspected['hidden'] },
) {
  const pieces = planPieces(partial.sizeBytes, hidden);
  for (const { start, end } of pieces.filter(({ isRewritten }) => isRewritten)) await partial.fetch(start, end - start);
  await blank(partial.file, hidden);
  await quarantine.publish(name, key, pieces, ({ start, end }) => partial.read(start, end));
}

/** Inspects a complete file and makes it one that can be attached. @throws FileRefused */
async function inspectAndPublish(
  parts: Parts,
  store: DirectStore,
  quarantine: Quarantine,
  upload: DirectUpload,
): Promise<void> {
  const { quarantineName: name, sizeBytes, userId } = upload;
  await withFolder(parts.config.dataDir, (folder) =>
    PartialFile.within(
      folder,
      sizeBytes,
      (range) => quarantine.open(name, range),
      async (partial) => {
        const { hidden, extension, type, durationSeconds, width, height } = await inspectByParts(
          parts,
          userId,
          partial,
        );
        const fileKey = upload.fileKey ?? newFileKey(extension);
        // Stored first: a repeat after a failure writes the same file again.
        if (!(await store.note(upload, { fileKey }))) return;
        await publish(quarantine, name, fileKey, { partial, hidden });
        const facts = { extension, type, durationSeconds, width, height };
        await store.note(upload, { state: 'ready', facts, updatedAt: parts.clock.now() });
      },
    ),
  );
}

/**
 * Puts an upload together, checks it and makes it one that can be attached, or refuses it with a reason. An upload of which something is missing
 * is forgotten: the request that attaches it tells the device to send it again. Can be repeated and interrupted at any point.
 */
export async function checkUpload(parts: Parts, id: string): Promise<void> {
  const { db, storage, clock, log } = parts;
  const { quarantine } = storage;
  const store = directStore(db, clock);
  const upload = await store.findChecking(id);
  if (upload === null) return;
  if (quarantine === undefined) {
    // The operator has switched this off. The device sends the file again, through the server.
    await store.forget(upload);
    return;
  }
  const place = { name: upload.quarantineName, uploadId: upload.bucketUploadId ?? '' };
  const outcome = await putTogether(quarantine, upload, place);
  if (outcome === 'lost' || (outcome === 'unproven' && !(await hasDigest(quarantine, upload)))) {
    // Another run of this job may have checked it meanwhile, and taken it out of the quarantine.
    if (await store.forget(upload)) {
      log?.warn({ upload: id, outcome }, 'a file did not arrive in the bucket as it was announced, and is sent again');
    }
  } else {
    await inspectAndPublish(parts, store, quarantine, upload).catch(async (error: unknown) => {
      if (!(error instanceof FileRefused)) throw error;
      await store.note(upload, { state: 'refused', reason: error.message, updatedAt: clock.now() });
    });
  }
  // The sweep removes what remains.
  await clearQuarantine(quarantine, upload).catch((error: unknown) =>
    log?.warn(describeFailure(error), 'a checked file remains in the quarantine until the next sweep'),
  );
}
