import { STAR, UNSTAR } from '#contract/chat-calls.ts';
import { defineConversationToggle } from './toggle.ts';

/** Stars a conversation, or removes the star. */
export const starConversation = defineConversationToggle('starred', {
  on: STAR,
  off: UNSTAR,
  words: { on: 'Star', off: 'Remove star:' },
  icon: 'star',
});
