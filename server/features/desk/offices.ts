import {
  lockOffice,
  revokeOffice,
  verifyOffice,
  type NewOffice,
  type OfficeRow,
} from '#server/platform/access/offices.ts';
import { ChangeLog } from '#server/platform/db/change-log.ts';
import type { Db } from '#server/platform/db/connect.ts';
import { lockAudit, recordCommand } from './audit.ts';

const COMMAND = 'npm run offices';

/** Verifies an office by a command on the operator's machine. The desk can undo it. @throws as `verifyOffice` */
export function verifyByCommand(db: Db, office: Omit<NewOffice, 'verifiedBy'>, now: Date): Promise<OfficeRow> {
  return db.transaction(async (tx) => {
    await lockAudit(tx);
    const changes = new ChangeLog();
    const verified = await verifyOffice(tx, changes, { ...office, verifiedBy: null }, now);
    await recordCommand(tx, now, {
      actorName: COMMAND,
      act: 'office.verify',
      targetType: 'user',
      targetId: office.userId,
      targetUserId: office.userId,
      before: { office: verified.id },
    });
    await changes.flush(tx, now);
    return verified;
  });
}

/** Takes the badge back by a command on the operator's machine. The desk can undo it. @returns false if there is no such verified office */
export function revokeByCommand(db: Db, id: number, now: Date): Promise<boolean> {
  return db.transaction(async (tx) => {
    await lockAudit(tx);
    const changes = new ChangeLog();
    if (!(await revokeOffice(tx, changes, id, now))) return false;
    const { userId } = await lockOffice(tx, id);
    await recordCommand(tx, now, {
      actorName: COMMAND,
      act: 'office.revoke',
      targetType: 'office',
      targetId: id,
      targetUserId: userId,
      before: null,
    });
    await changes.flush(tx, now);
    return true;
  });
}
