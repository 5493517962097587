import { and, asc, desc, eq, gt, inArray, isNull, sql } from 'drizzle-orm';
import { LINK_LIMITS, type ShareLink } from '#contract/records/links.ts';
import type { ChangeLog } from '#server/platform/db/change-log.ts';
import type { Db } from '#server/platform/db/connect.ts';
import { castingLinkOpenings, castingLinks, castingRoles } from '#server/platform/db/schema.ts';

export type LinkRow = typeof castingLinks.$inferSelect;
type OpeningRow = typeof castingLinkOpenings.$inferSelect;

/** Whether a link shows anything to anybody now. Wrong codes close only its entrance: see `closedUntil`. */
export const isLive = ({ revokedAt, expiresAt }: Pick<LinkRow, 'revokedAt' | 'expiresAt'>, now: Date): boolean =>
  revokedAt === null && expiresAt > now;

/** The same as a condition of a query. */
export const isLiveIn = (now: Date) => and(isNull(castingLinks.revokedAt), gt(castingLinks.expiresAt, now));

/** The newest openings of links, newest first, by the id of the link. */
async function getOpenings(db: Db, linkIds: number[]): Promise<Map<number, OpeningRow[]>> {
  if (linkIds.length === 0) return new Map();
  const ranked = db.$with('ranked').as(
    db
      .select({
        id: castingLinkOpenings.id,
        place:
          sql<number>`row_number() over (partition by ${castingLinkOpenings.linkId} order by ${castingLinkOpenings.id} desc)`.as(
            'place',
          ),
      })
      .from(castingLinkOpenings)
      .where(inArray(castingLinkOpenings.linkId, linkIds)),
  );
  const rows = await db
    .with(ranked)
    .select({ opening: castingLinkOpenings })
    .from(castingLinkOpenings)
    .innerJoin(ranked, eq(ranked.id, castingLinkOpenings.id))
    .where(sql`${ranked.place} <= ${LINK_LIMITS.openings}`)
    .orderBy(desc(castingLinkOpenings.id));
  const found = new Map(linkIds.map((id) => [id, [] as OpeningRow[]]));
  for (const { opening } of rows) found.get(opening.linkId)?.push(opening);
  return found;
}

/** Presents links to their owner. */
export async function presentLinks(db: Db, rows: readonly LinkRow[]): Promise<ShareLink[]> {
  const openings = await getOpenings(
    db,
    rows.map(({ id }) => id),
  );
  return rows.map((row) => ({
    id: String(row.id),
    client_id: row.clientId,
    role_id: String(row.roleId),
    name: row.name,
    tape_ids: row.tapeIds,
    expires_at: row.expiresAt.toISOString(),
    token_hash: row.tokenHash,
    has_code: row.codeHash !== null,
    watermark: row.watermark,
    opened: row.opened,
    openings: (openings.get(row.id) ?? []).map(({ openedAt, seconds }) => ({ at: openedAt.toISOString(), seconds })),
    closed_until: row.closedUntil?.toISOString() ?? null,
    revoked_at: row.revokedAt?.toISOString() ?? null,
    revoked_by: row.revokedBy,
    version: row.version,
    created_at: row.createdAt.toISOString(),
    updated_at: row.updatedAt.toISOString(),
  }));
}

export async function presentLink(db: Db, row: LinkRow): Promise<ShareLink> {
  const [presented] = await presentLinks(db, [row]);
  if (presented === undefined) throw new Error('A link was not presented');
  return presented;
}

/** The links of an owner, oldest first: all, or those with these ids. */
export const listLinks = (db: Db, userId: number, ids?: number[]): Promise<LinkRow[]> =>
  db
    .select()
    .from(castingLinks)
    .where(and(eq(castingLinks.userId, userId), ids && inArray(castingLinks.id, ids)))
    .orderBy(asc(castingLinks.id));

/** Writes a locked link and records it for its owner, who is the only one to read it. */
export async function changeLink(
  tx: Db,
  changes: ChangeLog,
  row: LinkRow,
  values: Partial<LinkRow>,
  now: Date,
): Promise<LinkRow> {
  const next = { ...values, version: row.version + 1, updatedAt: now };
  await tx.update(castingLinks).set(next).where(eq(castingLinks.id, row.id));
  recordLink(changes, row);
  return { ...row, ...next };
}

export const recordLink = (changes: ChangeLog, { id, userId, roleId }: LinkRow): void =>
  changes.recordChange(userId, 'link', String(id), String(roleId));

/** Records for their owner that the links of a role, or of a project, are deleted with it. */
export async function recordLinksRemoved(
  tx: Db,
  changes: ChangeLog,
  of: { projectId: number } | { roleId: number },
): Promise<void> {
  const rows = await tx
    .select({ id: castingLinks.id, userId: castingLinks.userId, roleId: castingLinks.roleId })
    .from(castingLinks)
    .innerJoin(castingRoles, eq(castingRoles.id, castingLinks.roleId))
    .where('roleId' in of ? eq(castingRoles.id, of.roleId) : eq(castingRoles.projectId, of.projectId));
  for (const { id, userId, roleId } of rows) changes.recordDeletion(userId, 'link', String(id), String(roleId));
}
