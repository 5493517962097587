import type { Notification } from '#contract/records/notifications.ts';
import type { AccountDb } from '#db/database.ts';
import type { Clock } from './ports.ts';
import type { PullLoop } from './pull-loop.ts';
import { fetchHistory, type Side } from './pull/history.ts';
import * as messages from './pull/messages.ts';
import type { Save } from './write-once.ts';

/** Receives messages and read receipts, live or on request, and records how far the user has read. */
export function createInbox(db: AccountDb, clock: Clock, pulls: PullLoop, save: Save) {
  return {
    /** Stores that the user has read up to this message, and reports it to the server when possible. */
    async markRead(conversationId: string, seq: number): Promise<void> {
      await save(() => messages.markRead(db, conversationId, seq));
      await pulls.report();
    },
    /**
     * Stores a message from a live event, and pulls the messages that are missing before it.
     * @param notification the one about this message, if the event carries it
     */
    async receiveMessage(event: unknown, notification?: Notification): Promise<void> {
      const message = messages.parseMessage(event);
      // An event without a sequence number only names the conversation that has a new message.
      if (message === null && (await pulls.pullConversation(messages.getConversationId(event)))) return;
      const isMissing =
        message === null || (await save(() => messages.receiveMessage({ db, clock }, message, notification)));
      // A pull under way may have been answered before the message was sent, and then stores older records over these.
      if (isMissing || pulls.isRunning()) await pulls.pull();
      else pulls.reportSoon();
    },
    /** Stores how far the other person has received and read a conversation. */
    receiveReceipt: (receipt: messages.Receipt) => save(() => messages.receiveReceipt(db, receipt)),
    /**
     * Reads the conversation on the screen from a server that does not push new messages. False when that failed, null
     * when the server pushes them.
     */
    refreshConversation: pulls.pullConversation,
    /** Fetches messages that are not on this device. False when the server did not answer. */
    fetchHistory: async (conversation: { id: string; connectionId: string }, side: Side, limit: number) =>
      (await pulls.pullConversation(conversation.id)) ??
      save(() => fetchHistory({ db, clock, transport: pulls.transport }, conversation, side, limit)),
  };
}
