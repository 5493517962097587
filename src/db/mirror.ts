import type { Audition, AuditionRequest, Project, Role } from '#contract/records/casting.ts';
import type { Mark, Tape } from '#contract/records/tapes.ts';
import type { Conversation } from '#contract/records/chat.ts';
import type { MediaCard } from '#contract/records/media.ts';
import type { Notification } from '#contract/records/notifications.ts';
import type { Connection, ProfileCard } from '#contract/records/people.ts';
import type { AccountDb } from './database.ts';
import type { MirrorRecord } from './rows.ts';
import type { ConversationToggle } from './toggles.ts';

/** A conversation in the mirror. Its toggles are null on a basic API. */
export type MirroredConversation = Omit<Conversation, ConversationToggle> & Record<ConversationToggle, boolean | null>;

/** The bodies of mirror records that belong to no section, by type. */
export interface RecordBodies {
  connection: Connection;
  conversation: MirroredConversation;
  notification: Notification;
  saved_profile: ProfileCard;
  saved_media: MediaCard;
  project: Project;
  role: Role;
  request: AuditionRequest;
  audition: Audition;
  tape: Tape;
  mark: Mark;
}

type RecordOf<T extends keyof RecordBodies> = MirrorRecord<RecordBodies[T]>;

/** All mirrored records of a type, unsorted. */
export function listRecords<T extends keyof RecordBodies>(db: AccountDb, type: T): Promise<RecordOf<T>[]> {
  const found = db.records.where('[type+id]').between([type, ''], [type, '\uffff']).toArray();
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
