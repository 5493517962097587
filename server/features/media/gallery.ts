import type { FastifyInstance } from 'fastify';
import * as z from 'zod/mini';
import { CALLS } from '#contract/calls.ts';
import { MEDIA_KINDS, getMediaKind, getMediaKindOfFile, type MediaKind } from '#contract/media-kinds.ts';
import { galleryResponse, validateMediaBody, validationResponse } from '#contract/records/media.ts';
import { idText } from '#contract/schema.ts';
import { capitalized } from '#contract/text.ts';
import { youtubeId } from '#contract/youtube.ts';
import { getOwnProfile } from '#server/platform/access/profiles.ts';
import type { Db } from '#server/platform/db/connect.ts';
import type { Deps } from '#server/platform/deps.ts';
import { created, ok } from '#server/platform/http/response.ts';
import type { Caller } from '#server/platform/http/caller.ts';
import { conflict, invalid } from '#server/platform/http/errors.ts';
import { requiredAccount, actionRoute, writeRoute } from '#server/platform/http/route.ts';
import { newestProfileId } from './access.ts';
import { lockPerson } from '#server/platform/db/lock-person.ts';
import { attach } from './attach.ts';
import type { FormRules, PickedFile } from './form.ts';
import { FileRefused } from './inspect/refused.ts';
import { fileIntake, type ReceivedFiles, type UploadContext } from './intake.ts';
import { quotaMessage, getFreeBytes } from '#server/features/uploads/quota.ts';
import { getLargestFileBytes, getMaxBytesOf, tooBigText } from '#server/features/uploads/size-limits.ts';
import type { PreparedSubmission } from './prepared.ts';
import { tooManyFilesText } from './submission.ts';

type Errors = Record<string, string[]>;

const VIDEO = getMediaKind('video')!;
const ENDINGS = MEDIA_KINDS.flatMap(({ types }) => Object.values(types).flat());
const ONLY = `Only ${ENDINGS.slice(0, -1).join(', ')} and ${ENDINGS.at(-1)} files`;
const EMPTY = 'This file is empty';
const MAX_FILES = MEDIA_KINDS.reduce((total, { maxFiles }) => total + maxFiles, 0);

/** Counts files by kind and returns an error message when there are too many of one kind. */
function createFileCounter(): (kind: MediaKind) => string | null {
  const counts = new Map<MediaKind, number>();
  return (kind) => {
    const count = (counts.get(kind) ?? 0) + 1;
    counts.set(kind, count);
    return count > kind.maxFiles ? tooManyFilesText(kind) : null;
  };
}

/** Validates files before they are sent. Returns errors with the keys 'File 1', 'File 2' … */
async function validate(
  { db, config }: Pick<Deps, 'db' | 'config'>,
  userId: number,
  files: z.output<typeof validateMediaBody>['files'],
): Promise<Errors> {
  const isTooMany = createFileCounter();
  const room = await getFreeBytes(db, config, userId);
  let total = 0;
  const errors: Errors = {};
  for (const [index, file] of files.entries()) {
    const kind = getMediaKindOfFile(file);
    const maxBytes = getMaxBytesOf(config, file);
    total += file.size;
    const found = [
      kind === undefined ? ONLY : isTooMany(kind),
      file.size === 0 ? EMPTY : null,
      file.size > maxBytes ? tooBigText(maxBytes) : null,
      total > room ? quotaMessage(config, room) : null,
    ].filter((text) => text !== null);
    if (found.length > 0) errors[`File ${index + 1}`] = found;
  }
  return errors;
}

function validateRoute(app: FastifyInstance): void {
  actionRoute(app, {
    endpoint: CALLS.validateMedia,
    summary: 'Checks files by name, size and type; their content is checked on upload',
    access: requiredAccount(),
    body: validateMediaBody,
    responses: { 200: validationResponse, 422: validationResponse },
    handler: async ({ caller, body }) => {
      const errors = await validate(app.deps, caller.userId, body.files);
      if (Object.keys(errors).length === 0) return ok({ status: 'success' });
      const message = 'Some files failed validation. Check errors below.';
      return { status: 422, body: { status: 'error', message, errors } };
    },
  });
}

const WRONG_LINES = 'Send a JSON list of lines';
const lines = z.array(z.string().check(z.maxLength(2000))).check(z.maxLength(100));

/** Parses video links: one per line, an array, or a JSON array. @throws 422 on `youtube_urls` */
function readLinks(value: unknown): string[] {
  const refuse = (text: string) => invalid({ youtube_urls: [text] });
  let sent = value ?? [];
  try {
    if (typeof sent === 'string') sent = JSON.parse(sent.trim() || '[]');
  } catch {
    throw refuse(WRONG_LINES);
  }
  const read = z.safeParse(lines, sent);
  if (!read.success) throw refuse(WRONG_LINES);
  const links = read.data.map((line) => line.trim()).filter((line) => line !== '');
  return links.map((link, index) => {
    const id = youtubeId(link);
    if (id === null) throw refuse(`Link ${index + 1}: This is not a YouTube link`);
    return id;
  });
}

/** Derives a title from a file name. Bidirectional control characters are removed because they could disguise the name. */
function toTitle(fileName: string, kind: MediaKind): string {
  const base = fileName.normalize('NFC').split(/[\\/]/).at(-1) ?? '';
  const plain = base
    .replace(/\.[^.]{1,10}$/, '')
    .replace(/[\p{Cc}\p{Cs}\u200e\u200f\u202a-\u202e\u2066-\u2069\ufeff\ufffd]/gu, '')
    .trim();
  return [...(plain || capitalized(kind.noun))].slice(0, 150).join('');
}

const toSubmission = (kind: MediaKind, name: string, profileId: string, videoId: string | null) => ({
  kind,
  profileId,
  clientId: null,
  uploadIds: [],
  youtubeId: videoId,
  name,
  metadata: [],
  durationSeconds: null,
  peaks: null,
});

/** Inspects and stores every file. @throws 422 with errors by 'File 1' */
async function storeFiles(
  files: readonly PickedFile[],
  links: number,
  profileId: string,
  context: UploadContext,
  { config, inspector }: Pick<Deps, 'config' | 'inspector'>,
) {
  const isTooMany = createFileCounter();
  for (let n = 0; n < links; n += 1) {
    const words = isTooMany(VIDEO);
    if (words !== null) throw invalid({ youtube_urls: [words] });
  }
  const stored: PreparedSubmission[] = [];
  const errors: Errors = {};
  for (const [index, { file, name, sizeBytes }] of files.entries()) {
    try {
      if (sizeBytes === 0) throw new FileRefused(EMPTY);
      const kind = getMediaKind(await inspector.kindOfContent(context.caller.userId, file));
      if (kind === undefined) throw new FileRefused(ONLY);
      const words = isTooMany(kind);
      if (words !== null) throw new FileRefused(words);
      const maxBytes = config.maxFileBytes[kind.key];
      if (sizeBytes > maxBytes) throw new FileRefused(tooBigText(maxBytes));
      const item = await context.fileStore.media(kind.key, file, context.folder);
      stored.push({ submission: toSubmission(kind, toTitle(name, kind), profileId, null), items: [item], poster: [] });
    } catch (error) {
      if (!(error instanceof FileRefused)) throw error;
      errors[`File ${index + 1}`] = [error.message];
    }
  }
  if (Object.keys(errors).length > 0) throw invalid(errors);
  return stored;
}

/** Returns the profile to upload to: the given one, or else the newest. @throws 403, 404, 422 if there is none */
async function resolveProfile(db: Db, fields: ReceivedFiles['fields'], caller: Caller): Promise<string> {
  const read = z.safeParse(z.optional(idText), fields['profile_id']);
  if (!read.success) throw invalid({ profile_id: ['Choose the profile it belongs to'] });
  const id = read.data ?? (await newestProfileId(db, caller.userId));
  if (id === null) throw invalid({ profile_id: ['Create a profile first'] });
  await getOwnProfile(db, String(id), caller);
  return String(id);
}

const galleryForm = z.object({
  profile_id: z.optional(idText),
  youtube_urls: z.optional(z.union([z.string(), z.array(z.string())])),
});

function uploadRoute(app: FastifyInstance): void {
  const { config } = app.deps;
  const rules: FormRules = {
    fileField: 'files',
    maxFiles: MAX_FILES,
    maxBytes: getLargestFileBytes(config),
    tooMany: () => `Send at most ${MAX_FILES} files`,
  };
  const intake = fileIntake(app.deps, rules, async ({ fields, files }, context) => {
    const links = readLinks(fields['youtube_urls']);
    const profileId = await resolveProfile(app.deps.db, fields, context.caller);
    if (files.length + links.length === 0) throw invalid({ files: ['No files uploaded!'] });
    if (context.isAnswered) return null;
    const kept = await storeFiles(files, links.length, profileId, context, app.deps);
    const linked = links.map((id) => ({
      submission: toSubmission(VIDEO, 'YouTube video', profileId, id),
      items: [],
      poster: [],
    }));
    return { profileId, submissions: [...kept, ...linked] };
  });

  writeRoute(app, {
    endpoint: CALLS.uploadMedia,
    summary: 'Adds files of any kind and YouTube links: all of them or none',
    access: requiredAccount(),
    body: galleryForm,
    intake: {
      type: 'multipart/form-data',
      docs: z.extend(galleryForm, { 'files[]': z.optional(z.array(z.file())) }),
      read: intake.read,
    },
    responses: { 201: galleryResponse },
    handler: async (context) => {
      const { request, caller, db } = context;
      await lockPerson(db, caller.userId);
      const prepared = intake.prepared.get(request)?.value;
      // The stored response was deleted in the meantime; a retry inspects the files.
      if (prepared === undefined) throw conflict('Try again', 1);
      const profile = await getOwnProfile(db, prepared.profileId, caller);
      const files = await attach(context, config, profile.id, prepared.submissions);
      return created({ status: 'success', files });
    },
  });
}

/** Routes of the gallery page, which uploads files of all kinds at once without a form. */
export function galleryRoutes(app: FastifyInstance): void {
  validateRoute(app);
  uploadRoute(app);
}
