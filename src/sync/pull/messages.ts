import { getEffect } from '#db/effects.ts';
import type { Conversation, Message } from '#contract/records/chat.ts';
import type { Notification } from '#contract/records/notifications.ts';
import { LOCAL } from '#db/canonical.ts';
import type { AccountDb } from '#db/database.ts';
import { CONVERSATION } from '#db/messages.ts';
import type { OutboxRow, ReadCursor } from '#db/rows.ts';
import { dropFiles } from '../queue/drop-files.ts';
import { type OutboxPorts, getTables, type Values, writeJournal } from '../queue/outbox.ts';

/** Parses a message from the wire; null when it has no sequence number, conversation or text. */
export function parseMessage(value: unknown): Message | null {
  if (typeof value !== 'object' || value === null) return null;
  const fields = value as Values;
  if (!Number.isInteger(fields.seq) || typeof fields.message !== 'string' || fields.conversation_id == null)
    return null;
  return {
    ...(fields as Message),
    id: String(fields.id),
    conversation_id: String(fields.conversation_id),
    sender_id: String(fields.sender_id),
  };
}

/** The conversation that a live event names. */
export const getConversationId = (message: unknown): string => String((message as Values | null)?.conversation_id);

const loadReadCursor = async (db: AccountDb, conversation: string): Promise<ReadCursor> =>
  (await db.readings.get(conversation)) ?? { conversation, read: 0, has: 0, toldRead: 0, toldHas: 0 };

/**
 * Stores messages that the server confirmed, in any order and any number of times. Acknowledges the rows of our own
 * messages among them. Call it inside a transaction over `getTables`.
 */
export async function upsertMessages(ports: Pick<OutboxPorts, 'db' | 'clock'>, all: readonly Message[]): Promise<void> {
  const { db } = ports;
  if (all.length === 0) return;
  await db.messages.bulkPut([...all]);
  const byConversation = new Map<string, Message[]>();
  for (const message of all) {
    const same = byConversation.get(message.conversation_id);
    if (same) same.push(message);
    else byConversation.set(message.conversation_id, [message]);
  }
  for (const [id, messages] of byConversation) {
    const own = messages.filter(({ sender_id }) => sender_id === db.userId);
    await acknowledgeMessages(ports, own);
    const last = messages.reduce((a, b) => (b.seq > a.seq ? b : a));
    await db.records
      .where('[type+id]')
      .equals([CONVERSATION, id])
      .modify((record) => {
        if (getSeq(record.body.last_message) < last.seq) record.body.last_message = last;
      });
    const reading = await loadReadCursor(db, id);
    // How far another device has read, as the server reported it.
    const elsewhere = Number((await db.records.get([CONVERSATION, id]))?.body.read_seq ?? 0);
    const next = {
      ...reading,
      read: advanceReadCursor(Math.max(reading.read, elsewhere), own),
      toldRead: advanceReadCursor(Math.max(reading.toldRead, elsewhere), own),
      has: Math.max(reading.has, last.seq),
    };
    if (next.read !== reading.read || next.has !== reading.has) await db.readings.put(next);
  }
}

/**
 * Advances a read cursor over the user's own messages, as the server does: an own message counts as read when
 * everything before it is. Messages that arrived while it waited to be sent stay unread.
 */
export function advanceReadCursor(read: number, own: readonly Pick<Message, 'seq'>[]): number {
  const seqs = own.map(({ seq }) => seq).sort((a, b) => a - b);
  return seqs.reduce((last, seq) => (seq === last + 1 ? seq : last), read);
}

const getSeq = (message: unknown): number => (message as Message | null)?.seq ?? 0;

/** Acknowledges rows whose message is on the server, whether a response, a pull or a live event brought it. */
async function acknowledgeMessages(ports: Pick<OutboxPorts, 'db' | 'clock'>, own: readonly Message[]): Promise<void> {
  if (own.length === 0) return;
  const targets = own.map(({ client_id }) => LOCAL + client_id);
  for (const row of await ports.db.outbox.where('target').anyOf(targets).toArray()) {
    if (getEffect(row) === 'send') await acknowledgeMessage(ports, row);
  }
}

async function acknowledgeMessage(ports: Pick<OutboxPorts, 'db' | 'clock'>, row: OutboxRow): Promise<void> {
  await writeJournal(ports, row, 'done', { under: row.patch });
  await ports.db.outbox.delete(row.seq);
  await dropFiles(ports.db, row);
}

/** Receipts of both participants. These numbers never decrease. */
const RISING = ['other_delivered_seq', 'other_read_seq', 'read_seq'];

/** Keeps the last message and the receipts of the known conversation where live events have made them newer. */
export function keepNewest(body: Values, known: Values | undefined): Values {
  if (!known) return body;
  const next = { ...body };
  for (const name of RISING) {
    const [came, here] = [body[name], known[name]];
    if (typeof came === 'number' && typeof here === 'number') next[name] = Math.max(came, here);
  }
  const last = known.last_message as Conversation['last_message'] | undefined;
  if (last && last.seq > getSeq(body.last_message)) next.last_message = last;
  return next;
}

/** Deletes the local messages of a closed conversation. Its draft stays, in case the conversation opens again. */
export async function forgetConversation(db: AccountDb, id: string): Promise<void> {
  await db.messages.where('[conversation_id+seq]').between([id, 0], [id, Infinity]).delete();
  await db.readings.delete(id);
}

/**
 * Stores a message from a live event.
 * @param notification the one about this message. Events may arrive late and out of order, so it is stored only with the
 * next message of a known conversation: of an earlier message it is outdated, and a later one leads to a pull.
 * @returns whether messages before it are missing on this device
 */
export async function receiveMessage(
  ports: Pick<OutboxPorts, 'db' | 'clock'>,
  message: Message,
  notification?: Notification,
): Promise<boolean> {
  const { db } = ports;
  return db.transaction('rw', getTables(db), async () => {
    const known = await db.records.get([CONVERSATION, message.conversation_id]);
    const distance = known ? message.seq - getSeq(known.body.last_message) : Infinity;
    await upsertMessages(ports, [message]);
    if (notification && distance === 1) {
      const { id } = notification;
      await db.records.put({ type: 'notification', id, parent: null, body: notification, version: null });
    }
    return distance > 1;
  });
}

/** How far the other person has received and read a conversation, as sequence numbers. */
export interface Receipt {
  conversationId: string;
  delivered: number;
  read: number;
}

/** Stores a receipt. Events may arrive out of order, so neither number ever decreases. */
export async function receiveReceipt(db: AccountDb, { conversationId, delivered, read }: Receipt): Promise<void> {
  await db.records
    .where('[type+id]')
    .equals([CONVERSATION, conversationId])
    .modify(({ body }) => {
      body.other_delivered_seq = Math.max(Number(body.other_delivered_seq ?? 0), delivered);
      body.other_read_seq = Math.max(Number(body.other_read_seq ?? 0), read);
    });
}

/** Stores that the user has read up to this sequence number. */
export async function markRead(db: AccountDb, conversation: string, seq: number): Promise<void> {
  await db.transaction('rw', db.readings, async () => {
    const reading = await loadReadCursor(db, conversation);
    if (reading.read >= seq) return;
    await db.readings.put({ ...reading, read: seq, has: Math.max(reading.has, seq) });
  });
}
