import * as z from 'zod/mini';
import { MEDIA_KINDS, getMediaKind, type MediaKind } from '#contract/media-kinds.ts';
import { submissionSchema } from '#contract/records/media.ts';
import { toErrorMap } from '#contract/schema.ts';
import { youtubeId } from '#contract/youtube.ts';
import { getOwnProfile } from '#server/platform/access/profiles.ts';
import type { Db } from '#server/platform/db/connect.ts';
import type { Deps } from '#server/platform/deps.ts';
import { capitalized } from '#contract/text.ts';
import { invalid } from '#server/platform/http/errors.ts';
import type { Uploads } from '#server/features/uploads/open.ts';
import { fileTooBig, getLargestFileBytes } from '#server/features/uploads/size-limits.ts';
import type { FormRules } from './form.ts';
import {
  fileIntake,
  copyUploadToFile,
  findDirectVideo,
  withFieldErrors,
  type ReceivedFiles,
  type UploadContext,
} from './intake.ts';
import type { StoredNewMedia } from './file-store.ts';
import { lookupList } from './lookups.ts';
import type { Metadata, PreparedSubmission, Submission } from './prepared.ts';
import { findSubmission } from './store.ts';

/** The submission forms for the OpenAPI document: one per kind, with its files. */
export const submissionForms = (currentYear: () => number) =>
  z.union(
    MEDIA_KINDS.map((kind) =>
      z.extend(submissionSchema(kind, currentYear), { 'files[]': z.optional(z.array(z.file())) }),
    ),
  );

const MAX_FILES = Math.max(...MEDIA_KINDS.map(({ maxFiles }) => maxFiles));

/** Error message for a submission with too many files. */
export const tooManyFilesText = ({ maxFiles, plural }: Pick<MediaKind, 'maxFiles' | 'plural'>) =>
  `Send at most ${maxFiles} ${plural}`;

/** Reads a submission of any kind, as a multipart form or with upload ids, and stores its files. */
export function submissionIntake(deps: Deps, uploads: Uploads) {
  const rules: FormRules = {
    fileField: 'files',
    maxFiles: MAX_FILES,
    maxBytes: getLargestFileBytes(deps.config),
    tooMany: ({ media_type }) => tooManyFilesText(getMediaKind(media_type) ?? { maxFiles: MAX_FILES, plural: 'files' }),
  };
  return fileIntake<PreparedSubmission>(deps, rules, async (sent, context) => {
    const { submission: checked, poster } = await readSubmission(deps, sent);
    const { db } = deps;
    await getOwnProfile(db, checked.profileId, context.caller);
    if (context.isAnswered) return null;
    if (checked.clientId && (await findSubmission(db, context.caller.userId, checked.clientId)).length > 0) return null;
    const items = await storeFiles(
      sent,
      checked,
      { ...context, maxBytes: deps.config.maxFileBytes[checked.kind.key] },
      uploads,
    );
    const pictures =
      poster === null
        ? []
        : await withFieldErrors('poster', '', () => context.fileStore.poster(poster, context.folder));
    return { submission: checked, items, poster: pictures };
  });
}

async function readSubmission(
  { db, clock }: Pick<Deps, 'db' | 'clock'>,
  { fields, files }: ReceivedFiles,
): Promise<{ submission: Submission; poster: string | null }> {
  const kind = getMediaKind(fields['media_type']);
  if (kind === undefined) throw invalid({ media_type: [`Send ${MEDIA_KINDS.map(({ key }) => key).join(', ')}`] });
  const read = z.safeParse(
    submissionSchema(kind, () => clock.now().getUTCFullYear()),
    fields,
  );
  if (!read.success) throw invalid(toErrorMap(read.error.issues));
  const { profile_id, client_id, upload_ids = [], youtube_url, duration, peaks, poster, ...rest } = read.data;
  const link = kind.key === 'video' && youtube_url ? youtube_url : null;
  const count = upload_ids.length + files.length;
  if (new Set(upload_ids).size < upload_ids.length) throw invalid({ upload_ids: ['Send each upload once'] });
  if (count > kind.maxFiles) throw invalid({ [files[0]?.field ?? 'files']: [tooManyFilesText(kind)] });
  if (count === 0 && link === null) throw invalid({ files: ['No files uploaded!'] });
  if (count > 0 && link !== null) throw invalid({ youtube_url: ['Add files or a link, not both'] });
  const videoId = link === null ? null : youtubeId(link);
  if (link !== null && videoId === null) throw invalid({ youtube_url: ['This is not a YouTube link'] });
  return {
    submission: {
      kind,
      profileId: profile_id,
      clientId: client_id ?? null,
      uploadIds: upload_ids,
      youtubeId: videoId,
      name: String((rest as Record<string, unknown>)['name']),
      metadata: await toMetadata(db, kind, rest),
      durationSeconds: duration ?? null,
      peaks: peaks ?? null,
    },
    poster: poster && kind.key === 'video' ? poster : null,
  };
}

/**
 * Converts form fields to metadata in form order, with names in place of lookup ids.
 * @param before existing values of fields that `values` omits
 * @throws 422 if an id is not on its lookup list
 */
export async function toMetadata(
  db: Db,
  kind: MediaKind,
  values: Record<string, unknown>,
  before: Metadata = [],
): Promise<Metadata> {
  const metadata: Metadata = [];
  for (const [key, field] of Object.entries(kind.fields)) {
    const value = values[key];
    if (value === undefined) metadata.push(...before.filter((entry) => entry.key === key));
    if (key === 'name' || typeof value !== 'string' || value === '') continue;
    if (field.kind !== 'lookup') metadata.push({ key, value: key === 'keywords' ? tidyKeywords(value) : value });
    else {
      const found = (await lookupList(db, field.lookup)).find(({ id }) => id === value);
      if (found === undefined) throw invalid({ [key]: ['Choose one from the list'] });
      metadata.push({ key, value: found.name });
    }
  }
  return metadata.filter(({ value }) => value !== '');
}

const tidyKeywords = (text: string): string =>
  text
    .split(',')
    .map((word) => word.trim())
    .filter((word) => word !== '')
    .join(', ');

async function storeFiles(
  sent: ReceivedFiles,
  { kind, uploadIds }: Submission,
  context: UploadContext & { maxBytes: number },
  uploads: Uploads,
): Promise<StoredNewMedia[]> {
  const { maxBytes } = context;
  const tooBig = sent.files.find(({ sizeBytes }) => sizeBytes > maxBytes);
  if (tooBig !== undefined) throw fileTooBig(tooBig.field, maxBytes);
  // A refused upload is reported under the file field: clients read an error under `upload_ids` as a lost upload and would resend forever.
  const rules = { field: 'upload_ids', fileField: 'files', maxBytes };
  const storeFile = (file: string) => context.fileStore.media(kind.key, file, context.folder);
  const sources = [
    ...sent.files.map(({ file, field }) => ({ field, store: () => storeFile(file) })),
    ...uploadIds.map((id) => ({
      field: 'files',
      store: async () => {
        const direct = kind.key === 'video' ? await findDirectVideo(uploads, context, id, rules) : null;
        return direct ?? storeFile(await copyUploadToFile(uploads.receiver, context, id, rules));
      },
    })),
  ];
  const stored: StoredNewMedia[] = [];
  for (const [index, { field, store }] of sources.entries()) {
    const place = sources.length > 1 ? `${capitalized(kind.noun)} ${index + 1}: ` : '';
    stored.push(await withFieldErrors(field, place, store));
  }
  return stored;
}
