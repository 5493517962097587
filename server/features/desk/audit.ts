import { createHash } from 'node:crypto';
import { asc, desc, gt, sql } from 'drizzle-orm';
import type { Db } from '#server/platform/db/connect.ts';
import { audit } from '#server/platform/db/schema.ts';

export type AuditRow = typeof audit.$inferSelect;
/** What an entry says, without what the chain adds. */
export type AuditEntry = Omit<AuditRow, 'id' | 'previousHash' | 'hash'>;

/** Before the first entry. */
const NO_HASH = '0'.repeat(64);
const BATCH_SIZE = 1000;

/** JSON with sorted keys: PostgreSQL does not keep the order in which they were written. */
function toCanonical(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(toCanonical);
  if (value === null || typeof value !== 'object' || value instanceof Date) return value;
  const entries = Object.entries(value).sort(([one], [other]) => (one < other ? -1 : 1));
  return Object.fromEntries(entries.map(([key, inner]) => [key, toCanonical(inner)]));
}

const toHash = ({ hash: _, ...row }: AuditRow): string =>
  createHash('sha256')
    .update(JSON.stringify(toCanonical(row)))
    .digest('hex');

/** Locks the log until the commit, so that each entry follows the one before it. @returns the number of the next entry */
export async function lockAudit(tx: Db): Promise<{ id: number; previousHash: string }> {
  await tx.execute(sql`select pg_advisory_xact_lock(hashtextextended('audit', 0))`);
  const [last] = await tx.select().from(audit).orderBy(desc(audit.id)).limit(1);
  return { id: (last?.id ?? 0) + 1, previousHash: last?.hash ?? NO_HASH };
}

/** Adds an entry to the log. */
export async function recordAct(tx: Db, entry: AuditEntry): Promise<AuditRow> {
  const place = await lockAudit(tx);
  const unsigned = { ...entry, ...place, hash: '' };
  const [row] = await tx
    .insert(audit)
    .values({ ...unsigned, hash: toHash(unsigned) })
    .returning();
  return row!;
}

type CommandEntry = Pick<AuditEntry, 'actorName' | 'act' | 'targetType' | 'targetId' | 'targetUserId' | 'before'>;

/** Adds an entry about something that was done by a command on the operator's machine. */
export const recordCommand = (tx: Db, at: Date, entry: CommandEntry): Promise<AuditRow> =>
  recordAct(tx, {
    ...entry,
    at,
    actorId: null,
    reportId: null,
    reason: 'other',
    words: null,
    undoes: null,
    requestId: null,
  });

export type AuditCheck = { ok: true; count: number; lastHash: string } | { ok: false; id: number; problem: string };

/**
 * Follows the chain of the log. An entry that was changed, inserted or removed breaks it; entries cut off at the end do not, so the number
 * and digest of the last one are to be compared with the server's log, which has both for every act at the desk. An entry of a command is
 * covered by the next act after it.
 */
export async function checkAudit(db: Db): Promise<AuditCheck> {
  let last = { id: 0, hash: NO_HASH };
  for (;;) {
    const rows = await db.select().from(audit).where(gt(audit.id, last.id)).orderBy(asc(audit.id)).limit(BATCH_SIZE);
    for (const row of rows) {
      if (row.id !== last.id + 1) return { ok: false, id: last.id + 1, problem: 'is missing' };
      if (row.previousHash !== last.hash)
        return { ok: false, id: row.id, problem: 'does not follow the one before it' };
      if (toHash(row) !== row.hash) return { ok: false, id: row.id, problem: 'was changed' };
      last = row;
    }
    if (rows.length < BATCH_SIZE) return { ok: true, count: last.id, lastHash: last.hash };
  }
}
