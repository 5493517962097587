import type { MediaType } from '#contract/media-types.ts';
import { canonicalId, isLocal, LOCAL } from '#db/canonical.ts';
import { createRecord } from '../operations/create-record.ts';
import type { Operation } from '../operations/operation.ts';
import { append, appendUpload, create, drop, getTables, laneRows, type OutboxPorts, type Values } from './outbox.ts';
import { isSetAside, isUnsent } from './planner.ts';

/**
 * Queues the bytes of a stored file and the change that attaches them to a profile, in one transaction. An operation
 * that creates no record of its own (an avatar) replaces the unsent and refused rows of its lane.
 */
export async function attachFile<Patch extends object>(
  ports: OutboxPorts,
  operation: Operation<Patch>,
  about: { type: string; profileId: string; mediaId: string; patch: Patch },
): Promise<{ id: string; op: string }> {
  const { db, chance } = ports;
  const { type, mediaId, patch } = about;
  const op = chance.uuid();
  const uploadOp = chance.uuid();
  const made = LOCAL + chance.uuid();
  return db.transaction('rw', getTables(db), async () => {
    const owner = await canonicalId(db, 'profile', about.profileId);
    const id = operation.makesTarget ? made : owner;
    const parent = operation.makesTarget ? owner : null;
    await appendUpload(ports, uploadOp, mediaId);
    if (!operation.makesTarget) {
      const lane = await laneRows(db, operation.lane({ type, target: id, parent, patch }));
      for (const row of lane.filter((each) => isUnsent(each) || isSetAside(each))) await drop(ports, row, 'replaced');
    }
    const deps = isLocal(owner) ? [mediaId, owner] : [mediaId];
    await append(ports, operation, { op, type, target: id, parent, patch, deps });
    return { id, op };
  });
}

/** A stored file with the fields of its kind, or a link to a YouTube video with its own. */
export type NewMedia =
  { mediaId: string; fields: Values & { media_type: MediaType } } | { fields: Values & { youtube_url: string } };

/** Queues portfolio items, all of them or none. @returns the ids of the items and of their changes, in order */
export async function addMedia(
  ports: OutboxPorts,
  profileId: string,
  items: readonly NewMedia[],
): Promise<{ id: string; op: string | null }[]> {
  return ports.db.transaction('rw', getTables(ports.db), async () => {
    const queued: { id: string; op: string | null }[] = [];
    for (const item of items) {
      queued.push(
        'mediaId' in item
          ? await attachFile(ports, createRecord, {
              type: 'media',
              profileId,
              mediaId: item.mediaId,
              patch: item.fields,
            })
          : await create(ports, 'media', profileId, { ...item.fields, media_type: 'video' }),
      );
    }
    return queued;
  });
}
