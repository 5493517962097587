import type { Audition } from '#contract/records/casting.ts';
import { storagePath } from '#server/platform/storage/storage.ts';
import type { RequestRow } from './rows.ts';

type Shared = Omit<Audition, 'profile_id' | 'casting' | 'project' | 'role'>;

const toText = (time: Date | null): string | null => time?.toISOString() ?? null;

/** What both sides read of a request. */
export const presentShared = (row: RequestRow): Shared => ({
  id: String(row.id),
  version: row.version,
  created_at: row.askedAt.toISOString(),
  updated_at: row.updatedAt.toISOString(),
  round: row.round,
  previous_id: row.previousId === null ? null : String(row.previousId),
  ...row.terms,
  sides: row.sides.map(({ file_key, ...each }) => ({ ...each, path: storagePath(file_key) })),
  deadline_at: row.deadlineAt.toISOString(),
  deadline_before: toText(row.deadlineBefore),
  time_zone: row.timeZone,
  notices: row.notices,
  notice_changes: row.noticeChanges,
  rules: row.rules,
  asked_at: row.askedAt.toISOString(),
  seen_at: toText(row.seenAt),
  confirmed_at: toText(row.confirmedAt),
  declined_at: toText(row.declinedAt),
  decline_text: row.declineText,
  answers: row.answers,
  answered_at: toText(row.answeredAt),
  withdrawn_at: toText(row.withdrawnAt),
  withdraw_text: row.withdrawText,
  announced_at: toText(row.announcedAt),
  arrived_at: toText(row.arrivedAt),
  watched_at: toText(row.watchedAt),
});
