import { MEDIA_KINDS } from '#contract/media-kinds.ts';
import { MEDIA_LISTS } from '#contract/media-types.ts';
import { mediaPatchSchema, submissionSchema } from '#contract/records/media.ts';
import { toErrorMap } from '#contract/schema.ts';
import { youtubeId, youtubePage } from '#contract/youtube.ts';
import * as z from 'zod/mini';
import type { Body, StoredRow } from './fake-store.ts';
import { MEDIA_FIELDS, type Call, type Routes } from './routes.ts';
import { ok, Refused, type ServerAnswer } from './wire.ts';

/** Endpoints for a profile's portfolio and avatar. */
export function mediaRoutes(routes: Routes): void {
  for (const { list, types } of MEDIA_LISTS) {
    routes.add(list.method, list.path, (call) => {
      const profileId = call.query.get('profile_id') ?? routes.store.profilesOf(call.userId).at(-1)?.id ?? '';
      routes.ownProfile(call, profileId);
      const rows = routes.store.rowsOf('media', profileId);
      const listed = rows.filter((row) => types.includes(String(row.body['media_type']))).sort(inOrder);
      return ok(listed.map((row) => routes.present(row)));
    });
  }
  routes.add('POST', '/submit/media-form', (call) => submit(routes, call));
  routes.add('POST', '/profile/avatar', (call) => avatar(routes, call));
  routes.add('PUT', '/media/:id', (call, id) => change(routes, call, id), { isExtension: true });
  routes.add('DELETE', '/media/:id', (call, id) => {
    const row = routes.ownRow(call, 'media', 'media', id);
    const conflict = routes.checkVersion(call, row);
    if (conflict) return conflict;
    routes.store.remove(row, call.device);
    return ok({ status: 'success' });
  });
  routes.add('POST', '/media/:id/save', (call, id) => save(routes, call, id!, true));
  routes.add('POST', '/media/:id/unsave', (call, id) => save(routes, call, id!, false));
}

/** Items without a position come first, newest first, then the others by position. */
function inOrder(one: StoredRow, other: StoredRow): number {
  const place = ({ body }: StoredRow) => (typeof body['position'] === 'number' ? body['position'] : -1);
  return place(one) - place(other) || Number(other.id) - Number(one.id);
}

const currentYear = () => 2026;
const SUBMISSIONS = new Map<unknown, z.ZodMiniType>(
  MEDIA_KINDS.map((kind) => [kind.key, submissionSchema(kind, currentYear)]),
);
const PATCH = mediaPatchSchema(currentYear);

/** Validates a form before the server looks up any record. */
function check(schema: z.ZodMiniType, json: Body): Body {
  const read = z.safeParse(schema, json);
  if (!read.success) throw new Refused(422, 'Check', toErrorMap(read.error.issues));
  return read.data as Body;
}

const pick = (json: Body, fields: readonly string[]) =>
  Object.fromEntries(Object.entries(json).filter(([field, value]) => fields.includes(field) && value !== undefined));
const FORM_FIELDS = ['name', ...MEDIA_FIELDS];

function change(routes: Routes, call: Call, id: string | undefined): ServerAnswer {
  const row = routes.ownRow(call, 'media', 'media', id);
  const conflict = routes.checkVersion(call, row);
  if (conflict) return conflict;
  const fields = check(PATCH, call.json);
  if (fields['profile_id'] !== undefined && fields['profile_id'] !== row.profileId) {
    routes.ownProfile(call, fields['profile_id']);
    throw new Refused(422, 'Check', { profile_id: ['This belongs to another of your profiles'] });
  }
  if (fields['is_primary'] === true) {
    for (const other of routes.store.rowsOf('media', row.profileId)) {
      if (other !== row && other.body['is_primary']) routes.store.change(other, { is_primary: false }, call.device);
    }
  }
  const changed = pick(fields, [...FORM_FIELDS, 'position', 'is_hidden', 'is_primary']);
  routes.store.change(row, changed, call.device);
  return ok({ message: 'Saved Successfully!', data: routes.present(row) });
}

function save(routes: Routes, call: Call, id: string, isSaved: boolean): ServerAnswer {
  const { store } = routes;
  const medium = store.row('media', id);
  if (!medium) throw new Refused(404, 'No such media');
  const row = store.row('saved_media', id);
  if (row && !isSaved) store.remove(row, call.device);
  if (!row && isSaved) {
    const { userId } = call;
    const { profileId } = medium;
    store.insert({ type: 'saved_media', id, userId, profileId, body: {}, clientId: null }, call.device);
  }
  // A user's own media record contains whether it is saved, so it changes, too.
  if (!row === isSaved && medium.userId === call.userId) store.recordChange(call.userId, 'media', id, medium.profileId);
  return ok({ message: 'Done', is_saved: isSaved ? 1 : 0 });
}

const ENDINGS: Record<string, string> = { image: 'jpg', video: 'mp4', audio: 'wav', document: 'pdf' };

function submit(routes: Routes, call: Call): ServerAnswer {
  const kind = String(call.json['media_type']);
  const schema = SUBMISSIONS.get(kind);
  if (!schema) throw new Refused(422, 'Check', { media_type: ['Send image, video, audio or document'] });
  const fields = check(schema, call.json);
  const videoId = videoOf(kind, call, fields);
  const profile = routes.ownProfile(call, fields['profile_id']);
  const known = routes.findByClientId(call, 'media');
  if (known) return ok({ message: 'Already there', files: [routes.present(known)] });
  const files = videoId === null ? filesOf(routes, call, 'files', 'upload_ids') : [null];
  const stored = files.map((bytes) => {
    const id = routes.store.newId();
    const format = ENDINGS[kind] ?? null;
    const key = bytes && `${kind}/${routes.store.storeFile(bytes, call.userId, id, 'media')}.${format}`;
    const body: Body = {
      media_type: key === null ? 'youtube' : kind,
      ...pick(fields, FORM_FIELDS),
      size: bytes === null ? null : bytes.length,
      file_path: key,
      path: key === null ? youtubePage(String(videoId)) : `/storage/${key}`,
      format: key === null ? null : format,
      duration: null,
      width: null,
      height: null,
      thumb_path: null,
      renditions: [],
      peaks: null,
      position: null,
      is_hidden: false,
      is_primary: false,
    };
    return routes.store.insert(
      { type: 'media', id, userId: call.userId, profileId: profile.id, body, clientId: routes.clientIdOf(call) },
      call.device,
    );
  });
  return ok({ message: 'Stored', files: stored.map((row) => routes.present(row)) }, 201);
}

/** Returns the video id of a link, or null if files are sent. */
function videoOf(kind: string, { json, request }: Call, fields: Body): string | null {
  const link = kind === 'video' ? (fields['youtube_url'] ?? null) : null;
  const uploads = json['upload_ids'] as readonly string[] | undefined;
  const count = (uploads?.length ?? 0) + (request.body.kind === 'form' ? request.body.files.length : 0);
  if (count === 0 && link === null) throw new Refused(422, 'Check', { files: ['No files uploaded!'] });
  if (link === null) return null;
  if (count > 0) throw new Refused(422, 'Check', { youtube_url: ['Add files or a link, not both'] });
  const id = youtubeId(String(link));
  if (id === null) throw new Refused(422, 'Check', { youtube_url: ['This is not a YouTube link'] });
  return id;
}

function avatar(routes: Routes, call: Call): ServerAnswer {
  const profile = routes.ownProfile(call, call.json['profileId']);
  const [bytes] = filesOf(routes, call, 'image', 'upload_id');
  if (!bytes) throw new Refused(422, 'Check', { image: ['Add a picture'] });
  const digest = routes.store.storeFile(bytes, call.userId, profile.id, 'avatar');
  routes.store.change(profile, { profile_photo: `/storage/avatars/${digest}.jpg` }, call.device);
  return ok({ message: 'Photo changed', profile_photo: profile.body['profile_photo'] });
}

/** Returns the bytes of a form's files, sent with it or uploaded before. */
export function filesOf(routes: Routes, call: Call, field: string, uploadField: string): Buffer[] {
  const named = call.json[uploadField] ?? call.json[`${uploadField}[]`];
  if (named !== undefined && !routes.isBasic) {
    const ids = (Array.isArray(named) ? named : [named]).map(String);
    return ids.map((id) => {
      const upload = routes.store.uploads.get(id);
      const whole = upload && upload.userId === call.userId && upload.bytes.length === upload.length;
      if (!whole) throw new Refused(422, 'Check', { [uploadField]: ['Send the file again'] });
      // An attached upload no longer exists as an upload.
      routes.store.uploads.delete(id);
      routes.store.attached.push(upload);
      return upload.bytes;
    });
  }
  if (call.request.body.kind !== 'form') return [];
  return call.request.body.files.filter((file) => file.field.replace('[]', '') === field).map((file) => file.bytes);
}
