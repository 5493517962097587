import type { DayRecord } from '#contract/records/availability.ts';
import type { Audition, AuditionRequest, Project, Role } from '#contract/records/casting.ts';
import type { Member } from '#contract/records/members.ts';
import type { ShareLink } from '#contract/records/links.ts';
import type { Candidate } from '#contract/records/shortlist.ts';
import type { Mark, Tape } from '#contract/records/tapes.ts';
import type { Conversation } from '#contract/records/chat.ts';
import type { MediaCard } from '#contract/records/media.ts';
import type { Notification } from '#contract/records/notifications.ts';
import type { Connection, ProfileCard } from '#contract/records/people.ts';
import type { AccountDb } from './database.ts';
import type { MirrorRecord } from './rows.ts';
import type { ConversationToggle } from './toggles.ts';

/** What conversations gained later: one that was stored before, or that a basic API has, lacks it. */
type LaterField = 'connected' | 'audition';

/** A conversation in the mirror. Its toggles are null on a basic API. */
export type MirroredConversation = Omit<Conversation, ConversationToggle | LaterField> &
  Partial<Pick<Conversation, LaterField>> &
  Record<ConversationToggle, boolean | null>;

/** The bodies of mirror records that belong to no section, by type. */
export interface RecordBodies {
  connection: Connection;
  conversation: MirroredConversation;
  notification: Notification;
  saved_profile: ProfileCard;
  saved_media: MediaCard;
  project: Project;
  project_member: Member;
  role: Role;
  request: AuditionRequest;
  audition: Audition;
  availability: DayRecord;
  tape: Tape;
  mark: Mark;
  link: ShareLink;
  candidate: Candidate;
}

type RecordOf<T extends keyof RecordBodies> = MirrorRecord<RecordBodies[T]>;

/** The mirrored records of a type with ids from one to another, both included; by default all. In the order of their ids. */
export function listRecords<T extends keyof RecordBodies>(
  db: AccountDb,
  type: T,
  from = '',
  to = '\uffff',
): Promise<RecordOf<T>[]> {
  const found = db.records.where('[type+id]').between([type, from], [type, to], true, true).toArray();
  return found as PromiseLike<MirrorRecord[]> as Promise<RecordOf<T>[]>;
}

/** A mirrored record; undefined when this device does not have it. */
export async function findRecord<T extends keyof RecordBodies>(
  db: AccountDb,
  type: T,
  id: string,
): Promise<RecordOf<T> | undefined> {
  return (await db.records.get([type, id])) as RecordOf<T> | undefined;
}
