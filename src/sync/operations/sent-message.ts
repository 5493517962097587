import type { Message } from '#contract/records/chat.ts';
import type { AccountDb } from '#db/database.ts';
import { messagesBetween } from '#db/messages.ts';
import type { OutboxRow } from '#db/rows.ts';
import type { Values } from './operation.ts';
import { clientIdOf } from './build-request.ts';

/**
 * Builds the stored message of an acknowledged row. If the server sends no sequence number, the message keeps its known
 * one or goes after the newest message, until the next pull. Call it inside a transaction over `getTables`.
 */
export async function sentMessage(db: AccountDb, row: OutboxRow, record: Values): Promise<Message> {
  const { message, receiver_id, after } = { ...row.base, ...row.patch };
  const sent = {
    message,
    receiver_id,
    created_at: new Date(row.createdAt).toISOString(),
    ...record,
    id: String(record.id),
    client_id: clientIdOf(row.target),
    // A question may have waited without a conversation.
    conversation_id: String(record.conversation_id ?? row.parent),
    sender_id: db.userId,
  } as Message;
  if (Number.isInteger(sent.seq)) return sent;
  const here = await messagesBetween(db, sent.conversation_id, Number(after ?? 0), Infinity);
  const seq = here.find(({ id }) => id === sent.id)?.seq ?? (here.at(-1)?.seq ?? 0) + 1;
  return { ...sent, seq };
}
