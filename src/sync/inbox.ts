import type { AccountDb } from '#db/database.ts';
import type { Clock } from './ports.ts';
import type { PullLoop } from './pull-loop.ts';
import { fetchHistory, type Side } from './pull/history.ts';
import * as messages from './pull/messages.ts';
import type { Save } from './write-once.ts';

/** What arrives in conversations, live or on request, and how far it has been read. */
export function createInbox(db: AccountDb, clock: Clock, pulls: PullLoop, save: Save) {
  return {
    /** The person has read up to this message: kept here, and reported when it can be. */
    async markRead(conversationId: string, seq: number): Promise<void> {
      await save(() => messages.markRead(db, conversationId, seq));
      await pulls.report();
    },
    /** Stores a message that arrived live, and pulls what is missing before it. */
    async receiveMessage(event: unknown): Promise<void> {
      const message = messages.parseMessage(event);
      // A message without a number only says in which conversation something was written.
      if (message === null && (await pulls.pullConversation(messages.getConversationId(event)))) return;
      const isMissing = message === null || (await save(() => messages.receiveMessage({ db, clock }, message)));
      await (isMissing ? pulls.pull() : pulls.report());
    },
    /** Stores how far the other person has received and read a conversation. */
    receiveReceipt: (receipt: messages.Receipt) => save(() => messages.receiveReceipt(db, receipt)),
    /**
     * Reads a conversation that is on the screen, where the server does not send its news. False where that failed, null where
     * there was no need.
     */
    refreshConversation: pulls.pullConversation,
    /** Fetches messages that are not on this device; false where nobody answered. */
    fetchHistory: async (conversation: { id: string; connectionId: string }, side: Side, limit: number) =>
      (await pulls.pullConversation(conversation.id)) ??
      save(() => fetchHistory({ db, clock, transport: pulls.transport }, conversation, side, limit)),
  };
}
