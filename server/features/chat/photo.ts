import type { FastifyRequest } from 'fastify';
import * as z from 'zod/mini';
import { sendMessageBody } from '#contract/records/chat.ts';
import { toErrorMap } from '#contract/schema.ts';
import type { Db } from '#server/platform/db/connect.ts';
import type { Deps } from '#server/platform/deps.ts';
import { conflict, invalid } from '#server/platform/http/errors.ts';
import { parseId } from '#server/platform/http/ids.ts';
import type { Intake } from '#server/platform/http/route.ts';
import { lockPerson } from '#server/platform/db/lock-person.ts';
import { fileIntake, copyUploadToFile, withFieldErrors, consumeUpload, UPLOADS_ONLY } from '../media/intake.ts';
import type { StoredNewMedia } from '../media/file-store.ts';
import { requireQuota } from '#server/features/uploads/quota.ts';
import { toFileColumns, recordFiles } from '../media/store.ts';
import type { Uploads } from '../uploads/open.ts';
import { findOpenConversation } from './conversations.ts';
import { findMessageByClientId, type StoredPhoto } from './messages.ts';

interface Attached {
  owner: { userId: number; conversationId: number };
  now: Date;
}

interface SentPhoto {
  /** The photo as the message row stores it. */
  photo: StoredPhoto;
  /**
   * Consumes the upload and assigns its files to the conversation, after the message has been inserted.
   * @throws 422 if the upload is gone or the sender's quota is exceeded
   */
  attach: (tx: Db, to: Attached) => Promise<void>;
}

/** Handles the photo of a message: inspects and stores it before the transaction, and records it within. */
export function photoIntake(deps: Deps, uploads: Uploads) {
  const { db, config } = deps;
  // A refused photo is reported under `image`: clients read an error under `upload_id` as a lost upload and would resend forever.
  const intake = fileIntake<StoredNewMedia>(deps, UPLOADS_ONLY, async ({ fields }, context) => {
    const read = z.safeParse(sendMessageBody, fields);
    if (!read.success) throw invalid(toErrorMap(read.error.issues));
    const { conversation_id, client_id, upload_id } = read.data;
    const id = parseId(conversation_id);
    const { userId } = context.caller;
    // Skip the inspection when the caller may not send photos here; the handler reports why.
    if (context.isAnswered || id === null) return null;
    if ((await findOpenConversation(db, userId, { id }))?.connectionId == null) return null;
    if (client_id !== undefined && (await findMessageByClientId(db, userId, client_id)) !== null) return null;
    const rules = { field: 'upload_id', fileField: 'image', maxBytes: config.maxFileBytes.image };
    const file = await copyUploadToFile(uploads.receiver, context, upload_id ?? '', rules);
    return withFieldErrors('image', '', () => context.fileStore.media('image', file, context.folder));
  });

  return {
    async read(request: FastifyRequest): Promise<Intake | null> {
      const sent = request.body as { upload_id?: unknown } | null;
      return sent?.upload_id === undefined ? null : intake.read(request);
    },

    /** Returns null if the message has no photo. @throws 409 if the photo was not inspected */
    of(request: FastifyRequest, uploadId: string | undefined): SentPhoto | null {
      if (uploadId === undefined) return null;
      const prepared = intake.prepared.get(request);
      // The stored response was deleted in the meantime; a retry inspects the photo.
      if (prepared === undefined) throw conflict('Try again', 1);
      const { value: picture, touch } = prepared;
      const { sha256: _sha256, durationSeconds: _duration, ...photo } = toFileColumns(picture);
      return {
        photo,
        async attach(tx, { owner, now }) {
          touch(...(await consumeUpload(uploads, tx, owner.userId, uploadId, 'upload_id')));
          const files = [picture.original, ...picture.copies];
          await lockPerson(tx, owner.userId);
          await requireQuota(tx, config, owner.userId, files);
          await recordFiles(tx, owner, files, now);
        },
      };
    },
  };
}
