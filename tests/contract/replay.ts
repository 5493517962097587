import type { Person, TestServer } from '../server/support/test-server.ts';
import type { ServerAnswer, ServerRequest } from '../sync/simulation/server/wire.ts';
import type { Recorded } from '../sync/simulation/simulation.ts';

type Body = Record<string, unknown>;

/** Fields whose values may differ between servers: texts, timestamps, paths and facts read from a file's content. */
const SERVER_SPECIFIC = new Set([
  'message',
  'cursor',
  'created_at',
  'updated_at',
  'path',
  'file_path',
  'thumb_path',
  'slug',
  'profile_photo',
  'profile_type',
  'renditions',
  'pusher',
  'size',
  'duration',
  'width',
  'height',
  'version',
]);
/** Fields that contain the id of a record or a person. */
const IDS = new Set(['id', 'profile_id', 'user_id', 'connected_user_id']);

/** Replays requests to the fake server against the real server with ids and versions translated, and compares the responses. */
export class Replay {
  readonly differences: string[] = [];
  readonly #testServer: TestServer;
  readonly #person: Person;
  /** Maps ids of the fake to real ids. The fake numbers all records in one sequence. */
  readonly #ids: Map<string, string>;
  readonly #versions = new Map<string, string>();
  readonly #cursors = new Map<string, string>();

  /** @param ids maps ids of the fake to real ids for everything that exists on both servers from the start */
  constructor(testServer: TestServer, person: Person, ids: Readonly<Record<string, string>>) {
    this.#testServer = testServer;
    this.#person = person;
    this.#ids = new Map(Object.entries(ids));
  }

  async play({ request, answer }: Recorded): Promise<void> {
    const { method, path } = request;
    const headers = { ...request.headers };
    const version = headers['if-match'];
    if (version !== undefined) headers['if-match'] = this.#versions.get(`${targetOf(request)} ${version}`) ?? version;
    const tag = headers['if-none-match'];
    if (tag !== undefined && tag !== '*') delete headers['if-none-match'];
    if (request.body.kind === 'bytes') headers['content-type'] = 'application/offset+octet-stream';
    const body = this.#bodyOf(request);
    const real = await this.#testServer.call<Body | undefined>(`${method} ${this.#pathOf(path)}`, {
      token: this.#person.token,
      headers,
      ...(body !== undefined && { body }),
    });
    const where = `${method} ${path}`;
    if (real.status !== answer.status) {
      this.differences.push(
        `${where}: the fake answers ${answer.status}, the server ${real.status} ${real.text.slice(0, 200)}`,
      );
      return;
    }
    for (const name of ['idempotency-replayed', 'upload-offset', 'location']) {
      if (answer.headers[name] !== undefined && answer.headers[name] !== real.headers[name]) {
        this.differences.push(
          `${where}: ${name} is ${answer.headers[name]} here and ${String(real.headers[name])} there`,
        );
      }
    }
    this.#learn(request, answer, real.body);
    if (path.startsWith('/sync')) this.#comparePages(where, answer.body as Body, real.body as Body);
    else this.#compare(where, answer.body, real.body);
  }

  #idOf(id: unknown): string {
    return this.#ids.get(String(id)) ?? String(id);
  }

  #pathOf(path: string): string {
    return path
      .replace(/(?<=\/)(\d+|u\d+n\d+)(?=$|\/|\?)/g, (id) => this.#idOf(id))
      .replace(/(?<=profile_id=)\d+/, (id) => this.#idOf(id))
      .replace(/(?<=cursor=)[^&]+/, (cursor) => encodeURIComponent(this.#cursors.get(cursor) ?? cursor));
  }

  #bodyOf({ body }: ServerRequest): unknown {
    if (body.kind === 'bytes') return body.bytes;
    if (body.kind !== 'json') return undefined;
    const value = JSON.parse(body.text) as Body;
    for (const field of ['profile_id', 'profileId']) {
      if (field in value) value[field] = this.#idOf(value[field]);
    }
    return value;
  }

  /** Maps ids, versions and cursors in the same position of both responses to each other. */
  #learn(request: ServerRequest, fake: ServerAnswer, real: unknown): void {
    const pairs: [Body, Body][] = [];
    const [here, there] = [fake.body as Body | undefined, real as Body | undefined];
    if (!here || !there) return;
    for (const name of ['data', 'files']) {
      const [ours, theirs] = [toSortedRecords(here[name]), toSortedRecords(there[name])];
      ours.slice(0, theirs.length).forEach((each, n) => pairs.push([each, theirs[n]!]));
    }
    if (typeof here['cursor'] === 'string') this.#cursors.set(here['cursor'], String(there['cursor']));
    for (const [one, other] of pairs) {
      if (one['id'] !== undefined) this.#ids.set(String(one['id']), String(other['id']));
      if (one['version'] === undefined) continue;
      this.#versions.set(`${String(one['id'])} "${String(one['version'])}"`, `"${String(other['version'])}"`);
    }
    if (request.path.startsWith('/profile/avatar')) this.#versions.clear();
  }

  /** The page of the real server has more records. Records in both pages must match. */
  #comparePages(where: string, here: Body, there: Body): void {
    const records = there['records'] as { type: string; id: string; parent: string | null; body: Body | null }[];
    for (const fake of here['records'] as typeof records) {
      const id = this.#ids.get(fake.id);
      const real = records.find((each) => each.type === fake.type && each.id === id);
      if (!real || !real.body !== !fake.body) continue;
      const version = fake.body?.['version'];
      if (version !== undefined)
        this.#versions.set(`${fake.id} "${String(version)}"`, `"${String(real.body?.['version'])}"`);
      this.#compare(`${where} ${fake.type}`, fake.body, real.body);
    }
    if (typeof there['has_more'] !== 'boolean') this.differences.push(`${where}: has_more is missing`);
  }

  /** Every value in the response of the fake must exist in the real response with the same type and value. */
  #compare(where: string, here: unknown, there: unknown): void {
    if (here === undefined) return;
    const [kind, other] = [kindOf(here), kindOf(there)];
    if (kind !== other) this.differences.push(`${where}: ${kind} here, ${other} there`);
    else if (Array.isArray(here)) this.#compareLists(where, here, there as unknown[]);
    else if (kind === 'object') {
      for (const [name, value] of Object.entries(here as Body))
        this.#compareField(where, name, value, (there as Body)[name]);
    } else if (here !== there) {
      this.differences.push(`${where}: ${JSON.stringify(here)} here, ${JSON.stringify(there)} there`);
    }
  }

  #compareField(where: string, name: string, value: unknown, other: unknown): void {
    const place = `${where} ${name}`;
    // The invalid fields must match, their messages need not.
    if (name === 'errors') this.#compare(place, fieldsIn(value), fieldsIn(other));
    else if (SERVER_SPECIFIC.has(name)) {
      if (other === undefined) this.differences.push(`${place}: missing there`);
      else if (value !== null && other !== null && kindOf(value) !== kindOf(other))
        this.differences.push(`${place}: ${kindOf(value)} here, ${kindOf(other)} there`);
    } else this.#compare(place, IDS.has(name) && value !== null ? this.#idOf(value) : value, other);
  }

  #compareLists(where: string, here: readonly unknown[], there: readonly unknown[]): void {
    const [ours, theirs] = [toSortedRecords(here), toSortedRecords(there)];
    if (ours.length === theirs.length) ours.forEach((each, n) => this.#compare(`${where}[${n}]`, each, theirs[n]));
    else this.differences.push(`${where}: ${ours.length} here, ${theirs.length} there`);
  }
}

const fieldsIn = (errors: unknown) =>
  Object.keys((errors ?? {}) as Body)
    .sort()
    .join(', ');

const kindOf = (value: unknown): string => (value === null ? 'null' : Array.isArray(value) ? 'list' : typeof value);

/** Returns the records of a response in a stable order: the rows of a set are identified by their key. */
function toSortedRecords(records: unknown): Body[] {
  const list = (Array.isArray(records) ? records : records ? [records] : []) as Body[];
  const keyOf = ({ attribute_key: key }: Body) => (typeof key === 'string' ? key : '');
  return [...list].sort((one, other) => keyOf(one).localeCompare(keyOf(other)));
}

const targetOf = (request: ServerRequest): string => {
  if (request.path === '/profile/update' && request.body.kind === 'json') {
    return String((JSON.parse(request.body.text) as Body)['profile_id']);
  }
  return request.path.split('/').at(-1) ?? '';
};
