import { CHAT } from '#contract/chat-calls.ts';
import { pathOf } from '#contract/path.ts';
import { type Conversation, type Message, PLAIN_MESSAGE } from '#contract/records/chat.ts';
import type { Connection } from '#contract/records/people.ts';
import type { AccountDb } from '#db/database.ts';
import { CONVERSATION, messagesBetween, newestSeq } from '#db/messages.ts';
import { CONNECTION } from '#db/saved-and-connected.ts';
import type { MirrorRecord } from '#db/rows.ts';
import { mapToggles } from '#db/toggles.ts';
import { advanceReadCursor } from '../../pull/messages.ts';
import { dropRecord, LAST } from '../../pull/apply.ts';
import { getTables, type Values } from '../../queue/outbox.ts';
import type { Ports } from '../../ports.ts';
import type { PullResult } from '../../pull/result.ts';
import { isStoredElsewhere, keepTag, readWithTag, type TaggedList } from './read-list.ts';
import { type ListedMessage, parseWholeChat } from './whole-chat.ts';

/** Reads the conversations of a basic-API server, which returns all messages of one connection in one response. */

type PullPorts = Pick<Ports, 'transport' | 'clock'>;

/** Statuses that mean that there is nothing to read: no such endpoint, or a connection without a conversation. */
const NONE = [403, 404];
/** Number of consecutive failures after which the pull gives up. */
const GIVE_UP_AFTER = 3;
/** Key in the `cursors` table, present once this device has read every conversation. */
const READ_ONCE = 'chats';

const recordsOf = (db: AccountDb, type: string) => db.records.where('[type+id]').between([type, ''], [type, LAST]);
const isOpen = ({ body }: MirrorRecord) => body.status !== 'pending';
const pathTo = (connectionId: string) => pathOf(CHAT, { connectionId });

/** Reads the conversation of every connection, and deletes conversations without one. */
export async function pullChats(db: AccountDb, ports: PullPorts): Promise<PullResult> {
  const connections = await recordsOf(db, CONNECTION).filter(isOpen).toArray();
  await dropClosed(db, new Set(connections.map(({ id }) => id)));
  let isWhole = true;
  let failures = 0;
  for (const { id } of connections) {
    const pulled = await pullChat(db, ports, id);
    if (pulled === 'sign in') return pulled;
    // A failing conversation does not keep the others from being read.
    failures = pulled === 'done' ? 0 : failures + 1;
    isWhole &&= pulled === 'done';
    if (failures === GIVE_UP_AFTER) break;
  }
  if (!isWhole) return 'unreachable';
  await db.cursors.put({ resource: READ_ONCE, value: '' });
  return 'done';
}

/** Reads one conversation; null when this device does not know the id. */
export async function pullConversation(db: AccountDb, ports: PullPorts, id: string): Promise<PullResult | null> {
  const known = await db.records.get([CONVERSATION, id]);
  return known ? pullChat(db, ports, String(known.body.connection_id)) : null;
}

async function dropClosed(db: AccountDb, open: ReadonlySet<string>): Promise<void> {
  await db.transaction('rw', getTables(db), async () => {
    const closed = (await recordsOf(db, CONVERSATION).toArray()).filter(
      ({ body }) => !open.has(String(body.connection_id)),
    );
    if (closed.length === 0) return;
    for (const { type, id, body } of closed) {
      await dropRecord(db, [type, id]);
      // Read it completely if it opens again.
      await db.cursors.delete(pathTo(String(body.connection_id)));
    }
  });
}

async function pullChat(db: AccountDb, ports: PullPorts, connectionId: string): Promise<PullResult> {
  const before = await db.records.get([CONNECTION, connectionId]);
  const known = await db.records.get([CONVERSATION, String(before?.body.conversation_id)]);
  // The response may lack messages acknowledged after the request, but none from before it.
  const newest = known ? await newestSeq(db, known.id) : 0;
  const list = await readWithTag(db, ports, pathTo(connectionId), NONE);
  if (typeof list === 'string') return list;
  if (list.body === undefined) {
    // No new messages, but the other person's name may have changed.
    const connection = await db.records.get([CONNECTION, connectionId]);
    const record = db.records.where('[type+id]').equals([CONVERSATION, known?.id ?? '']);
    if (connection) await record.modify(({ body }) => void (body.other = otherOf(db, connection)));
    return 'done';
  }
  const messages = parseWholeChat(list.body);
  const { conversation_id: id } = list.body as { conversation_id?: unknown };
  if (messages === null || (typeof id !== 'string' && typeof id !== 'number')) return 'unreachable';
  await putChat(db, ports, { id: String(id), connectionId, messages, before: newest }, list);
  return 'done';
}

interface Chat {
  id: string;
  connectionId: string;
  messages: readonly ListedMessage[];
  /** Sequence number of the newest message known when the list was requested. */
  before: number;
}

/**
 * Replaces the stored messages with the listed ones. Positions may change, because own messages had provisional ones.
 */
async function putChat(db: AccountDb, { clock }: PullPorts, chat: Chat, list: TaggedList): Promise<void> {
  const { id, connectionId, messages, before } = chat;
  await db.transaction('rw', getTables(db), async () => {
    const connection = await db.records.get([CONNECTION, connectionId]);
    // The connection was ended meanwhile, and its messages were deleted from this device.
    if (!connection || !isOpen(connection) || (await isStoredElsewhere(db, list))) return;
    const stored = await messagesBetween(db, id, 0, Infinity);
    const byId = new Map(stored.map((message) => [message.id, message]));
    const now = new Date(clock.now()).toISOString();
    const listed = messages.map((each): Message => {
      const here = byId.get(each.id);
      const at = each.created_at ?? here?.created_at ?? now;
      const client = here?.client_id ?? null;
      const receiver = String(each.receiver_id);
      const own = { client_id: client, conversation_id: id, receiver_id: receiver, created_at: at };
      return { ...PLAIN_MESSAGE, ...each, ...own };
    });
    const ids = new Set(messages.map((message) => message.id));
    const end = listed.at(-1)?.seq ?? 0;
    const later = stored
      .filter((message) => message.seq > before && !ids.has(message.id))
      .map((message, at) => ({ ...message, seq: end + at + 1 }));
    const all = [...listed, ...later];
    // Do not rewrite messages that keep their position, because screens observe them.
    const moved = all.findIndex(({ id: each, seq }, at) => stored[at]?.id !== each || stored[at].seq !== seq);
    const from = moved < 0 ? all.length : moved;
    await db.messages
      .where('[conversation_id+seq]')
      .between([id, stored[from]?.seq ?? Infinity], [id, Infinity], true, true)
      .delete();
    await db.messages.bulkPut(all.slice(from));
    await db.records.put({
      type: CONVERSATION,
      id,
      parent: null,
      body: bodyOf(db, id, connection, all.at(-1)),
      version: null,
    });
    await db.records.put({ ...connection, body: { ...connection.body, conversation_id: id } });
    await noteRead(db, id, all);
    // If messages are stored that the list lacks, its tag does not describe the stored state.
    await keepTag(db, later.length > 0 ? { ...list, tag: null } : list);
  });
}

/** Builds the conversation record that the full API would send. The basic API has no read receipts and no stars. */
function bodyOf(db: AccountDb, id: string, connection: MirrorRecord, last: Message | undefined): Values {
  return {
    conversation_id: id,
    connection_id: connection.id,
    other: otherOf(db, connection),
    last_message: last ?? null,
    unread_count: 0,
    read_seq: 0,
    other_delivered_seq: null,
    other_read_seq: null,
    ...mapToggles(() => null),
  };
}

function otherOf(db: AccountDb, connection: MirrorRecord): Conversation['other'] {
  const { user_id, connected_user_id, sender, receiver, name, title, profile_photo, slug } =
    connection.body as Partial<Connection>;
  const isOwn = String(user_id) === db.userId;
  return {
    user_id: String(isOwn ? connected_user_id : user_id),
    name: name ?? (isOwn ? receiver : sender)?.name ?? '',
    title: title ?? null,
    profile_photo: profile_photo ?? null,
    slug: slug ?? null,
  };
}

/** Updates the read cursor. Messages of a device's first pull count as read elsewhere; later ones are unread. */
async function noteRead(db: AccountDb, id: string, all: readonly Message[]): Promise<void> {
  const known = await db.readings.get(id);
  const isFirst = known === undefined && (await db.cursors.get(READ_ONCE)) === undefined;
  const has = all.at(-1)?.seq ?? 0;
  const own = all.filter(({ sender_id }) => sender_id === db.userId);
  // An own message from another device means that the user had read everything before it there.
  const elsewhere = isFirst ? has : (own.findLast(({ client_id }) => client_id === null)?.seq ?? 0);
  const read = advanceReadCursor(Math.max(known?.read ?? 0, elsewhere), own);
  if (known?.read === read && known.has === has) return;
  await db.readings.put({ conversation: id, toldRead: 0, toldHas: 0, ...known, read, has });
}
