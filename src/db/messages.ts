import { findRecord, listRecords, type MirroredConversation } from './mirror.ts';
import { getChatLane, type MessageFields, type SendPatch } from './patches.ts';
import { getEffect } from './effects.ts';
import { LIMITS } from '#contract/limits.ts';
import type { Conversation, Message } from '#contract/records/chat.ts';
import { foldAccents } from '#lib/text.ts';
import type { AccountDb } from './database.ts';
import { getSaveState } from './apply-pending.ts';
import { groupChanges, type ChangeWithUpload, getDecidingRow } from './queries.ts';
import type { MediaFile, OpError, OutboxRow, ReadCursor, Reason } from './rows.ts';
import type { Pending } from './saved-and-connected.ts';
import { type ConversationToggle, getToggleLanes, mapToggles } from './toggles.ts';
import type { SaveState } from './views.ts';

/** The type of a conversation's record in the mirror. */
export const CONVERSATION = 'conversation';
/** What is typed and not sent stands under this name among the drafts, as `{ message, photo }`; `photo` names a stored file. */
export const chatDraft = (conversationId: string): string => `chat:${conversationId}`;

/**
 * Keeps what is typed, or which photo goes with it, of a message not sent; the other stays as it is. Resolves with the
 * photo that stood there before.
 * @param now milliseconds since the epoch, for display
 */
export function saveMessageDraft(
  db: AccountDb,
  conversationId: string,
  part: Partial<MessageDraft>,
  now: number,
): Promise<string | null> {
  const key = chatDraft(conversationId);
  return db.transaction('rw', db.drafts, async () => {
    const before = (await db.drafts.get(key))?.values;
    const values: Record<string, unknown> = { ...before, ...part };
    if (Object.values(values).some(Boolean)) await db.drafts.put({ key, values, at: now });
    else await db.drafts.delete(key);
    return typeof before?.photo === 'string' ? before.photo : null;
  });
}

/** A message that is typed and not sent. `photo`: the stored file of a picked photo. */
export type MessageDraft = MessageFields & { photo: string | null };

/** A message that the server has not confirmed. */
export interface PendingMessage extends MessageFields {
  /** Local id: stays what it is until the message is confirmed. */
  id: string;
  op: string;
  conversation: string;
  photo?: MediaFile;
  state: Exclude<SaveState, 'saved'>;
  reason?: Reason;
  error?: OpError;
  createdAt: number;
}

/** A conversation as its list shows it: what the server said, and over it what was read, starred and written here. */
export interface ConversationView {
  id: string;
  connectionId: string;
  other: Conversation['other'];
  last: Message | null;
  /** Written after `last`, and only here so far. */
  pending: PendingMessage | null;
  /** The number of the last message the person has read. */
  read: number;
  /** What the other person wrote after it. */
  unread: number;
  /** What the person has switched on; null where the server has no such thing. */
  toggles: Record<ConversationToggle, Pending<boolean | null>>;
  otherHas: number | null;
  otherRead: number | null;
  draft: MessageDraft;
}

const isMessageRow = (row: OutboxRow) => getEffect(row) === 'send';
/** What a message's standing is made of: its row, and the upload of its photo. */
const isMessageOrUpload = (row: OutboxRow) => isMessageRow(row) || getEffect(row) === 'upload';

function toPendingMessage(change: ChangeWithUpload): PendingMessage {
  const { row, state } = change;
  const telling = getDecidingRow(change);
  const { receiver_id: _receiver, name: _name, ...fields } = row.patch as SendPatch;
  return {
    ...fields,
    id: row.target,
    op: telling.op,
    conversation: String(row.parent),
    state,
    createdAt: row.createdAt,
    ...(telling.reason && { reason: telling.reason }),
    ...(telling.lastError && state === 'needs' && { error: telling.lastError }),
  };
}

const getSends = (rows: readonly OutboxRow[], conversationId: string): ChangeWithUpload[] =>
  groupChanges(rows.filter(isMessageOrUpload)).filter(({ row }) => isMessageRow(row) && row.parent === conversationId);

/** What was written here and is not confirmed, in the order it was written. */
export async function pendingMessages(db: AccountDb, conversationId: string): Promise<PendingMessage[]> {
  const lane = await db.outbox.where('lane').startsWith(getChatLane(conversationId)).sortBy('seq');
  const files = [...new Set(lane.flatMap((row) => row.deps))];
  // Most carry no photo, and this is asked with every key.
  if (files.length === 0) return getSends(lane, conversationId).map(toPendingMessage);
  const uploads = await db.outbox
    .where('lane')
    .anyOf(files.map((id) => `upload:${id}`))
    .toArray();
  const photos = new Map((await db.media.bulkGet(files)).map((file) => [file?.id, file]));
  return getSends([...lane, ...uploads], conversationId).map((change) => {
    const photo = photos.get(change.row.deps[0]);
    return { ...toPendingMessage(change), ...(photo && { photo }) };
  });
}

/** The newest message of a lane that is not confirmed: one row is read, however many wait. */
async function lastPending(db: AccountDb, lane: string): Promise<PendingMessage | null> {
  const row = await db.outbox.where('lane').equals(lane).last();
  if (row === undefined || getEffect(row) !== 'send') return null;
  const uploads = await db.outbox
    .where('lane')
    .anyOf(row.deps.map((id) => `upload:${id}`))
    .toArray();
  const [change] = groupChanges([...uploads, row]);
  return change ? toPendingMessage(change) : null;
}

/** Messages by their numbers, both ends included, in order. What is not on this device is missing. */
export function messagesBetween(db: AccountDb, conversationId: string, low: number, high: number): Promise<Message[]> {
  return db.messages
    .where('[conversation_id+seq]')
    .between([conversationId, low], [conversationId, high], true, true)
    .toArray();
}

/** The number of the newest message known here; 0 where there is none. */
export async function newestSeq(db: AccountDb, conversationId: string): Promise<number> {
  const keys = await db.messages
    .where('[conversation_id+seq]')
    .between([conversationId, 0], [conversationId, Infinity])
    .reverse()
    .limit(1)
    .primaryKeys();
  return keys[0]?.[1] ?? 0;
}

/**
 * The newest messages known here, in order.
 * @param last the number of the last one, where it is known: then one walk is enough
 */
export async function newestMessages(
  db: AccountDb,
  conversationId: string,
  count: number,
  last: number | null,
): Promise<Message[]> {
  const from = async (newest: number) => messagesBetween(db, conversationId, newest - count + 1, Infinity);
  const found = last === null ? [] : await from(last);
  // What the mirror calls the last one may not have come yet.
  return found.length > 0 ? found : from(await newestSeq(db, conversationId));
}

/** What stands in the mirror of one conversation. */
export async function mirroredConversation(db: AccountDb, id: string): Promise<MirroredConversation | null> {
  return (await findRecord(db, CONVERSATION, id))?.body ?? null;
}

/** How far a conversation is read here or, as the server told, elsewhere. */
const getReadSeq = (told: MirroredConversation, reading: ReadCursor | undefined): number =>
  Math.max(Number(told.read_seq), reading?.read ?? 0);

/**
 * Counts what the other person wrote after the last message read, as the server counts it: of so many messages after
 * that one. Those that are not on this device count as theirs.
 */
export async function countUnread(
  db: AccountDb,
  told: MirroredConversation,
  reading: ReadCursor | undefined,
): Promise<number> {
  const read = getReadSeq(told, reading);
  const count = Math.min(LIMITS.maxUnreadCount, (told.last_message?.seq ?? 0) - read);
  if (count <= 0) return 0;
  const here = await messagesBetween(db, String(told.conversation_id), read + 1, read + count);
  return count - here.filter(({ sender_id }) => sender_id === db.userId).length;
}

interface PendingParts {
  unread: number;
  /** Changes of its toggles that wait, in `seq` order. */
  toggled: readonly OutboxRow[];
  /** What was written last and is not confirmed. */
  last: PendingMessage | null;
  reading: ReadCursor | undefined;
  draft: Record<string, unknown> | undefined;
}

function toConversationView(
  told: MirroredConversation,
  { unread, toggled, last, reading, draft }: PendingParts,
): ConversationView {
  const id = String(told.conversation_id);
  return {
    id,
    connectionId: String(told.connection_id),
    other: told.other,
    last: told.last_message,
    pending: last,
    read: getReadSeq(told, reading),
    unread,
    toggles: mapToggles((toggle, type) => {
      const row = toggled.findLast((each) => each.type === type);
      return row
        ? { value: row.patch.saved === true, syncState: getSaveState(row) }
        : { value: told[toggle], syncState: 'saved' };
    }),
    otherHas: told.other_delivered_seq,
    otherRead: told.other_read_seq,
    draft: { message: '', photo: null, ...draft },
  };
}

/**
 * The lanes in which messages wait: one key is read of each, however many wait. WebKit cannot open a cursor over distinct
 * keys where it would find none.
 */
async function listChatLanes(db: AccountDb): Promise<string[]> {
  const lanes: string[] = [];
  for (let after = getChatLane(''); ; after = lanes.at(-1)!) {
    const next = db.outbox.where('lane').between(after, getChatLane('\uffff'), false);
    const [lane] = await next.limit(1).keys();
    if (lane === undefined) return lanes;
    lanes.push(lane as string);
  }
}

/** Everybody the person writes with, whose conversation moved last on top. */
export async function conversationViews(db: AccountDb): Promise<ConversationView[]> {
  const [records, toggled, lanes, readings, drafts] = await Promise.all([
    listRecords(db, CONVERSATION),
    db.outbox.where('lane').startsWithAnyOf(getToggleLanes()).sortBy('seq'),
    listChatLanes(db),
    db.readings.toArray(),
    db.drafts.where('key').startsWith(chatDraft('')).toArray(),
  ]);
  const readingOf = new Map(readings.map((each) => [each.conversation, each]));
  const draftOf = new Map(drafts.map(({ key, values }) => [key, values]));
  const lasts = await Promise.all(lanes.map((lane) => lastPending(db, lane)));
  const lastOf = new Map(lasts.map((last) => [last?.conversation, last]));
  const views = await Promise.all(
    records.map(async ({ id, body }) => {
      return toConversationView(body, {
        unread: await countUnread(db, body, readingOf.get(id)),
        toggled: toggled.filter((row) => row.target === id),
        last: lastOf.get(id) ?? null,
        reading: readingOf.get(id),
        draft: draftOf.get(chatDraft(id)),
      });
    }),
  );
  const at = ({ last, pending }: ConversationView) =>
    pending ? new Date(pending.createdAt).toISOString() : (last?.created_at ?? '');
  return views.sort((a, b) => at(b).localeCompare(at(a)));
}

export async function conversationView(db: AccountDb, id: string): Promise<ConversationView | null> {
  const told = await mirroredConversation(db, id);
  if (told === null) return null;
  const [toggled, last, reading, draft] = await Promise.all([
    db.outbox.where('lane').anyOf(getToggleLanes(id)).sortBy('seq'),
    lastPending(db, getChatLane(id)),
    db.readings.get(id),
    db.drafts.get(chatDraft(id)),
  ]);
  return toConversationView(told, {
    unread: await countUnread(db, told, reading),
    toggled,
    last,
    reading,
    draft: draft?.values,
  });
}

/** So many are read at once; between two of them the page can do something else. */
const SEARCH_PAGE = 2000;
const MAX_FOUND = 500;

/** Numbers of the messages on this device that hold these words, the newest first. */
export async function searchMessages(
  db: AccountDb,
  conversationId: string,
  words: string,
  signal: AbortSignal,
): Promise<number[]> {
  const wanted = foldAccents(words);
  const found: number[] = [];
  for (let high = await newestSeq(db, conversationId); high > 0 && !signal.aborted; high -= SEARCH_PAGE) {
    const page = await messagesBetween(db, conversationId, high - SEARCH_PAGE + 1, high);
    for (const { seq, message } of page.reverse()) if (foldAccents(message).includes(wanted)) found.push(seq);
    if (found.length >= MAX_FOUND) break;
  }
  return found.slice(0, MAX_FOUND);
}
