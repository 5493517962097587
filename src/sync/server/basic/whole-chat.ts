import type { Message } from '#contract/records/chat.ts';
import type { Values } from '../../queue/outbox.ts';

/** A listed message: with its sequence number, and the optional fields that the server sends. */
export type ListedMessage = Partial<Message> & Pick<Message, 'id' | 'seq' | 'message' | 'sender_id'>;

/**
 * Parses the conversation response of a basic-API server. It holds all messages in order, so the position of a message
 * is its sequence number if it has none. Null when the response is no such list.
 */
export function parseWholeChat(body: unknown): ListedMessage[] | null {
  const { messages } = (body ?? {}) as { messages?: unknown };
  if (!Array.isArray(messages)) return null;
  const named = (messages as (Values | null)[]).filter(
    (each): each is Values => each?.id != null && typeof each.message === 'string',
  );
  const once = [...new Map(named.map((each) => [String(each.id), each])).values()];
  const isCounted = once.every(
    ({ seq }, at) => Number.isInteger(seq) && Number(seq) > Number(at === 0 ? 0 : once[at - 1]?.seq),
  );
  return once.map((each, at) => ({
    ...(each as Partial<Message> & Pick<Message, 'message'>),
    id: String(each.id),
    seq: isCounted ? Number(each.seq) : at + 1,
    sender_id: String(each.sender_id),
  }));
}
