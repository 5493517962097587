import { and, asc, eq, inArray, isNull, sql } from 'drizzle-orm';
import { isWithheldByDesk } from '#server/platform/access/withholding.ts';
import type { Db } from '#server/platform/db/connect.ts';
import { auditionRequests, auditionTapes, profiles, restrictions, users } from '#server/platform/db/schema.ts';
import type { LinkRow } from '../casting/link-rows.ts';
import type { TapeRow } from '../casting/tape-rows.ts';

export interface SharedTape {
  tape: TapeRow;
  /** Of who taped. */
  name: string;
}

/** The desk has hidden one of its takes. */
const isHidden = sql`exists (
  select from ${restrictions} where ${restrictions.liftedAt} is null and ${restrictions.fileKeys} &&
    (select array_agg(take ->> 'file_key') from jsonb_array_elements(${auditionTapes.takes}) as take))`;

/** A newer tape, which has not arrived yet or never will, says that links must not show it. That holds for this one too. */
const isRefusedSince = sql`exists (
  select from ${auditionTapes} as newer where newer.request_id = ${auditionTapes.requestId}
    and newer.number > ${auditionTapes.number} and newer.no_links)`;

/**
 * The tapes that a link shows at this moment, by name: those that have arrived, were not replaced, and whose performer is an adult who did
 * not refuse it. All that, and what the desk decides, is asked anew by each request.
 * @param takeId only the tape with this take
 */
export const listSharedTapes = (
  db: Db,
  { roleId, userId, tapeIds }: Pick<LinkRow, 'roleId' | 'userId' | 'tapeIds'>,
  takeId?: string,
): Promise<SharedTape[]> =>
  db
    .select({ tape: auditionTapes, name: users.name })
    .from(auditionTapes)
    .innerJoin(auditionRequests, eq(auditionRequests.id, auditionTapes.requestId))
    .innerJoin(users, eq(users.id, auditionRequests.performerId))
    .innerJoin(profiles, eq(profiles.id, auditionRequests.profileId))
    .where(
      and(
        eq(auditionRequests.roleId, roleId),
        eq(auditionRequests.userId, userId),
        isNull(auditionRequests.withdrawnAt),
        eq(auditionTapes.state, 'arrived'),
        eq(auditionTapes.noLinks, false),
        eq(users.isMinor, false),
        eq(users.state, 'active'),
        sql`not ${isWithheldByDesk}`,
        sql`not ${isHidden}`,
        sql`not ${isRefusedSince}`,
        tapeIds === null ? undefined : inArray(auditionTapes.id, tapeIds.map(Number)),
        takeId === undefined ? undefined : sql`${auditionTapes.takes} @> ${JSON.stringify([{ id: takeId }])}::jsonb`,
      ),
    )
    .orderBy(asc(users.name), asc(auditionTapes.id));
