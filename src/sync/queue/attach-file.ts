import { canonicalId, isLocal, LOCAL } from '#db/canonical.ts';
import type { Operation } from '../operations/operation.ts';
import { append, appendUpload, drop, getTables, laneRows, type OutboxPorts } from './outbox.ts';
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
