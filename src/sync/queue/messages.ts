import { LOCAL } from '#db/canonical.ts';
import { chatDraft, newestSeq } from '#db/messages.ts';
import type { MessageFields } from '#db/patches.ts';
import { sendMessage as sendMessageOperation } from '../operations/send-message.ts';
import { append, appendUpload, type OutboxPorts, getTables } from './outbox.ts';

/** A person a message goes to, and in which conversation. */
export interface Recipient {
  conversationId: string;
  userId: string;
  name: string;
}

/**
 * Queues a message behind those before it, and empties the draft it was typed in, in one transaction.
 * @param photo of a stored file: its bytes go before it, and those behind wait, so that the order stays
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
      // The newest message known here was written before it: that tells equal words apart on a server without message ids.
      base: { after: await newestSeq(db, conversationId) },
      deps: photo === undefined ? [] : [photo],
    });
    await db.drafts.delete(chatDraft(conversationId));
  });
  return { id, op };
}
