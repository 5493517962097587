import type { Message } from '#contract/records/chat.ts';
import type { Values } from '../../queue/outbox.ts';

/** A message as a list has it: with its number, and whatever else the server tells. */
export type ListedMessage = Partial<Message> & Pick<Message, 'id' | 'seq' | 'message' | 'sender_id'>;

/**
 * What a server of the bare specification says of a conversation: all of it, in order, so that the place of a message is
 * its number where it has none. Null where the answer is no such list.
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
