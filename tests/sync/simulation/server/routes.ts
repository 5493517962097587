import { epoch } from '../scheduler.ts';
import type { Body, FakeStore, StoredRow } from './fake-store.ts';
import { ok, Refused, type ServerAnswer, type ServerRequest } from './wire.ts';

/** A request with the parsed values that routes use. */
export interface Call {
  request: ServerRequest;
  path: string;
  query: URLSearchParams;
  userId: string;
  device: string;
  json: Body;
}

type Run = (call: Call, ...params: string[]) => ServerAnswer;

/** Fields of media forms that the simulation fills in. */
export const MEDIA_FIELDS: readonly string[] = ['category_type', 'keywords'];

interface Route {
  method: string;
  pattern: RegExp;
  /** Whether the endpoint is missing from the basic API. */
  isExtension: boolean;
  run: Run;
}

/** The routing table of the fake server and what its routes share: store, presentation of rows and checks. */
export class Routes {
  readonly store: FakeStore;
  readonly isBasic: boolean;
  readonly #all: Route[] = [];

  constructor(store: FakeStore, isBasic: boolean) {
    this.store = store;
    this.isBasic = isBasic;
  }

  add(method: string, path: string, run: Run, options: { isExtension?: boolean } = {}): void {
    const pattern = new RegExp(`^${path.replace(/:\w+/g, '([^/]+)')}$`);
    this.#all.push({ method, pattern, isExtension: options.isExtension ?? false, run });
  }

  /** Returns the handler of the first matching route, or null. */
  find(method: string, path: string): ((call: Call) => ServerAnswer) | null {
    for (const route of this.#all) {
      const match = route.method === method ? route.pattern.exec(path) : null;
      if (!match || (route.isExtension && this.isBasic)) continue;
      return (call) => route.run(call, ...match.slice(1).map(decodeURIComponent));
    }
    return null;
  }

  ownProfile(call: Call, id: unknown): StoredRow {
    const profile = this.store.row('profile', String(id));
    if (!profile) throw new Refused(404, 'No such profile');
    if (profile.userId !== call.userId) throw new Refused(403, 'Not your profile');
    return profile;
  }

  ownRow(call: Call, type: string, noun: string, id: string | undefined): StoredRow {
    const row = this.store.row(type, id ?? '');
    if (!row) throw new Refused(404, `No such ${noun}`);
    if (row.userId !== call.userId) throw new Refused(403, 'Not yours');
    return row;
  }

  /** Checks `If-Match`. Returns null if the version matches, else the 412 response. */
  checkVersion(call: Call, row: StoredRow): ServerAnswer | null {
    const match = this.isBasic ? undefined : call.request.headers['if-match'];
    if (match === undefined || match === `"${row.version}"`) return null;
    return this.toVersionConflict(row);
  }

  toVersionConflict(row: StoredRow): ServerAnswer {
    return ok({ message: 'Changed meanwhile', data: this.present(row) }, 412);
  }

  /** Tells whether the request has `If-None-Match: *`: the writer expects that no record exists. */
  expectsNoRecord(call: Call): boolean {
    return !this.isBasic && call.request.headers['if-none-match'] === '*';
  }

  /** Returns the client id of a new record, or null. */
  clientIdOf(call: Call): string | null {
    return this.isBasic ? null : ((call.json['client_id'] as string | undefined) ?? null);
  }

  /** Finds the record that the user created earlier with the same client id. */
  findByClientId(call: Call, type: string): StoredRow | undefined {
    const clientId = this.clientIdOf(call);
    if (clientId === null) return undefined;
    return [...this.store.rows.values()].find(
      (row) => row.type === type && row.userId === call.userId && row.clientId === clientId,
    );
  }

  /** Returns a row as it appears on the wire. */
  present(row: StoredRow): Body {
    const stamp = new Date(epoch + row.created).toISOString();
    const version = this.isBasic ? {} : { version: row.version };
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
        ...version,
        ...(row.clientId !== null && { client_id: row.clientId }),
      };
    }
    if (['saved_profile', 'connection', 'notification'].includes(row.type)) return { id: row.id, ...row.body };
    if (row.type === 'saved_media') {
      const medium = this.store.row('media', row.id)!;
      const { name } = this.store.users.get(medium.userId)!;
      const owner = { user_id: medium.userId, name, slug: `person-${medium.userId}`, profile_type: 'actor-performer' };
      return { ...this.present(medium), owner };
    }
    const client = this.isBasic ? {} : { client_id: row.clientId };
    const isSaved = this.store.row('saved_media', row.id) !== undefined;
    const body = row.type === 'media' ? { ...toWireMedia(row.body), is_saved: isSaved ? 1 : 0 } : row.body;
    return { id: row.id, profile_id: row.profileId, ...body, ...version, ...client, created_at: stamp };
  }
}

/** Moves the form fields of a media record into the `metadata` list without the empty ones. */
function toWireMedia(body: Body): Body {
  const metadata = MEDIA_FIELDS.filter((field) => body[field] != null).map((key) => ({ key, value: body[key] }));
  const rest = Object.fromEntries(Object.entries(body).filter(([field]) => !MEDIA_FIELDS.includes(field)));
  return { ...rest, metadata };
}
