import { CHAT, DELIVERED_CONVERSATION, READ_CONVERSATION } from '#contract/chat-calls.ts';
import { pathOf } from '#contract/path.ts';
import type { Conversation } from '#contract/records/chat.ts';
import type { AccountDb } from '#db/database.ts';
import { CONVERSATION } from '#db/messages.ts';
import type { WireAnswer } from '#net/wire.ts';
import { parseMessage, upsertMessages } from './messages.ts';
import { type OutboxPorts, getTables } from '../queue/outbox.ts';
import { hasMessage, isOwnRefusal } from '../server/own-answer.ts';
import type { Ports } from '../ports.ts';
import { jsonRequest } from '../operations/build-request.ts';

/** Conversation requests that only pages make: older messages and read cursors. The worker does not need them. */

/** Which messages to fetch: those right before, or right after, a sequence number. */
export type Side = { before: number } | { after: number };

/** Fetches a part of a conversation that is not on this device. False when the server did not answer. */
export async function fetchHistory(
  ports: Pick<OutboxPorts, 'db' | 'clock'> & Pick<Ports, 'transport'>,
  conversation: { id: string; connectionId: string },
  side: Side,
  limit: number,
): Promise<boolean> {
  const { db } = ports;
  const query = 'before' in side ? `before_seq=${side.before}` : `after_seq=${side.after}`;
  const path = `${pathOf(CHAT, { connectionId: conversation.connectionId })}?${query}&limit=${limit}`;
  const answer = await ports.transport.send(jsonRequest('GET', path), { userId: db.userId });
  if ('reason' in answer || answer.status !== 200 || answer.redirected) return false;
  const { messages } = (answer.body ?? {}) as { messages?: unknown };
  if (!Array.isArray(messages)) return false;
  await db.transaction('rw', getTables(db), async () => {
    // The conversation was closed meanwhile, and its messages were deleted from this device.
    if (!(await db.records.get([CONVERSATION, conversation.id]))) return;
    await upsertMessages(
      ports,
      messages
        .map(parseMessage)
        .filter((each) => each !== null)
        .filter((each) => each.conversation_id === conversation.id),
    );
  });
  return true;
}

/** Reports how far conversations were received and read. After a failure, the next run reports the rest. */
export async function reportReadCursors(db: AccountDb, { transport }: Pick<Ports, 'transport'>): Promise<void> {
  const untold = await db.readings.filter((each) => each.read > each.toldRead || each.has > each.toldHas).toArray();
  for (const { conversation, read, has, toldRead } of untold) {
    const record = await db.records.get([CONVERSATION, conversation]);
    const known = (record?.body as Conversation | undefined)?.read_seq ?? 0;
    const isRead = read > Math.max(toldRead, known);
    // A read message was also received, so one call reports both.
    const seq = isRead ? read : has;
    if (isRead || has > Math.max(read, known)) {
      const call = isRead ? READ_CONVERSATION : DELIVERED_CONVERSATION;
      const request = jsonRequest('POST', pathOf(call, { id: conversation }), { seq });
      const answer = await transport.send(request, { userId: db.userId });
      // Stop on a failure. A conversation that is gone counts as reported.
      if (!isHeard(answer)) return;
    }
    await db.readings
      .where('conversation')
      .equals(conversation)
      .modify((each) => {
        each.toldRead = Math.max(each.toldRead, isRead ? read : known);
        each.toldHas = Math.max(each.toldHas, seq, isRead ? 0 : known);
      });
  }
}

/** Whether our server itself answered, as opposed to a captive portal. */
function isHeard(answer: WireAnswer): boolean {
  if (answer.status === 404 || answer.status === 403) return isOwnRefusal(answer);
  return 'body' in answer && !answer.redirected && answer.status < 300 && hasMessage(answer.body);
}
