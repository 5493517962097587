import { MEDIA_LISTS } from '#contract/media-types.ts';
import type { Body } from './fake-store.ts';
import { MEDIA_FIELDS, type Call, type Routes } from './routes.ts';
import { ok, Refused, type ServerAnswer } from './wire.ts';

/** The portfolio of a profile, and the one picture at its head. */
export function mediaRoutes(routes: Routes): void {
  for (const { list, types } of MEDIA_LISTS) {
    routes.add(list.method, list.path, (call) => {
      const profileId = call.query.get('profile_id') ?? routes.store.profilesOf(call.userId).at(-1)?.id ?? '';
      routes.ownProfile(call, profileId);
      const rows = routes.store.rowsOf('media', profileId);
      return ok(rows.filter((row) => types.includes(String(row.body['media_type']))).map((row) => routes.present(row)));
    });
  }
  routes.add('POST', '/submit/media-form', (call) => submit(routes, call));
  routes.add('POST', '/profile/avatar', (call) => avatar(routes, call));
  routes.add('PUT', '/media/:id', (call, id) => change(routes, call, id), { plus: true });
  routes.add('DELETE', '/media/:id', (call, id) => {
    const row = routes.ownRow(call, 'media', 'media', id);
    const moved = routes.moved(call, row);
    if (moved) return moved;
    routes.store.remove(row, call.device);
    const saved = routes.store.row('saved_media', row.id);
    if (saved) routes.store.remove(saved, 'web');
    return ok({ status: 'success' });
  });
  routes.add('POST', '/media/:id/save', (call, id) => save(routes, call, id!, true));
  routes.add('POST', '/media/:id/unsave', (call, id) => save(routes, call, id!, false));
}

const fieldsOf = (json: Body) =>
  Object.fromEntries(Object.entries(json).filter(([field]) => field === 'name' || MEDIA_FIELDS.includes(field)));

function change(routes: Routes, call: Call, id: string | undefined): ServerAnswer {
  const row = routes.ownRow(call, 'media', 'media', id);
  const moved = routes.moved(call, row);
  if (moved) return moved;
  routes.store.change(row, fieldsOf(call.json), call.device);
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
    const body = { name: 'Something' };
    store.insert({ type: 'saved_media', id, userId, profileId: medium.profileId, body, clientId: null }, call.device);
  }
  return ok({ message: 'Done', is_saved: isSaved ? 1 : 0 });
}

const ENDINGS: Record<string, string> = { image: 'jpg', video: 'mp4', audio: 'wav', document: 'pdf' };

function submit(routes: Routes, call: Call): ServerAnswer {
  const profile = routes.ownProfile(call, call.json['profile_id']);
  const known = routes.madeBefore(call, 'media');
  if (known) return ok({ message: 'Already there', files: [routes.present(known)] });
  if (typeof call.json['name'] !== 'string') throw new Refused(422, 'Check', { name: ['Name it'] });
  const kind = String(call.json['media_type']);
  const link = call.json['youtube_url'];
  const files = link == null ? filesOf(routes, call, 'files', 'upload_ids') : [null];
  if (files.length === 0) throw new Refused(422, 'Check', { files: ['Add a file'] });
  const stored = files.map((bytes) => {
    const id = routes.store.newId();
    const format = ENDINGS[kind] ?? null;
    const key = bytes && `${kind}/${routes.store.keepFile(bytes, call.userId, id, 'media')}.${format}`;
    const body: Body = {
      media_type: key === null ? 'youtube' : kind,
      ...fieldsOf(call.json),
      size: bytes === null ? null : bytes.length,
      file_path: key,
      path: key === null ? String(link) : `/storage/${key}`,
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
      is_saved: 0,
    };
    return routes.store.insert(
      { type: 'media', id, userId: call.userId, profileId: profile.id, body, clientId: routes.clientIdOf(call) },
      call.device,
    );
  });
  return ok({ message: 'Stored', files: stored.map((row) => routes.present(row)) }, 201);
}

function avatar(routes: Routes, call: Call): ServerAnswer {
  const profile = routes.ownProfile(call, call.json['profileId']);
  const [bytes] = filesOf(routes, call, 'image', 'upload_id');
  if (!bytes) throw new Refused(422, 'Check', { image: ['Add a picture'] });
  const digest = routes.store.keepFile(bytes, call.userId, profile.id, 'avatar');
  routes.store.change(profile, { profile_photo: `/storage/avatars/${digest}.jpg` }, call.device);
  return ok({ message: 'Photo changed', profile_photo: profile.body['profile_photo'] });
}

/** Bytes of the files of a form, sent with it or uploaded before. */
function filesOf(routes: Routes, call: Call, field: string, uploadField: string): Buffer[] {
  const named = call.json[uploadField] ?? call.json[`${uploadField}[]`];
  if (named !== undefined && !routes.isForeign) {
    const ids = (Array.isArray(named) ? named : [named]).map(String);
    return ids.map((id) => {
      const upload = routes.store.uploads.get(id);
      const whole = upload && upload.userId === call.userId && upload.bytes.length === upload.length;
      if (!whole) throw new Refused(422, 'Check', { [uploadField]: ['Send the file again'] });
      // Once it is part of a record it is no upload any more.
      routes.store.uploads.delete(id);
      routes.store.attached.push(upload);
      return upload.bytes;
    });
  }
  if (call.request.body.kind !== 'form') return [];
  return call.request.body.files.filter((file) => file.field.replace('[]', '') === field).map((file) => file.bytes);
}
