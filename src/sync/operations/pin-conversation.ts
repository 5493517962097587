import { PIN, UNPIN } from '#contract/chat-calls.ts';
import { defineConversationToggle } from './toggle.ts';

/** Pins a conversation to the top of the list, or unpins it. */
export const pinConversation = defineConversationToggle('pinned', {
  on: PIN,
  off: UNPIN,
  words: { on: 'Pin', off: 'Unpin' },
  icon: 'message',
});
