import type { WireAnswer } from '#net/wire.ts';
import { CHAT } from '#contract/chat-calls.ts';
import { pathOf } from '#contract/path.ts';
import type { AccountDb } from '#db/database.ts';
import { CONVERSATION, messagesBetween } from '#db/messages.ts';
import type { OutboxRow } from '#db/rows.ts';
import type { Verdict } from '../../send/verdict.ts';
import type { Ports } from '../../ports.ts';
import { jsonRequest } from '../../operations/build-request.ts';
import { SLACK_MS, unsure } from './unsure.ts';
import { parseWholeChat } from './whole-chat.ts';

/**
 * Checks whether a message whose response was lost is on a server without idempotency keys. Only messages after the
 * newest one known when it was written, and after the last acknowledged one of this device, can match. So an older
 * message with the same text, or the previous one, is never taken for it.
 */
export async function probeMessage(
  db: AccountDb,
  { transport }: Pick<Ports, 'transport'>,
  row: OutboxRow,
  read: (answer: WireAnswer) => Verdict,
): Promise<Verdict | 'not there'> {
  const id = String(row.parent);
  const conversation = await db.records.get([CONVERSATION, id]);
  // The conversation was closed meanwhile and can no longer be read.
  if (!conversation) return unsure();
  const path = pathOf(CHAT, { connectionId: String(conversation.body.connection_id) });
  const answer = await transport.send(jsonRequest('GET', path), { userId: db.userId });
  const messages =
    'reason' in answer || answer.status !== 200 || answer.redirected ? null : parseWholeChat(answer.body);
  if (messages === null) {
    const verdict = read(answer);
    return verdict.do === 'again' || verdict.do === 'rate-limited' || verdict.do === 'sign-in' ? verdict : unsure();
  }
  const here = await messagesBetween(db, id, 0, Infinity);
  const own = new Set(here.flatMap((message) => (message.client_id === null ? [] : [message.id])));
  const last = messages.findLastIndex((message) => own.has(message.id));
  const alike = messages
    .slice(last + 1)
    .filter(
      ({ seq, sender_id, message }) =>
        seq > Number(row.base.after ?? 0) && sender_id === db.userId && message === row.patch.message,
    );
  const [match] = alike;
  if (match === undefined) return 'not there';
  // The match is older than our message: the user sent it from another device, or a clock is wrong.
  const isOlder = Date.parse(match.created_at ?? '') < row.createdAt - SLACK_MS;
  if (alike.length > 1 || isOlder) return unsure(': there are several like it');
  // Leave the sequence number to the next pull: this list may contain messages that are not stored here yet.
  const { seq: _seq, ...record } = match;
  return { do: 'done', record, existed: false };
}
