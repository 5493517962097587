import { eq } from 'drizzle-orm';
import type { Db } from '#server/platform/db/connect.ts';
import { users } from '#server/platform/db/schema.ts';
import { lockAudit, recordCommand } from './audit.ts';

/** Makes somebody an operator, or takes that away, by a command on the operator's machine. */
export async function setOperator(
  db: Db,
  email: string,
  isOperator: boolean,
  now: Date,
): Promise<'no account' | 'unchanged' | 'done'> {
  return db.transaction(async (tx) => {
    await lockAudit(tx);
    const [user] = await tx.select().from(users).where(eq(users.email, email.trim().toLowerCase())).for('update');
    if (user === undefined) return 'no account';
    const role = isOperator ? 'operator' : 'person';
    if (user.role === role) return 'unchanged';
    await tx.update(users).set({ role }).where(eq(users.id, user.id));
    await recordCommand(tx, now, {
      actorName: 'npm run operator',
      act: isOperator ? 'operator.make' : 'operator.unmake',
      targetType: 'user',
      targetId: user.id,
      targetUserId: user.id,
      before: { role: user.role },
    });
    return 'done';
  });
}
