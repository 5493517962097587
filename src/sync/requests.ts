import { SEND_MESSAGE, STAR, UNSTAR } from '#contract/chat-calls.ts';
import { ENGINE_CALLS } from '#contract/engine-calls.ts';
import { pathOf } from '#contract/path.ts';
import { READ_NOTIFICATIONS } from '#contract/people-calls.ts';
import { MEDIA_LOOKUP_FIELDS } from '#contract/media-types.ts';
import type { AnyRow, Endpoint, Method } from '#contract/section.ts';
import { sectionOf } from '#contract/sections/index.ts';
import { setOf } from '#db/canonical.ts';
import type { AccountDb } from '#db/database.ts';
import { loadLookup } from '#db/lookups.ts';
import { CONVERSATION } from '#db/messages.ts';
import { CONNECTION, SAVED_MEDIA } from '#db/people.ts';
import type { Features, MediaFile, OutboxRow } from '#db/rows.ts';
import { base64 } from '#lib/base64.ts';
import { setRows } from '#db/sets.ts';
import type { WireRequest } from '#net/wire.ts';

/** Milliseconds without an answer (JSON) or without progress (bytes) before a request counts as lost. */
export const JSON_TIMEOUT_MS = 15_000;
export const BYTES_TIMEOUT_MS = 60_000;

/** Server ids of everything a row names; asking for one that is not known yet is a bug of ours. */
export type Resolve = (id: string) => string;

/** How one parts from somebody. */
const PARTINGS = {
  remove: ENGINE_CALLS.endConnection,
  decline: ENGINE_CALLS.declineConnection,
  block: ENGINE_CALLS.block,
};
export type Way = keyof typeof PARTINGS;

/** The call a row makes, null where the contract has no such verb. Never stored: a mended endpoint heals queued work. */
export function endpointOf(row: Pick<OutboxRow, 'kind' | 'type' | 'patch'>): Endpoint | null {
  if (row.kind === 'save') {
    if (row.type === CONVERSATION) return row.patch.saved ? STAR : UNSTAR;
    if (row.type === SAVED_MEDIA) return row.patch.saved ? ENGINE_CALLS.saveMedia : ENGINE_CALLS.unsaveMedia;
    return row.patch.saved ? ENGINE_CALLS.saveProfile : ENGINE_CALLS.unsaveProfile;
  }
  if (row.kind === 'send') return SEND_MESSAGE;
  if (row.kind === 'seen') return READ_NOTIFICATIONS;
  if (row.type === CONNECTION) return PARTINGS[row.patch.way as Way];
  if (row.kind === 'connect') return ENGINE_CALLS.requestConnection;
  if (row.kind === 'accept') return ENGINE_CALLS.acceptConnection;
  if (row.kind === 'avatar') return ENGINE_CALLS.avatar;
  if (row.kind === 'upload') return ENGINE_CALLS.createUpload;
  if (row.type === 'profile') {
    if (row.kind === 'create') return ENGINE_CALLS.createProfile;
    return row.kind === 'update' ? ENGINE_CALLS.updateProfile : null;
  }
  if (row.type === 'media') {
    if (row.kind === 'create') return ENGINE_CALLS.submitMedia;
    return row.kind === 'delete' ? ENGINE_CALLS.deleteMedia : ENGINE_CALLS.changeMedia;
  }
  const endpoints = sectionOf(row.type)?.endpoints;
  if (endpoints === undefined) return null;
  if (row.kind === 'create') return endpoints.create;
  return row.kind === 'update' ? endpoints.update : endpoints.remove;
}

/** The uuid under which the server knows a record we made: what `client_id` carries. */
export const clientIdOf = (localId: string): string => localId.replace(/^L_/, '');

/** A JSON call's request. */
export function jsonRequest(method: Method, path: string, value?: unknown): WireRequest {
  const request: WireRequest = { method, path, headers: { accept: 'application/json' }, timeoutMs: JSON_TIMEOUT_MS };
  if (value !== undefined) request.body = { kind: 'json', value };
  return request;
}

/**
 * The request of a row that is not an upload. Same row, same bytes, however often it is built: ids once given never
 * change, and everything else is frozen with the row.
 */
export async function requestOf(
  db: AccountDb,
  row: OutboxRow,
  resolve: Resolve,
  features: Features,
): Promise<WireRequest | null> {
  const endpoint = endpointOf(row);
  if (endpoint === null) return null;
  // Without its photo it would be another message than the one that was written.
  if (row.kind === 'send' && row.deps.length > 0 && !features.uploads) return null;
  const request = await bodyOf(db, row, endpoint, resolve, features);
  request.headers['idempotency-key'] = row.op;
  if (features.versions && row.baseVersion !== null && (row.kind === 'update' || row.kind === 'delete')) {
    request.headers['if-match'] = `"${row.baseVersion}"`;
  }
  // The server would change the one that another device made meanwhile.
  if (features.versions && row.kind === 'create' && sectionOf(row.type)?.most === 1) {
    request.headers['if-none-match'] = '*';
  }
  return request;
}

async function bodyOf(
  db: AccountDb,
  row: OutboxRow,
  endpoint: Endpoint,
  resolve: Resolve,
  features: Features,
): Promise<WireRequest> {
  const { method } = endpoint;
  const parent = row.parent === null ? {} : { profile_id: resolve(row.parent) };
  switch (row.kind) {
    case 'create': {
      const value = { ...parent, ...(await wireFields(db, row)), client_id: clientIdOf(row.target) };
      if (row.type !== 'media' || row.patch.youtube_url != null) return jsonRequest(method, pathOf(endpoint), value);
      const file = await fileOf(db, row);
      const { duration = null, peaks = null } = file;
      if (features.uploads) {
        const poster = row.patch.media_type === 'video' && file.thumb ? base64(new Uint8Array(file.thumb)) : null;
        return jsonRequest(method, pathOf(endpoint), { ...value, duration, peaks, poster, upload_ids: [file.id] });
      }
      return formRequest(
        db,
        pathOf(endpoint),
        { ...value, duration, size: file.size, format: file.type },
        'files[]',
        file,
      );
    }
    case 'update': {
      const id = resolve(row.target);
      const own = row.type === 'profile' ? { profile_id: id } : parent;
      return jsonRequest(method, endpoint.path.includes(':id') ? pathOf(endpoint, { id }) : pathOf(endpoint), {
        ...own,
        ...(await besides(db, row, id, features)),
        ...(await wireFields(db, row)),
      });
    }
    case 'delete':
      return jsonRequest(method, pathOf(endpoint, { id: resolve(row.target), userId: String(row.patch.userId) }));
    case 'seen':
      return jsonRequest(method, endpoint.path, row.patch);
    case 'avatar': {
      const profileId = resolve(row.target);
      const file = await fileOf(db, row);
      if (features.uploads) return jsonRequest(method, pathOf(endpoint), { profileId, upload_id: file.id });
      return formRequest(db, pathOf(endpoint), { profileId }, 'image', file);
    }
    case 'save':
      return jsonRequest(method, pathOf(endpoint, { profileId: resolve(row.target), id: resolve(row.target) }));
    case 'send': {
      const { receiver_id, message } = row.patch;
      const value = { conversation_id: row.parent, receiver_id, message, client_id: clientIdOf(row.target) };
      return jsonRequest(method, pathOf(endpoint), { ...value, ...(row.deps[0] && { upload_id: row.deps[0] }) });
    }
    case 'connect': {
      const { message } = row.patch;
      const path = pathOf(endpoint, { userId: row.target });
      return jsonRequest(method, path, message === undefined ? undefined : { message });
    }
    case 'accept':
      return jsonRequest(method, pathOf(endpoint, { id: String(row.patch.connection) }));
    case 'upload':
      throw new Error('An upload is sent in pieces, see uploads.ts');
  }
}

/** The patch as the wire has it: of a medium, entries of lists go by their ids. */
async function wireFields(db: AccountDb, row: OutboxRow): Promise<AnyRow> {
  if (row.type !== 'media') return row.patch;
  const fields = { ...row.patch };
  for (const [field, list] of Object.entries(MEDIA_LOOKUP_FIELDS)) {
    if (typeof fields[field] !== 'string') continue;
    const entry = (await loadLookup(db, list)).find(({ name }) => name === fields[field]);
    if (entry) fields[field] = entry.id;
  }
  return fields;
}

/** Of a set, a bare server is given the whole: whether it keeps what is left out, its contract does not say. */
async function besides(db: AccountDb, row: OutboxRow, profileId: string, features: Features): Promise<AnyRow> {
  const set = features.keys ? undefined : setOf(row.type)?.set;
  if (set === undefined) return {};
  return set.valuesOf((await setRows(db, row.type, profileId)).map((record) => record.body));
}

/** The picked file that a record or an avatar is made of. */
async function fileOf(db: AccountDb, row: OutboxRow): Promise<MediaFile> {
  for (const dep of row.deps) {
    const file = await db.media.get(dep);
    if (file) return file;
  }
  throw new Error(`The file of ${row.type} ${row.target} is not in the store`);
}

/** One multipart request with the whole file, for a server that cannot resume. */
async function formRequest(
  db: AccountDb,
  path: string,
  value: Record<string, unknown>,
  field: string,
  file: MediaFile,
): Promise<WireRequest> {
  const chunks = await db.chunks.where('[media+n]').between([file.id, 0], [file.id, file.chunks]).toArray();
  const fields = Object.entries(value)
    .filter(([, entry]) => entry != null)
    .map(([name, entry]): [string, string] => [name, String(entry)]);
  const parts = chunks.map((chunk) => chunk.bytes);
  return {
    method: 'POST',
    path,
    headers: { accept: 'application/json' },
    body: { kind: 'form', fields, files: [{ field, name: file.name, type: file.type, parts }] },
    timeoutMs: BYTES_TIMEOUT_MS,
  };
}
