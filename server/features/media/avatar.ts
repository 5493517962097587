import * as z from 'zod/mini';
import { toErrorMap } from '#contract/schema.ts';
import { getOwnProfile } from '#server/platform/access/profiles.ts';
import type { Deps } from '#server/platform/deps.ts';
import { invalid } from '#server/platform/http/errors.ts';
import type { UploadReceiver } from '#server/features/uploads/receive.ts';
import type { FormRules } from './form.ts';
import { copyUploadToFile, withFieldErrors, fileIntake } from './intake.ts';
import type { StoredNewFile } from './file-store.ts';

const WHOSE = 'Choose the profile it belongs to';

export const avatarForm = z.object({
  profileId: z.pipe(
    z.union([z.string().check(z.minLength(1), z.maxLength(64)), z.int()], { error: WHOSE }),
    z.transform(String),
  ),
  upload_id: z.optional(z.uuid({ error: 'Send a UUID' })),
});

/** Reads a new avatar, as a multipart form or with an upload id, and stores the picture. */
export function avatarIntake(deps: Deps, receiver: UploadReceiver) {
  const rules: FormRules = {
    fileField: 'image',
    maxFiles: 1,
    maxBytes: deps.config.maxFileBytes.image,
    tooMany: () => 'Send one picture',
  };

  return fileIntake<StoredNewFile>(deps, rules, async ({ fields, files }, context) => {
    const read = z.safeParse(avatarForm, fields);
    if (!read.success) throw invalid(toErrorMap(read.error.issues));
    const { profileId, upload_id } = read.data;
    await getOwnProfile(deps.db, profileId, context.caller);
    if (context.isAnswered) return null;
    const [sent] = files;
    if (sent === undefined && upload_id === undefined) throw invalid({ image: ['No files uploaded!'] });
    if (sent !== undefined && upload_id !== undefined) throw invalid({ image: ['Send one picture'] });
    const uploaded = { field: 'upload_id', fileField: 'image', maxBytes: rules.maxBytes };
    const file = sent?.file ?? (await copyUploadToFile(receiver, context, upload_id ?? '', uploaded));
    return withFieldErrors('image', '', () => context.fileStore.avatar(file, context.folder));
  });
}
