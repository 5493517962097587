import { LOCAL } from '#db/canonical.ts';
import { chatDraft, newestSeq } from '#db/messages.ts';
import type { MessageFields } from '#db/patches.ts';
import { sendMessage as sendMessageOperation } from '../operations/send-message.ts';
import { append, appendUpload, type OutboxPorts, getTables } from './outbox.ts';

/** The recipient of a message and the conversation. */
export interface Recipient {
  conversationId: string;
  userId: string;
  name: string;
}

/**
 * Queues a message behind the earlier ones and deletes its draft, in one transaction.
 * @param photo id of a stored file; its bytes are sent first, and later messages wait, so that the order stays
 */
export async function sendMessage(
  ports: OutboxPorts,
  to: Recipient,
  fields: MessageFields,
  photo?: string,
): Promise<{ id: string; op: string }> {
  const { db, chance } = ports;
  const id = LOCAL + chance.uuid();
  const op = chance.uuid();
  const uploadOp = chance.uuid();
  await db.transaction('rw', getTables(db), async () => {
    const { conversationId, userId, name } = to;
    if (photo !== undefined) await appendUpload(ports, uploadOp, photo);
    await append(ports, sendMessageOperation, {
      op,
      type: 'message',
      target: id,
      parent: conversationId,
      patch: { ...fields, receiver_id: userId, name },
      // The newest message known when this one was written. It tells equal texts apart on a server without message ids.
      base: { after: await newestSeq(db, conversationId) },
      deps: photo === undefined ? [] : [photo],
    });
    await db.drafts.delete(chatDraft(conversationId));
  });
  return { id, op };
}
