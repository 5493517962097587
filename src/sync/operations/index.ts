import type { TogglePatch } from '#db/patches.ts';
import type { OpKind, OutboxRow } from '#db/rows.ts';
import type { ConversationToggle } from '#db/toggles.ts';
import { acceptConnection } from './accept-connection.ts';
import { actOnRecord } from './act.ts';
import { askPerformer } from './ask-performer.ts';
import { createRecord } from './create-record.ts';
import { deleteRecord } from './delete-record.ts';
import { disconnect } from './disconnect.ts';
import { markSeen } from './mark-seen.ts';
import type { Operation, Values } from './operation.ts';
import { describeRecord } from './record-words.ts';
import { pinConversation } from './pin-conversation.ts';
import { requestConnection } from './request-connection.ts';
import { saveMedia } from './save-media.ts';
import { saveProfile } from './save-profile.ts';
import { sendMessage } from './send-message.ts';
import { setAvatar } from './set-avatar.ts';
import { starConversation } from './star-conversation.ts';
import { updateRecord } from './update-record.ts';
import { uploadFile } from './upload-file.ts';

/** The toggles of a conversation, by the field of its record. */
export const CONVERSATION_OPERATIONS: Record<ConversationToggle, Operation<TogglePatch>> = {
  starred: starConversation,
  pinned: pinConversation,
};

/** All operations by kind. A new operation is one file and one line here; a kind without one is a type error. */
const OPERATIONS: Readonly<Record<OpKind, readonly Operation[]>> = {
  create: [askPerformer, createRecord],
  update: [updateRecord],
  delete: [disconnect, deleteRecord],
  upload: [uploadFile],
  avatar: [setAvatar],
  save: [saveProfile, saveMedia, ...Object.values(CONVERSATION_OPERATIONS)],
  connect: [requestConnection],
  accept: [acceptConnection],
  send: [sendMessage],
  seen: [markSeen],
  act: [actOnRecord],
};

/** The operation of a row; undefined for a row that another version of the app wrote. */
export const findOperation = ({ kind, type }: Pick<OutboxRow, 'kind' | 'type'>): Operation | undefined =>
  // A newer version of the app may have written a kind that this one does not have.
  (OPERATIONS as Partial<typeof OPERATIONS>)[kind]?.find((operation) => operation.isFor?.(type) ?? true);

/** The title of a change, for the screen "Waiting to send" and the journal. */
export function describeChange(row: Pick<OutboxRow, 'kind' | 'type' | 'patch'>, body: Values = {}): string {
  const operation = findOperation(row);
  return operation ? operation.describe(row, body) : describeRecord(row, body);
}

/** The text shown when the server has acknowledged a change. @param subject see `getSubject` */
export const getSavedText = (kind: OpKind, subject: string): string | undefined =>
  findOperation({ kind, type: subject })?.savedText?.(subject);

/** Whether the row needs an existence check before a resend to a server without idempotency keys. */
export const needsProbe = (row: OutboxRow): boolean => findOperation(row)?.needsProbe ?? false;

/** The operation of a row that this version of the app knows. Throws for any other. */
export function getOperation(row: Pick<OutboxRow, 'kind' | 'type'>): Operation {
  const operation = findOperation(row);
  if (operation === undefined) throw new Error(`There is no operation ${row.kind} of ${row.type}`);
  return operation;
}
