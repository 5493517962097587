import { and, desc, eq, lt, max } from 'drizzle-orm';
import { ADULT_AGE, isYounger } from '#contract/age.ts';
import type { ReportTarget } from '#contract/report-targets.ts';
import { getVisibleProfile } from '#server/platform/access/profiles.ts';
import type { Db } from '#server/platform/db/connect.ts';
import {
  auditionRequests,
  connections,
  messages,
  profiles,
  sectionRows,
  users,
  type StoredEvidence,
} from '#server/platform/db/schema.ts';
import type { Caller } from '#server/platform/http/caller.ts';
import { HttpError, invalid } from '#server/platform/http/errors.ts';
import { parseId } from '#server/platform/http/ids.ts';
import { presentAuditions } from '#server/features/auditions/present.ts';
import { listRequests } from '#server/features/casting/rows.ts';
import { findVisibleMedia } from '#server/features/media/access.ts';

/** How many messages before a reported one are kept with it. */
const MESSAGES_BEFORE = 5;

type Found = Pick<StoredEvidence, 'words' | 'file'> & Partial<Pick<StoredEvidence, 'before'>>;

/** Reads what a report is about, as the reporter sees it. Null if it is not theirs to see or not of the reported person. */
type Freeze = (db: Db, caller: Caller, reportedId: number, id: number) => Promise<Found | null>;

const text = (value: unknown) => (typeof value === 'string' && value !== '' ? value : null);

/** Only what the report is about leaves the conversation. */
const freezeMessage: Freeze = async (db, caller, reportedId, id) => {
  const [row] = await db
    .select()
    .from(messages)
    .where(and(eq(messages.id, id), eq(messages.senderId, reportedId), eq(messages.receiverId, caller.userId)));
  if (row === undefined) return null;
  const earlier = await db
    .select()
    .from(messages)
    .where(and(eq(messages.conversationId, row.conversationId), lt(messages.seq, row.seq)))
    .orderBy(desc(messages.seq))
    .limit(MESSAGES_BEFORE);
  return {
    words: text(row.message),
    file: row.photo && { key: row.photo.fileKey, media_type: 'image', sha256: null },
    before: earlier.reverse().map(({ senderId, message, createdAt }) => ({
      is_by_reported: senderId === reportedId,
      words: message === '' ? 'Photo' : message,
      at: createdAt.toISOString(),
    })),
  };
};

/** Everything that the side that casts wrote to the performer. Evidence has one file: the first of the pages to read. */
const freezeAudition: Freeze = async (db, caller, reportedId, id) => {
  const { performerId, userId } = auditionRequests;
  const whose = and(eq(auditionRequests.id, id), eq(performerId, caller.userId), eq(userId, reportedId));
  const rows = await listRequests(db, whose);
  const [audition] = await presentAuditions(db, rows);
  if (audition === undefined) return null;
  const sides = rows[0]?.sides ?? [];
  const { project, role, notices, rules, answers } = audition;
  const written = [
    `${project.title}: ${role.name}`,
    project.synopsis,
    role.description,
    ...Object.values(notices),
    audition.instructions,
    audition.sides_text,
    ...sides.map((pdf) => pdf.name),
    audition.live_option,
    ...rules.waivers.map((waiver) => waiver.text),
    ...answers.map((answer) => answer.text),
    audition.withdraw_text,
  ];
  const file = sides[0] ? { key: sides[0].file_key, media_type: 'document', sha256: null } : null;
  return { words: written.flatMap((each) => each ?? []).join('\n'), file };
};

const FREEZE: Record<ReportTarget, Freeze> = {
  user: async (_db, _caller, reportedId, id) => (id === reportedId ? { words: null, file: null } : null),
  profile: async (db, caller, reportedId, id) => {
    const profile = await getVisibleProfile(db, String(id), caller);
    if (profile.userId !== reportedId) return null;
    const words = [profile.stageName, profile.title, profile.description].filter((each) => each !== null);
    const file = profile.photoKey === null ? null : { key: profile.photoKey, media_type: 'image', sha256: null };
    return { words: words.join('\n'), file };
  },
  media: async (db, caller, reportedId, id) => {
    const row = await findVisibleMedia(db, String(id), caller);
    if (row.userId !== reportedId) return null;
    const words = row.youtubeId === null ? row.name : `${row.name}\nhttps://www.youtube.com/watch?v=${row.youtubeId}`;
    return {
      words,
      file: row.fileKey === null ? null : { key: row.fileKey, media_type: row.mediaType, sha256: row.sha256 },
    };
  },
  message: freezeMessage,
  feedback: async (db, caller, reportedId, id) => {
    const [row] = await db
      .select()
      .from(sectionRows)
      .where(and(eq(sectionRows.id, id), eq(sectionRows.section, 'feedback'), eq(sectionRows.userId, reportedId)));
    if (row === undefined) return null;
    const profile = await getVisibleProfile(db, String(row.profileId), caller);
    if (row.body.is_hidden === true && profile.userId !== caller.userId) return null;
    return { words: text(row.body.feedback), file: null };
  },
  request: async (db, caller, reportedId, id) => {
    const [row] = await db
      .select()
      .from(connections)
      .where(
        and(eq(connections.id, id), eq(connections.senderId, reportedId), eq(connections.receiverId, caller.userId)),
      );
    return row === undefined ? null : { words: row.message, file: null };
  },
  audition: freezeAudition,
};

/**
 * Keeps what is reported as it is now, also when it is changed or deleted later.
 * @throws 422 naming `target_id` if the reporter cannot see it or it is somebody else's
 */
export async function freezeEvidence(
  db: Db,
  caller: Caller,
  reportedId: number,
  target: { type: ReportTarget; id: string },
): Promise<StoredEvidence> {
  const [reported] = await db.select({ name: users.name }).from(users).where(eq(users.id, reportedId));
  const id = parseId(target.id);
  const found =
    id === null
      ? null
      : await FREEZE[target.type](db, caller, reportedId, id).catch((error: unknown) => {
          if (error instanceof HttpError && error.status === 404) return null;
          throw error;
        });
  if (found === null) throw invalid({ target_id: ['This is gone, or somebody else’s'] });
  return { name: reported?.name ?? '', before: [], ...found };
}

/**
 * Whether the desk looks at a report about this person first: they count as a minor, or a profile of theirs says that they are one, although
 * they told us otherwise.
 */
export async function isPerhapsMinor(db: Db, userId: number, now: Date): Promise<boolean> {
  const [person] = await db
    .select({ isMinor: users.isMinor, youngest: max(profiles.dob) })
    .from(users)
    .leftJoin(profiles, eq(profiles.userId, users.id))
    .where(eq(users.id, userId))
    .groupBy(users.id);
  if (person === undefined) return false;
  return person.isMinor || (person.youngest !== null && isYounger(person.youngest, ADULT_AGE, now));
}
