import { beforeAll, describe, expect, it } from 'vitest';
import { addProfile } from '../server/support/people.ts';
import { useStage, type Person, type Stage } from '../server/support/stage.ts';
import { loadRunner, type Runner } from '../sync/world/bundle.ts';
import type { ServerAnswer, ServerRequest } from '../sync/world/server/wire.ts';
import type { Fault } from '../sync/world/network.ts';
import { planOf, type ActKind, type Plan } from '../sync/world/plan.ts';
import type { Recorded } from '../sync/world/world.ts';

type Body = Record<string, unknown>;

/** Faults of the wire, which the server knows nothing of; the others are the fake's own whims. */
const WIRE: readonly Fault[] = [
  'lost',
  'answer lost',
  'twice',
  'late after a retry',
  'reordered',
  'slow body',
  'cut',
  'html',
  'timeout',
];
/** Acts that are requests and nothing else: no hand on the fake's store, and one person. */
const ACTS: readonly ActKind[] = [
  'create',
  'edit',
  'edit profile',
  'edit about',
  'delete',
  'delete and undo',
  'add photo',
  'set avatar',
  'cure',
  'pull',
  'try now',
  'offline',
  'online',
  'crash',
  'open page',
];
/** What every server of the contract may name as it likes, or leave to its own clock. */
const OWN_WORDS = new Set([
  'message',
  'cursor',
  'created_at',
  'updated_at',
  'path',
  'file_path',
  'thumb_path',
  'slug',
  'profile_photo',
]);

function recordedPlan(seed: number): Plan {
  const plan = planOf(seed);
  return {
    ...plan,
    devices: 2,
    acts: plan.acts.map((act, n) => (ACTS.includes(act.kind) ? act : { ...act, kind: ACTS[n % ACTS.length]! })),
    faults: plan.faults.map(([at, fault]) => [at, WIRE.includes(fault) ? fault : WIRE[at % WIRE.length]!]),
    record: true,
  };
}

/** Plays what the fake was asked against the real server, ids and versions put into its own. */
class Replay {
  readonly differences: string[] = [];
  readonly #stage: Stage;
  readonly #person: Person;
  /** Fake id → real id, by type of number: one space, for the fake counts all records together. */
  readonly #ids = new Map<string, string>();
  readonly #versions = new Map<string, string>();
  readonly #cursors = new Map<string, string>();

  constructor(stage: Stage, person: Person, profiles: readonly [string, string][]) {
    this.#stage = stage;
    this.#person = person;
    for (const [fake, real] of profiles) this.#ids.set(fake, real);
  }

  async play({ request, answer }: Recorded): Promise<void> {
    const { method, path } = request;
    const headers = { ...request.headers };
    const version = headers['if-match'];
    if (version !== undefined) headers['if-match'] = this.#versions.get(`${targetOf(request)} ${version}`) ?? version;
    const tag = headers['if-none-match'];
    if (tag !== undefined) delete headers['if-none-match'];
    if (request.body.kind === 'bytes') headers['content-type'] = 'application/offset+octet-stream';
    const body = this.#bodyOf(request);
    const real = await this.#stage.call<Body | undefined>(`${method} ${this.#pathOf(path)}`, {
      token: this.#person.token,
      headers,
      ...(body !== undefined && { body }),
    });
    const where = `${method} ${path}`;
    if (real.status !== answer.status) {
      this.differences.push(
        `${where}: the fake says ${answer.status}, the server ${real.status} ${real.text.slice(0, 200)}`,
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

  #pathOf(path: string): string {
    return path
      .replace(/(?<=\/)\d+(?=$|\/|\?)/g, (id) => this.#ids.get(id) ?? id)
      .replace(/(?<=profile_id=)\d+/, (id) => this.#ids.get(id) ?? id)
      .replace(/(?<=cursor=)[^&]+/, (cursor) => encodeURIComponent(this.#cursors.get(cursor) ?? cursor));
  }

  #bodyOf({ body }: ServerRequest): unknown {
    if (body.kind === 'bytes') return body.bytes;
    if (body.kind !== 'json') return undefined;
    const value = JSON.parse(body.text) as Body;
    for (const field of ['profile_id', 'profileId']) {
      if (field in value) value[field] = this.#ids.get(String(value[field])) ?? value[field];
    }
    return value;
  }

  /** Ids, versions and cursors that stand in the same place of both answers are the same thing. */
  #learn(request: ServerRequest, fake: ServerAnswer, real: unknown): void {
    const pairs: [Body, Body][] = [];
    const [here, there] = [fake.body as Body | undefined, real as Body | undefined];
    if (!here || !there) return;
    if (here['data'] && there['data']) pairs.push([here['data'] as Body, there['data'] as Body]);
    const [files, realFiles] = [here['files'], there['files']];
    if (Array.isArray(files) && Array.isArray(realFiles)) pairs.push([files[0] as Body, realFiles[0] as Body]);
    if (typeof here['cursor'] === 'string') this.#cursors.set(here['cursor'], String(there['cursor']));
    for (const [one, other] of pairs) {
      this.#ids.set(String(one['id']), String(other['id']));
      if (one['version'] === undefined) continue;
      this.#versions.set(`${String(one['id'])} "${String(one['version'])}"`, `"${String(other['version'])}"`);
    }
    if (request.path.startsWith('/profile/avatar')) this.#versions.clear();
  }

  /** The real server's page is longer; of the records both send, form and words must agree. */
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

  #compare(where: string, here: unknown, there: unknown): void {
    if (here === undefined || here === null || there === null) return;
    if (Array.isArray(here)) {
      if (!Array.isArray(there)) this.differences.push(`${where}: a list here, not there`);
      else if (here.length > 0 && there.length > 0) this.#compareForm(where, here[0], there[0]);
      return;
    }
    this.#compareForm(where, here, there);
    if (typeof here !== 'object' || typeof there !== 'object') return;
    for (const [name, value] of Object.entries(here)) {
      const other = (there as Body)[name];
      if (typeof value === 'string' && value.includes('~') && !OWN_WORDS.has(name) && value !== other) {
        this.differences.push(`${where}: ${name} is ${value} here and ${JSON.stringify(other)} there`);
      }
      if (typeof value === 'object') this.#compare(`${where} ${name}`, value, other);
    }
  }

  /** What the fake's answer has must be there, and be of its kind. */
  #compareForm(where: string, here: unknown, there: unknown): void {
    if (typeof here !== typeof there) {
      this.differences.push(`${where}: ${typeof here} here, ${typeof there} there`);
      return;
    }
    if (typeof here !== 'object' || here === null || there === null || Array.isArray(here)) return;
    for (const [name, value] of Object.entries(here)) {
      const other = (there as Body)[name];
      if (other === undefined) this.differences.push(`${where}: the server's answer has no ${name}`);
      else if (value !== null && other !== null && typeof value !== typeof other) {
        this.differences.push(`${where}: ${name} is ${typeof value} here and ${typeof other} there`);
      }
    }
  }
}

const targetOf = (request: ServerRequest): string => {
  if (request.path === '/profile/update' && request.body.kind === 'json') {
    return String((JSON.parse(request.body.text) as Body)['profile_id']);
  }
  return request.path.split('/').at(-1) ?? '';
};

describe('the fake server of the simulation', () => {
  const stage = useStage();
  let runner: Runner;

  beforeAll(async () => {
    runner = await loadRunner('replay');
  });

  it.each([1, 3, 4, 5, 7, 9, 11, 13, 15, 17])('answers as the real one does: seed %i', async (seed) => {
    const { exchanges, failure } = await runner.play(recordedPlan(seed));
    expect(failure).toBeNull();
    const person = await stage.join('Person u1');
    const profiles = [await addProfile(stage, person, 0), await addProfile(stage, person, 1)];
    const replay = new Replay(stage, person, [
      ['1', profiles[0]!.id],
      ['2', profiles[1]!.id],
    ]);
    for (const exchange of exchanges) if (exchange.userId === 'u1') await replay.play(exchange);
    expect([...new Set(replay.differences)]).toEqual([]);
    expect(exchanges.length).toBeGreaterThan(4);
  });
});
