import { STAR, UNSTAR } from '#contract/chat-calls.ts';
import { CONVERSATION } from '#db/messages.ts';
import { UNVERSIONED } from './operation.ts';
import { defineToggle } from './toggle.ts';

/** Stars a conversation, or takes the star away. */
export const starConversation = defineToggle({
  type: CONVERSATION,
  on: STAR,
  off: UNSTAR,
  words: { on: 'Star', off: 'Remove star:' },
  icon: 'star',
  async acknowledge(row, _success, { db }) {
    const mirrored = db.records.where('[type+id]').equals([CONVERSATION, row.target]);
    await mirrored.modify(({ body }) => void (body.starred = row.patch.saved));
    return UNVERSIONED;
  },
});
