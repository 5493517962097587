import { isDeepStrictEqual } from 'node:util';
import { getNotices, type Notices } from '#contract/casting/terms.ts';
import type { NoticeChange } from '#contract/records/casting.ts';
import type { ChangeLog } from '#server/platform/db/change-log.ts';
import type { Db } from '#server/platform/db/connect.ts';
import { presentRole } from './present.ts';
import { changeRequest, getPart, lockRequestsOfRole, tellPerformer, type RequestRow, type RoleRow } from './rows.ts';

/** What a role tells performers before they say yes. */
export const toNotices = (role: RoleRow): Notices => getNotices(presentRole(role));

/** Whether the performer may still take part, so that they have to know. Somebody who was cast has to as well. */
const isConcerned = ({ performerId, withdrawnAt, answers }: RequestRow): boolean =>
  performerId !== null && withdrawnAt === null && answers.at(-1)?.kind !== 'no_thank_you';

/** Changes that a request keeps: the newest. */
const MOST_CHANGES = 20;

/**
 * The changes of a request's notices with one more. Whoever has not agreed to an earlier change is asked about both as one, and about nothing if the role
 * says again what they agreed to.
 */
function addChange({ notices, noticeChanges }: RequestRow, after: Notices, now: Date): NoticeChange[] {
  const agreed = noticeChanges.filter(({ confirmed_at }) => confirmed_at !== null).slice(1 - MOST_CHANGES);
  if (isDeepStrictEqual(notices, after)) return agreed;
  return [...agreed, { at: now.toISOString(), before: notices, after, confirmed_at: null }];
}

/** Marks the requests of a locked role whose notices have changed, and tells their performers. Both versions of the words stay. */
export async function changeNotices(tx: Db, changes: ChangeLog, role: RoleRow, now: Date): Promise<void> {
  const part = { ...(await getPart(tx, role.id)), role };
  for (const row of (await lockRequestsOfRole(tx, role.id)).filter(isConcerned)) {
    const noticeChanges = addChange(row, toNotices(role), now);
    if (isDeepStrictEqual(noticeChanges, row.noticeChanges)) continue;
    const request = await changeRequest(tx, changes, row, { noticeChanges }, now);
    const isNews = noticeChanges.at(-1)?.confirmed_at === null;
    if (isNews) await tellPerformer(tx, changes, 'audition.changed', { request, part, now });
  }
}
