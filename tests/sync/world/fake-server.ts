import { SECTIONS } from '#contract/sections/index.ts';
import type { Section } from '#contract/section.ts';
import { FakeStore, sha256, type Body, type StoredRow } from './fake-store.ts';
import { markersIn } from './markers.ts';
import { epoch } from './scheduler.ts';

/** A request as its bytes would read on the wire. */
export interface ServerRequest {
  method: string;
  path: string;
  headers: Record<string, string>;
  token: string | null;
  body:
    | { kind: 'none' }
    | { kind: 'json'; text: string }
    | { kind: 'bytes'; bytes: Buffer }
    | { kind: 'form'; fields: [string, string][]; files: { field: string; name: string; bytes: Buffer }[] };
}

export interface ServerAnswer {
  status: number;
  headers: Record<string, string>;
  body: unknown;
}

export interface Refusal {
  status: 400 | 403 | 413 | 415 | 422;
}

class Refused extends Error {
  readonly answer: ServerAnswer;
  constructor(status: number, message: string, errors?: Record<string, string[]>) {
    super(message);
    this.answer = { status, headers: {}, body: errors ? { message, errors } : { message } };
  }
}

const ok = (body: unknown, status = 200, headers: Record<string, string> = {}): ServerAnswer => ({
  status,
  headers,
  body,
});
const PROFILE_FIELDS = [
  'stage_name',
  'title',
  'location',
  'per_day',
  'dob',
  'min_age_range',
  'max_age_range',
  'profile_industry_id',
  'description',
  'status',
];
const pageSize = 7;

interface Call {
  request: ServerRequest;
  path: string;
  query: URLSearchParams;
  userId: string;
  device: string;
  json: Body;
}

interface Route {
  method: string;
  pattern: RegExp;
  plus: boolean;
  run: (call: Call, ...params: string[]) => ServerAnswer;
}

const ATTRIBUTES = ['Height', 'Weight', 'Build', 'Hair', 'Eyes', 'Skin'];

/**
 * A server of the contract in memory: every request is one step, so its transaction is trivially whole. `foreign` is a
 * server of the bare specification: no keys, no client ids, no versions, 404 for every + call.
 */
export class FakeServer {
  readonly store: FakeStore;
  readonly isForeign: boolean;
  /** Texts with these markers are refused until the person writes something else. */
  readonly refusals = new Map<number, Refusal>();
  /** Texts with these markers meet a broken part of the server. */
  readonly poison = new Set<number>();
  /** Per user: too many requests until then. */
  readonly quietUntil = new Map<string, number>();
  /** Answers 500 this many times. */
  burst = 0;
  /** Cursors of earlier generations are forgotten. */
  cursorGeneration = 0;
  readonly #keys = new Map<string, { fingerprint: string; answer: ServerAnswer }>();
  readonly #routes: Route[] = [];
  readonly #now: () => number;
  #tokens = 0;

  constructor(now: () => number, options: { isForeign: boolean }) {
    this.#now = now;
    this.store = new FakeStore(now);
    this.isForeign = options.isForeign;
    this.#account();
    this.#profiles();
    for (const section of SECTIONS) if (section.cardinality === 'many') this.#section(section);
    this.#attributes();
    for (const section of SECTIONS) {
      // Nobody here writes them.
      if (section.cardinality !== 'set' || section.key === 'attribute') continue;
      this.#route('GET', section.endpoints.list.path, () => ok([]));
    }
    this.#media();
    this.#people();
    if (!this.isForeign) this.#tus();
  }

  signIn(userId: string): string {
    const token = `token-${userId}-${++this.#tokens}`;
    this.store.tokens.set(token, userId);
    return token;
  }

  revoke(token: string): void {
    this.store.tokens.delete(token);
  }

  addUser(id: string, profiles: number): string[] {
    this.store.users.set(id, { id, name: `Person ${id}` });
    return Array.from({ length: profiles }, (_, n) => {
      const profileId = this.store.newId();
      const body: Body = { profile_photo: null, status: 'active', stage_name: `Stage ${id}${n}` };
      for (const field of PROFILE_FIELDS) body[field] ??= null;
      this.store.insert({ type: 'profile', id: profileId, userId: id, profileId, body, clientId: null }, 'web');
      return profileId;
    });
  }

  handle(request: ServerRequest, device: string): ServerAnswer {
    if (this.burst > 0) {
      this.burst -= 1;
      return ok({ message: 'Something broke', request_id: 'r' }, 500);
    }
    const userId = request.token === null ? undefined : this.store.tokens.get(request.token);
    if (userId === undefined) return ok({ message: 'Sign in first' }, 401);
    const quiet = this.quietUntil.get(userId) ?? 0;
    if (quiet > this.#now()) {
      return ok({ message: 'Slow down' }, 429, { 'retry-after': String(Math.ceil((quiet - this.#now()) / 1000)) });
    }
    const markers = markersOf(request);
    if (markers.some((marker) => this.poison.has(marker))) return ok({ message: 'Broken', request_id: 'p' }, 500);
    const key = this.isForeign ? undefined : request.headers['idempotency-key'];
    const fingerprint = key === undefined ? '' : fingerprintOf(request);
    const stored = key === undefined ? undefined : this.#keys.get(`${userId}:${key}`);
    if (stored) {
      if (stored.fingerprint !== fingerprint) return ok({ message: 'This key belongs to another request' }, 422);
      return { ...stored.answer, headers: { ...stored.answer.headers, 'idempotency-replayed': 'true' } };
    }
    const answer = this.#run(request, userId, device, markers);
    if (key !== undefined && request.method !== 'GET' && answer.status >= 200 && answer.status < 300) {
      this.#keys.set(`${userId}:${key}`, { fingerprint, answer });
    }
    return answer;
  }

  #run(request: ServerRequest, userId: string, device: string, markers: number[]): ServerAnswer {
    const [path = '', search = ''] = request.path.split('?');
    try {
      for (const route of this.#routes) {
        const match = route.method === request.method ? route.pattern.exec(path) : null;
        if (!match || (route.plus && this.isForeign)) continue;
        this.#refuse(markers, request);
        const json = readFields(request);
        const call = { request, path, query: new URLSearchParams(search), userId, device, json };
        const answer = route.run(call, ...match.slice(1).map(decodeURIComponent));
        return request.method === 'GET' ? this.#withTag(answer, request) : answer;
      }
      return ok({ message: 'No such address' }, 404);
    } catch (error) {
      if (error instanceof Refused) return error.answer;
      throw error;
    }
  }

  #refuse(markers: number[], request: ServerRequest): void {
    const marker = markers.find((one) => this.refusals.has(one));
    if (marker === undefined) return;
    const { status } = this.refusals.get(marker)!;
    if (status !== 422) throw new Refused(status, 'The server will not have this');
    const fields = readFields(request);
    const field = Object.keys(fields).find((name) => markersIn(fields[name]).includes(marker)) ?? 'body';
    throw new Refused(422, 'Check the fields', { [field]: ['The server will not have this'] });
  }

  #withTag(answer: ServerAnswer, request: ServerRequest): ServerAnswer {
    if (this.isForeign || answer.status !== 200) return answer;
    const etag = `"${sha256(Buffer.from(JSON.stringify(answer.body))).slice(0, 16)}"`;
    if (request.headers['if-none-match'] === etag) return { status: 304, headers: { etag }, body: undefined };
    return { ...answer, headers: { ...answer.headers, etag } };
  }

  #route(method: string, path: string, run: Route['run'], options: { plus?: boolean } = {}): void {
    const pattern = new RegExp(`^${path.replace(/:\w+/g, '([^/]+)')}$`);
    this.#routes.push({ method, pattern, plus: options.plus ?? false, run });
  }

  #ownProfile(call: Call, id: unknown): StoredRow {
    const profile = this.store.row('profile', String(id));
    if (!profile) throw new Refused(404, 'No such profile');
    if (profile.userId !== call.userId) throw new Refused(403, 'Not your profile');
    return profile;
  }

  /** `If-Match`: null when it may go on. */
  #moved(call: Call, row: StoredRow): ServerAnswer | null {
    const match = this.isForeign ? undefined : call.request.headers['if-match'];
    if (match === undefined || match === `"${row.version}"`) return null;
    return ok({ message: 'Changed meanwhile', data: this.present(row) }, 412);
  }

  /** A row as the wire shows it. */
  present(row: StoredRow): Body {
    const stamp = new Date(epoch + row.created).toISOString();
    const extra = this.isForeign ? {} : { version: row.version };
    if (row.type === 'profile') {
      const { description: _, ...body } = row.body;
      const user = this.store.users.get(row.userId)!;
      return {
        id: row.id,
        user_id: row.userId,
        user,
        slug: `person-${row.userId}`,
        profile_type: { id: '1', name: 'Actor / Performer', slug: 'actor-performer' },
        is_saved: 0,
        connection: null,
        updated_at: stamp,
        ...body,
        ...extra,
      };
    }
    if (row.type === 'saved_profile' || row.type === 'connection') return { id: row.id, ...row.body };
    if (row.type === 'media') {
      const media = this.isForeign ? {} : { client_id: row.clientId };
      return { id: row.id, profile_id: row.profileId, ...row.body, ...extra, ...media, created_at: stamp };
    }
    const ids = this.isForeign ? {} : { client_id: row.clientId };
    return { id: row.id, profile_id: row.profileId, ...row.body, ...extra, ...ids, created_at: stamp };
  }

  /** As /sync has it: its own record, with the profile's id and version. */
  presentAbout(profile: StoredRow): Body {
    const { id, version, body } = profile;
    return { id, profile_id: id, description: body['description'] ?? null, version };
  }

  #account(): void {
    this.#route('GET', '/user', (call) => ok({ ...this.store.users.get(call.userId), email: 'a@example.org' }), {
      plus: true,
    });
    const features = { idempotency_keys: true, versions: true, client_ids: true, uploads: true, sync: true };
    this.#route('GET', '/config', () => ok({ pusher: null, limits: { max_upload_mb: 10 }, features }), { plus: true });
    this.#route('GET', '/sync', (call) => this.#sync(call), { plus: true });
  }

  #sync(call: Call): ServerAnswer {
    const cursor = call.query.get('cursor');
    const [, generation, place] = /^c(\d+)\.(\d+)$/.exec(cursor ?? '') ?? [];
    const isKnown = Number(generation) === this.cursorGeneration;
    if (cursor && !isKnown) return ok({ message: 'Start over' }, 410);
    const since = cursor ? Number(place) : 0;
    let changes = this.store.changesAfter(call.userId, since);
    const exists = (type: string, id: string) => this.store.row(type === 'about_me' ? 'profile' : type, id);
    if (since === 0) changes = changes.filter(({ type, id }) => exists(type, id));
    const page = changes.slice(0, pageSize);
    const records = page.flatMap(({ type, id, parent }) => {
      if (type === 'attribute') return this.#attributeChanges(id, since === 0);
      const row = exists(type, id);
      const body = row ? (type === 'about_me' ? this.presentAbout(row) : this.present(row)) : null;
      return { type, id, parent, body };
    });
    const hasMore = changes.length > page.length;
    const last = hasMore ? page.at(-1)!.n : this.store.counter;
    return ok({ records, cursor: `c${this.cursorGeneration}.${last}`, has_more: hasMore });
  }

  #profiles(): void {
    this.#route('GET', '/profiles/all', (call) =>
      ok(this.store.profilesOf(call.userId).map((row) => this.present(row))),
    );
    this.#route('GET', '/profiles/shared/all/:userId', (_call, userId) =>
      ok(
        this.store
          .profilesOf(userId!)
          .map((row) => ({ id: row.id, title: row.body['title'], profile_type: { slug: 'actor-performer' } })),
      ),
    );
    this.#route('GET', '/profile/details/:id', (call, id) => ok(this.present(this.#ownProfile(call, id))));
    this.#route('GET', '/profile/aboutme/:id', (call, id) =>
      ok({ description: this.#ownProfile(call, id).body['description'] ?? null }),
    );
    this.#route('PUT', '/profile/update', (call) => {
      const profile = this.#ownProfile(call, call.json['profile_id']);
      const patch = Object.fromEntries(Object.entries(call.json).filter(([field]) => PROFILE_FIELDS.includes(field)));
      const moved = this.#moved(call, profile);
      if (moved) return moved;
      this.store.change(profile, patch, call.device);
      return ok({ message: 'Profile updated', data: this.present(profile) });
    });
    this.#route('POST', '/profile/avatar', (call) => this.#avatar(call));
  }

  /** A set is one row here, so that its fields have one history; the wire has a row for each that is filled. */
  #attributeRows(profileId: string): { id: string; body: Body | null }[] {
    const row = this.store.row('attribute', profileId);
    return ATTRIBUTES.map((key, at) => {
      const id = `${profileId}${at}`;
      const value = row?.body[key] ?? null;
      if (row === undefined || value === null) return { id, body: null };
      const extra = this.isForeign ? {} : { version: row.version };
      return { id, body: { id, profile_id: profileId, attribute_key: key, attribute_value: value, ...extra } };
    });
  }

  #attributeList(profileId: string): Body[] {
    return this.#attributeRows(profileId).flatMap(({ body }) => (body ? [body] : []));
  }

  #attributeChanges(
    profileId: string,
    isFirst: boolean,
  ): { type: string; id: string; parent: string; body: Body | null }[] {
    const rows = this.#attributeRows(profileId).filter(({ body }) => body !== null || !isFirst);
    return rows.map((row) => ({ type: 'attribute', parent: profileId, ...row }));
  }

  #attributes(): void {
    this.#route('GET', '/profiles/:profileId/attributes', (call, profileId) => {
      this.#ownProfile(call, profileId);
      return ok(this.#attributeList(profileId!));
    });
    this.#route('POST', '/attributes', (call) => {
      const profile = this.#ownProfile(call, call.json['profile_id']);
      const row = this.store.row('attribute', profile.id);
      const match = this.isForeign ? undefined : call.request.headers['if-match'];
      const version = row?.version ?? 0;
      if (match !== undefined && match !== `"${version}"`) {
        const data = { rows: this.#attributeList(profile.id), version };
        return ok({ message: 'Changed meanwhile', data }, 412);
      }
      const values = Object.fromEntries(Object.entries(call.json).filter(([field]) => ATTRIBUTES.includes(field)));
      if (row) this.store.change(row, values, call.device);
      else {
        const { id, userId } = profile;
        const made = { type: 'attribute', id, userId, profileId: id, body: values, clientId: null };
        this.store.insert(made, call.device);
      }
      return ok({ message: 'Attributes added successfully!', data: this.#attributeList(profile.id) });
    });
  }

  #section(section: Section): void {
    const { list, create, update, remove } = section.endpoints;
    const fieldsOf = (json: Body) =>
      Object.fromEntries(Object.entries(json).filter(([field]) => field in section.fields));
    const own = (call: Call, id: string | undefined) => {
      const row = this.store.row(section.key, id ?? '');
      if (!row) throw new Refused(404, `No such ${section.noun}`);
      if (row.userId !== call.userId) throw new Refused(403, 'Not yours');
      return row;
    };
    this.#route(list.method, list.path, (call, profileId) => {
      this.#ownProfile(call, profileId);
      return ok(this.store.rowsOf(section.key, profileId!).map((row) => this.present(row)));
    });
    if (create) {
      this.#route(create.method, create.path, (call) => {
        const profile = this.#ownProfile(call, call.json['profile_id']);
        const fields = fieldsOf(call.json);
        for (const [name, field] of Object.entries(section.fields)) {
          if (field.required && fields[name] == null) throw new Refused(422, 'Check', { [name]: [field.missing] });
        }
        const clientId = this.isForeign ? null : ((call.json['client_id'] as string | undefined) ?? null);
        const known = clientId === null ? undefined : this.#byClient(section.key, call.userId, clientId);
        if (known) return ok({ message: 'Already there', data: this.present(known) });
        const row = this.store.insert(
          {
            type: section.key,
            id: this.store.newId(),
            userId: call.userId,
            profileId: profile.id,
            body: fields,
            clientId,
          },
          call.device,
        );
        return ok({ message: section.savedText, data: this.present(row) }, 201);
      });
    }
    if (update) {
      const options = { plus: update.plus ?? false };
      this.#route(
        update.method,
        update.path,
        (call, id) => {
          const row = own(call, id);
          const moved = this.#moved(call, row);
          if (moved) return moved;
          this.store.change(row, fieldsOf(call.json), call.device);
          return ok({ message: section.savedText, data: this.present(row) });
        },
        options,
      );
    }
    if (remove) {
      this.#route(remove.method, remove.path, (call, id) => {
        const row = own(call, id);
        const moved = this.#moved(call, row);
        if (moved) return moved;
        this.store.remove(row, call.device);
        return ok({ message: 'Deleted' });
      });
    }
  }

  #byClient(type: string, userId: string, clientId: string): StoredRow | undefined {
    for (const row of this.store.rows.values()) {
      if (row.type === type && row.userId === userId && row.clientId === clientId) return row;
    }
    return undefined;
  }

  #media(): void {
    this.#route('GET', '/media', (call) => {
      const profileId = call.query.get('profile_id') ?? this.store.profilesOf(call.userId).at(-1)?.id ?? '';
      this.#ownProfile(call, profileId);
      return ok(this.store.rowsOf('media', profileId).map((row) => this.present(row)));
    });
    this.#route('POST', '/submit/media-form', (call) => this.#submit(call));
    this.#route('DELETE', '/media/:id', (call, id) => {
      const row = this.store.row('media', id!);
      if (!row) throw new Refused(404, 'No such photo');
      if (row.userId !== call.userId) throw new Refused(403, 'Not yours');
      const moved = this.#moved(call, row);
      if (moved) return moved;
      this.store.remove(row, call.device);
      return ok({ status: 'success' });
    });
  }

  #people(): void {
    const set = (call: Call, id: string, isSaved: boolean): ServerAnswer => {
      const profile = this.store.row('profile', id);
      if (!profile) throw new Refused(404, 'No such profile');
      const row = this.store.row('saved_profile', id);
      if (row && !isSaved) this.store.remove(row, call.device);
      if (!row && isSaved) {
        const { title, stage_name, location, profile_photo } = profile.body;
        const { slug, profile_type } = this.present(profile);
        const body = { title, stage_name, location, profile_photo, slug, profile_type };
        const { userId } = call;
        this.store.insert({ type: 'saved_profile', id, userId, profileId: id, body, clientId: null }, call.device);
      }
      return ok({ message: 'Done', is_saved: isSaved ? 1 : 0 });
    };
    this.#route('POST', '/profile/:id/save', (call, id) => set(call, id!, true));
    this.#route('POST', '/profile/:id/unsave', (call, id) => set(call, id!, false));
    this.#route('POST', '/connections/request/:userId', (call, userId) => {
      if (!this.store.users.has(userId!)) throw new Refused(404, 'Nobody by that name');
      const message = call.json['message'] ?? null;
      const known = this.#connectionOf(call.userId, userId!);
      if (known) {
        for (const marker of markersIn(message)) this.store.absorbed.add(`${marker}:message`);
        const isAnswer = known.body['user_id'] === userId && known.body['status'] === 'pending';
        if (isAnswer) this.store.change(known, { status: 'accepted' }, call.device);
        return ok({ message: 'Connected', data: this.present(known) });
      }
      const row = this.addConnection(call.userId, { from: call.userId, to: userId!, message }, call.device);
      return ok({ message: 'Request sent', data: this.present(row) });
    });
    this.#route('POST', '/connections/accept/:id', (call, id) => {
      const row = this.store.row('connection', id!);
      if (!row || row.userId !== call.userId) throw new Refused(404, 'No such request');
      if (row.body['connected_user_id'] !== call.userId) throw new Refused(403, 'Not yours to accept');
      if (row.body['status'] === 'pending') this.store.change(row, { status: 'accepted' }, call.device);
      return ok({ message: 'Connected', data: this.present(row) });
    });
  }

  #connectionOf(userId: string, otherId: string): StoredRow | undefined {
    return [...this.store.rows.values()].find(
      ({ type, userId: owner, body }) =>
        type === 'connection' && owner === userId && [body['user_id'], body['connected_user_id']].includes(otherId),
    );
  }

  /** A request between two people, in the mirror of one of them. */
  addConnection(userId: string, ask: { from: string; to: string; message: unknown }, device: string): StoredRow {
    const body: Body = {
      status: 'pending',
      user_id: ask.from,
      connected_user_id: ask.to,
      name: this.store.users.get(ask.from === userId ? ask.to : ask.from)?.name ?? null,
      message: ask.message,
    };
    const id = this.store.newId();
    return this.store.insert({ type: 'connection', id, userId, profileId: id, body, clientId: null }, device);
  }

  #submit(call: Call): ServerAnswer {
    const profile = this.#ownProfile(call, call.json['profile_id']);
    const clientId = this.isForeign ? null : ((call.json['client_id'] as string | undefined) ?? null);
    const known = clientId === null ? undefined : this.#byClient('media', call.userId, clientId);
    if (known) return ok({ message: 'Already there', files: [this.present(known)] });
    if (typeof call.json['name'] !== 'string') throw new Refused(422, 'Check', { name: ['Name it'] });
    const files = this.#filesOf(call, 'files', 'upload_ids');
    if (files.length === 0) throw new Refused(422, 'Check', { files: ['Add a file'] });
    const stored = files.map((bytes) => {
      const id = this.store.newId();
      const digest = this.store.keepFile(bytes, call.userId, id, 'media');
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
      return this.store.insert(
        { type: 'media', id, userId: call.userId, profileId: profile.id, body, clientId },
        call.device,
      );
    });
    return ok({ message: 'Stored', files: stored.map((row) => this.present(row)) }, 201);
  }

  #avatar(call: Call): ServerAnswer {
    const profile = this.#ownProfile(call, call.json['profileId']);
    const [bytes] = this.#filesOf(call, 'image', 'upload_id');
    if (!bytes) throw new Refused(422, 'Check', { image: ['Add a picture'] });
    const digest = this.store.keepFile(bytes, call.userId, profile.id, 'avatar');
    this.store.change(profile, { profile_photo: `/storage/avatars/${digest}.jpg` }, call.device);
    return ok({ message: 'Photo changed', profile_photo: profile.body['profile_photo'] });
  }

  /** Bytes of the files of a form, sent with it or uploaded before. */
  #filesOf(call: Call, field: string, uploadField: string): Buffer[] {
    const named = call.json[uploadField] ?? call.json[`${uploadField}[]`];
    if (named !== undefined && !this.isForeign) {
      const ids = (Array.isArray(named) ? named : [named]).map(String);
      return ids.map((id) => {
        const upload = this.store.uploads.get(id);
        const whole = upload && upload.userId === call.userId && upload.bytes.length === upload.length;
        if (!whole) throw new Refused(422, 'Check', { [uploadField]: ['Send the file again'] });
        // Once it is part of a record it is no upload any more.
        this.store.uploads.delete(id);
        this.store.attached.push(upload);
        return upload.bytes;
      });
    }
    if (call.request.body.kind !== 'form') return [];
    return call.request.body.files.filter((file) => file.field.replace('[]', '') === field).map((file) => file.bytes);
  }

  #tus(): void {
    const version = { 'tus-resumable': '1.0.0' };
    const own = (call: Call, id: string | undefined) => {
      const upload = this.store.uploads.get(id ?? '');
      if (!upload || upload.userId !== call.userId) throw new Refused(404, 'No such upload');
      return upload;
    };
    const at = (offset: number) => ({ ...version, 'upload-offset': String(offset) });
    this.#route('POST', '/uploads', (call) => {
      const metadata = call.request.headers['upload-metadata'] ?? '';
      const encoded = /(?:^|,)\s*id ([^,\s]+)/.exec(metadata)?.[1] ?? '';
      const id = Buffer.from(encoded, 'base64').toString();
      if (!/^[0-9a-f-]{36}$/.test(id)) throw new Refused(422, 'Send a UUID', { id: ['Send a UUID'] });
      const length = Number(call.request.headers['upload-length']);
      if (!Number.isInteger(length)) throw new Refused(400, 'Send Upload-Length');
      const known = this.store.uploads.get(id);
      if (known && known.userId !== call.userId) throw new Refused(409, 'This upload is not yours');
      const bytes = known?.bytes ?? Buffer.alloc(0);
      if (!known) {
        const made = { id, userId: call.userId, length, bytes, received: 0, sha256: null, used: false };
        this.store.uploads.set(id, made);
      }
      return { status: 201, headers: { ...at(bytes.length), location: `/uploads/${id}` }, body: undefined };
    });
    this.#route('HEAD', '/uploads/:id', (call, id) => {
      const upload = own(call, id);
      const headers = { ...at(upload.bytes.length), 'upload-length': String(upload.length) };
      return { status: 200, headers, body: undefined };
    });
    this.#route('PATCH', '/uploads/:id', (call, id) => {
      const upload = own(call, id);
      const bytes = call.request.body.kind === 'bytes' ? call.request.body.bytes : Buffer.alloc(0);
      const offset = Number(call.request.headers['upload-offset']);
      if (offset !== upload.bytes.length) throw new Refused(409, 'Not the offset this upload is at');
      if (offset + bytes.length > upload.length) throw new Refused(413, 'More than was announced');
      upload.bytes = Buffer.concat([upload.bytes, bytes]);
      upload.received += bytes.length;
      return { status: 204, headers: at(upload.bytes.length), body: undefined };
    });
    this.#route('DELETE', '/uploads/:id', (call, id) => {
      this.store.uploads.delete(own(call, id).id);
      return { status: 204, headers: version, body: undefined };
    });
  }
}

/** Markers of the person's acts in the texts of a request. */
export function markersOf(request: ServerRequest): number[] {
  if (request.body.kind === 'json') return markersIn(request.body.text);
  return request.body.kind === 'form' ? markersIn(request.body.fields) : [];
}

/** The fields of a JSON or multipart body; a repeated form field becomes a list. */
function readFields(request: ServerRequest): Body {
  if (request.body.kind === 'json') {
    try {
      const value: unknown = JSON.parse(request.body.text);
      return typeof value === 'object' && value !== null ? (value as Body) : {};
    } catch {
      throw new Refused(400, 'Not JSON');
    }
  }
  const fields: Body = {};
  if (request.body.kind !== 'form') return fields;
  for (const [name, value] of request.body.fields) {
    const before = fields[name];
    fields[name] =
      before === undefined ? value : [...(Array.isArray(before) ? (before as unknown[]) : [before]), value];
  }
  return fields;
}

/** Two requests with one key must agree on this. */
export function fingerprintOf(request: ServerRequest): string {
  const { body } = request;
  const parts = [request.method, request.path];
  if (body.kind === 'json') parts.push(body.text);
  if (body.kind === 'bytes') parts.push(sha256(body.bytes));
  if (body.kind === 'form') {
    parts.push(JSON.stringify(body.fields));
    for (const file of body.files) parts.push(file.field, file.name, sha256(file.bytes));
  }
  return parts.join('\n');
}
