import type { Conversation, Message } from '#contract/records/chat.ts';
import { foldAccents } from '#lib/text.ts';
import { getSaveState } from './apply-pending.ts';
import type { AccountDb } from './database.ts';
import { getEffect } from './effects.ts';
import {
  chatDraft,
  CONVERSATION,
  countUnread,
  getReadSeq,
  type MessageDraft,
  messagesBetween,
  mirroredConversation,
  newestSeq,
} from './messages.ts';
import { listRecords, type MirroredConversation } from './mirror.ts';
import { getChatLane, type MessageFields, type SendPatch } from './patches.ts';
import { type ChangeWithUpload, getDecidingRow, groupChanges } from './queries.ts';
import type { MediaFile, OpError, OutboxRow, ReadCursor, Reason } from './rows.ts';
import type { Pending } from './saved-and-connected.ts';
import { type ConversationToggle, getToggleLanes, mapToggles } from './toggles.ts';
import type { SaveState } from './views.ts';

/** Conversations as screens show them. What the engine needs of messages is in `messages.ts`, so that starting the app loads no more. */

/** A message that the server has not confirmed. */
export interface PendingMessage extends MessageFields {
  /** Local id, the same until the message is confirmed. */
  id: string;
  op: string;
  conversation: string;
  /** The audition about which it asks. */
  audition_id?: string;
  photo?: MediaFile;
  state: Exclude<SaveState, 'saved'>;
  reason?: Reason;
  error?: OpError;
  createdAt: number;
}

/**
 * A conversation for display: the mirror record with the local read cursor, toggles, pending message and draft over it.
 */
export interface ConversationView {
  id: string;
  connectionId: string;
  /** Whether the two are connected. If not, they write to each other about an audition. */
  isConnected: boolean;
  /** The audition about which was asked last; null if none was, or the server does not say. */
  audition: Conversation['audition'];
  other: Conversation['other'];
  last: Message | null;
  /** The newest message that the server has not confirmed. */
  pending: PendingMessage | null;
  /** Sequence number of the last message that the user has read. */
  read: number;
  /** Number of messages that the other person wrote after it. */
  unread: number;
  /** The state of the toggles; null for one that the server does not have. */
  toggles: Record<ConversationToggle, Pending<boolean | null>>;
  otherHas: number | null;
  otherRead: number | null;
  draft: MessageDraft;
}

const isMessageRow = (row: OutboxRow) => getEffect(row) === 'send';
/** The rows that determine a message's sync state: its own and the upload of its photo. */
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

/** The unconfirmed messages of a conversation, in the order of writing. */
export async function pendingMessages(db: AccountDb, conversationId: string): Promise<PendingMessage[]> {
  const lane = await db.outbox.where('lane').startsWith(getChatLane(conversationId)).sortBy('seq');
  const files = [...new Set(lane.flatMap((row) => row.deps))];
  // Fast path: most messages have no photo, and this query runs on every keystroke.
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

/** The newest unconfirmed message of a lane. Reads one message row, however many wait. */
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

/**
 * The newest messages on this device, in order.
 * @param last sequence number of the last one, if known, which saves a read
 */
export async function newestMessages(
  db: AccountDb,
  conversationId: string,
  count: number,
  last: number | null,
): Promise<Message[]> {
  const from = async (newest: number) => messagesBetween(db, conversationId, newest - count + 1, Infinity);
  const found = last === null ? [] : await from(last);
  // The mirror's last message may not be stored on this device yet.
  return found.length > 0 ? found : from(await newestSeq(db, conversationId));
}

interface PendingParts {
  unread: number;
  /** Queued changes of its toggles, in `seq` order. */
  toggled: readonly OutboxRow[];
  /** The newest unconfirmed message. */
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
    // A conversation that was stored before there were others, or that a basic server has, is one of connected people.
    isConnected: told.connected ?? true,
    audition: told.audition ?? null,
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
 * The lanes with queued messages. Reads one key per lane, however many messages wait. Does not use a cursor over unique
 * keys, because WebKit cannot open one that would find nothing.
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

/** All conversations, most recently active first. */
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

/** Number of messages per read. The page stays responsive between two reads. */
const SEARCH_PAGE = 2000;
const MAX_FOUND = 500;

/** Sequence numbers of the messages on this device that contain the given text, newest first. */
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
