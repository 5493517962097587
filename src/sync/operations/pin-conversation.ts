import { PIN, UNPIN } from '#contract/chat-calls.ts';
import { defineConversationToggle } from './toggle.ts';

/** Pins a conversation above the others, or unpins it. */
export const pinConversation = defineConversationToggle('pinned', {
  on: PIN,
  off: UNPIN,
  words: { on: 'Pin', off: 'Unpin' },
  icon: 'message',
});
