import * as z from 'zod/mini';
import { LIMITS } from '#contract/limits.ts';
import { photoFields, type PhotoFields } from '#contract/records/media.ts';
import { errorMap } from '#contract/schema.ts';
import { ownProfile } from '#server/access/profiles.ts';
import type { Deps } from '#server/deps.ts';
import { invalid } from '#server/http/errors.ts';
import type { UploadReceiver } from '#server/features/uploads/receive.ts';
import type { FormRules } from './form.ts';
import { fileOfUpload, naming, pictureIntake, type Sent, type Workbench } from './intake.ts';
import type { KeptPhoto } from './keep.ts';
import { projectTypes, submission } from './store.ts';

const TOO_MANY = `Send at most ${LIMITS.photosPerPick} photos`;

/** The fields of the photo form; ids of lookups must be on their list, and an upload can be one photo only. */
export const photoForm = photoFields.check((payload) => {
  const { project_type, upload_ids } = payload.value;
  const complain = (field: string, message: string) =>
    payload.issues.push({ code: 'custom', message, path: [field], input: payload.value });
  if (project_type && !projectTypes.some(({ id }) => id === project_type)) {
    complain('project_type', 'Choose one from the list');
  }
  if (new Set(upload_ids).size < (upload_ids?.length ?? 0)) complain('upload_ids', 'Send each upload once');
});

/** Reads a submission of photos, by multipart form or naming uploads, up to pictures that lie in the store. */
export function photoIntake(deps: Deps, receiver: UploadReceiver) {
  const rules: FormRules = {
    fileField: 'files',
    maxFiles: LIMITS.photosPerPick,
    maxBytes: deps.config.maxUploadBytes,
    tooMany: TOO_MANY,
  };

  return pictureIntake<KeptPhoto[]>(deps, rules, async (sent, bench) => {
    const fields = readFields(sent);
    await ownProfile(deps.db, fields.profile_id, bench.caller);
    if (bench.isAnswered) return null;
    if (fields.client_id && (await submission(deps.db, bench.caller.userId, fields.client_id)).length > 0) return null;
    return makePhotos(sent, fields, bench, receiver);
  });
}

function readFields({ fields, files }: Sent): PhotoFields {
  const read = z.safeParse(photoForm, fields);
  if (!read.success) throw invalid(errorMap(read.error.issues));
  const uploads = read.data.upload_ids?.length ?? 0;
  if (uploads + files.length === 0) throw invalid({ files: ['No files uploaded!'] });
  if (uploads + files.length > LIMITS.photosPerPick) throw invalid({ files: [TOO_MANY] });
  return read.data;
}

async function makePhotos(
  sent: Sent,
  fields: PhotoFields,
  bench: Workbench,
  receiver: UploadReceiver,
): Promise<KeptPhoto[]> {
  // A refused upload is a refused file: under upload_ids it would read as gone, and be sent again for ever.
  const sources = [
    ...sent.files.map(({ file, field }) => ({ field, open: async () => file })),
    ...(fields.upload_ids ?? []).map((id) => ({
      field: 'files',
      open: () => fileOfUpload(receiver, bench, id, 'upload_ids'),
    })),
  ];
  const photos: KeptPhoto[] = [];
  for (const [index, { field, open }] of sources.entries()) {
    const place = sources.length > 1 ? `Photo ${index + 1}: ` : '';
    const file = await open();
    photos.push(await naming(field, place, () => bench.keeper.photo(file, bench.folder)));
  }
  return photos;
}
