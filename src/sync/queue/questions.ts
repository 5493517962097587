import { LOCAL } from '#db/canonical.ts';
import { newestSeq } from '#db/messages.ts';
import { findConversationWith, getQuestionPlace } from '#db/questions.ts';
import { sendMessage } from '../operations/send-message.ts';
import { append, getTables, type OutboxPorts } from './outbox.ts';

export interface NewQuestion {
  /** The server's id of the audition. */
  auditionId: string;
  /** The one who sent it. */
  userId: string;
  name: string;
  text: string;
}

/**
 * Queues a question about an audition. It is a message, in the lane of the conversation with the one who is asked. While this device knows of none, the
 * questions about the audition have a lane of their own, and the first of them opens the conversation.
 */
export async function askQuestion(
  ports: OutboxPorts,
  { auditionId, userId, name, text }: NewQuestion,
): Promise<{ op: string }> {
  const { db, chance } = ports;
  const target = LOCAL + chance.uuid();
  const op = chance.uuid();
  await db.transaction('rw', getTables(db), async () => {
    const lane = await db.outbox
      .where('[parent+type]')
      .equals([getQuestionPlace(auditionId), 'message'])
      .count();
    // Behind those that wait for a conversation, also where it is here by now.
    const known = lane > 0 ? null : await findConversationWith(db, userId);
    await append(ports, sendMessage, {
      op,
      type: 'message',
      target,
      parent: known ?? getQuestionPlace(auditionId),
      patch: { message: text, receiver_id: userId, name, audition_id: auditionId },
      base: { after: known === null ? 0 : await newestSeq(db, known) },
    });
  });
  return { op };
}
