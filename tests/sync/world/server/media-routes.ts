import type { Body } from './fake-store.ts';
import type { Call, Routes } from './routes.ts';
import { ok, Refused, type ServerAnswer } from './wire.ts';

/** Photos of a profile, and the one picture at its head. */
export function mediaRoutes(routes: Routes): void {
  routes.add('GET', '/media', (call) => {
    const profileId = call.query.get('profile_id') ?? routes.store.profilesOf(call.userId).at(-1)?.id ?? '';
    routes.ownProfile(call, profileId);
    return ok(routes.store.rowsOf('media', profileId).map((row) => routes.present(row)));
  });
  routes.add('POST', '/submit/media-form', (call) => submit(routes, call));
  routes.add('POST', '/profile/avatar', (call) => avatar(routes, call));
  routes.add('DELETE', '/media/:id', (call, id) => {
    const row = routes.ownRow(call, 'media', 'photo', id);
    const moved = routes.moved(call, row);
    if (moved) return moved;
    routes.store.remove(row, call.device);
    return ok({ status: 'success' });
  });
}

function submit(routes: Routes, call: Call): ServerAnswer {
  const profile = routes.ownProfile(call, call.json['profile_id']);
  const known = routes.madeBefore(call, 'media');
  if (known) return ok({ message: 'Already there', files: [routes.present(known)] });
  if (typeof call.json['name'] !== 'string') throw new Refused(422, 'Check', { name: ['Name it'] });
  const files = filesOf(routes, call, 'files', 'upload_ids');
  if (files.length === 0) throw new Refused(422, 'Check', { files: ['Add a file'] });
  const stored = files.map((bytes) => {
    const id = routes.store.newId();
    const digest = routes.store.keepFile(bytes, call.userId, id, 'media');
    const body: Body = {
      media_type: 'image',
      name: call.json['name'],
      size: bytes.length,
      file_path: `photos/${digest}.jpg`,
      path: `/storage/photos/${digest}.jpg`,
      format: 'jpg',
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
      metadata: [],
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
