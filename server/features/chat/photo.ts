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
import { fileIntake, copyUploadToFile, withFieldErrors, consumeUpload } from '../media/intake.ts';
import type { StoredNewMedia } from '../media/file-store.ts';
import { requireRoom } from '#server/features/uploads/quota.ts';
import { factsOf, recordFiles } from '../media/store.ts';
import type { Uploads } from '../uploads/open.ts';
import { findOpenConversation, findMessageByClientId, type StoredPhoto } from './store.ts';

interface Attached {
  owner: { userId: number; conversationId: number };
  now: Date;
}

interface SentPhoto {
  /** What its message says of it. */
  photo: StoredPhoto;
  /**
   * Spends the upload and notes its files as the conversation's, once the message stands.
   * @throws 422 where it is gone, or its sender has no room
   */
  attach: (tx: Db, to: Attached) => Promise<void>;
}

const NO_FORM = { fileField: '', maxFiles: 0, maxBytes: 0, tooMany: () => '' };

/** The photo of a message: looked through and stored before the transaction, and noted in it. */
export function photoIntake(deps: Deps, uploads: Uploads) {
  const { db, config } = deps;
  // A refused picture stands under `image`: under upload_id it would read as gone, and be sent again for ever.
  const intake = fileIntake<StoredNewMedia>(deps, NO_FORM, async ({ fields }, context) => {
    const read = z.safeParse(sendMessageBody, fields);
    if (!read.success) throw invalid(toErrorMap(read.error.issues));
    const { conversation_id, client_id, upload_id } = read.data;
    const id = parseId(conversation_id);
    const { userId } = context.caller;
    // Where nothing may be written, nothing need be looked at: the handler says why.
    if (context.isAnswered || id === null || (await findOpenConversation(db, userId, { id })) === null) return null;
    if (client_id !== undefined && (await findMessageByClientId(db, userId, client_id)) !== null) return null;
    const file = await copyUploadToFile(uploads.receiver, context, upload_id ?? '', 'upload_id');
    return withFieldErrors('image', '', () => context.fileStore.media('image', file, context.folder));
  });

  return {
    async read(request: FastifyRequest): Promise<Intake | null> {
      const sent = request.body as { upload_id?: unknown } | null;
      return sent?.upload_id === undefined ? null : intake.read(request);
    },

    /** Null where the message has none. @throws 409 where the picture was not looked at */
    of(request: FastifyRequest, uploadId: string | undefined): SentPhoto | null {
      if (uploadId === undefined) return null;
      const prepared = intake.prepared.get(request);
      // The answer that was there when it came is gone since: the next try looks at it.
      if (prepared === undefined) throw conflict('Try again', 1);
      const { value: picture, touch } = prepared;
      const { sha256: _sha256, durationSeconds: _duration, ...photo } = factsOf(picture);
      return {
        photo,
        async attach(tx, { owner, now }) {
          touch(...(await consumeUpload(uploads, tx, owner.userId, uploadId, 'upload_id')));
          const files = [picture.original, ...picture.copies];
          await lockPerson(tx, owner.userId);
          await requireRoom(tx, config, owner.userId, files);
          await recordFiles(tx, owner, files, now);
        },
      };
    },
  };
}
