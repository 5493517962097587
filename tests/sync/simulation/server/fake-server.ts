import { type ErrorBody, isAboutUpload } from '#contract/errors.ts';
import { SECTIONS } from '#contract/sections/index.ts';
import { markersIn } from '../markers.ts';
import { accountRoutes } from './account-routes.ts';
import { attributeRoutes } from './attribute-routes.ts';
import { availabilityRoutes } from './availability-routes.ts';
import { castingRoutes } from './casting-routes.ts';
import { chatRoutes } from './chat-routes.ts';
import { FakeStore, sha256, type Body } from './fake-store.ts';
import { mediaRoutes } from './media-routes.ts';
import { peopleRoutes } from './people-routes.ts';
import { PROFILE_FIELDS, profileRoutes } from './profile-routes.ts';
import { Routes } from './routes.ts';
import { sectionRoutes } from './section-routes.ts';
import { uploadRoutes } from './upload-routes.ts';
import { fingerprintOf, markersOf, ok, readFields, Refused, type ServerAnswer, type ServerRequest } from './wire.ts';

export interface Refusal {
  status: 400 | 403 | 413 | 415 | 422;
}

/** Whether a repeat gets the same response, whatever has changed since. */
const isFinal = ({ status, headers, body }: ServerAnswer): boolean =>
  (status >= 200 && status < 300) ||
  ([404, 409, 410, 422].includes(status) &&
    headers['retry-after'] === undefined &&
    !isAboutUpload((body as ErrorBody | undefined)?.errors));

/**
 * The contract's server in memory. Every request is one step, so its transaction is atomic. With `isBasic` it offers
 * the basic API only: no idempotency keys, client ids or versions, and 404 for every extension.
 */
export class FakeServer {
  readonly store: FakeStore;
  readonly isBasic: boolean;
  /** Texts with these markers are refused until the person rewrites them. */
  readonly refusals = new Map<number, Refusal>();
  /** Texts with these markers make the server fail. */
  readonly poison = new Set<number>();
  /** Time until which each user is rate limited. */
  readonly rateLimitedUntil = new Map<string, number>();
  /** Number of requests that still get a 500. */
  burst = 0;
  readonly #keys = new Map<string, { fingerprint: string; answer: ServerAnswer }>();
  readonly #routes: Routes;
  readonly #now: () => number;
  readonly #hasTags: boolean;
  #tokens = 0;

  /** @param options.hasTags whether lists have an ETag, which is optional in the basic API */
  constructor(now: () => number, options: { isBasic: boolean; hasTags?: boolean }) {
    this.#now = now;
    this.#hasTags = options.hasTags ?? !options.isBasic;
    this.store = new FakeStore(now);
    this.isBasic = options.isBasic;
    this.#routes = new Routes(this.store, this.isBasic);
    this.#addRoutes(this.#routes);
  }

  #addRoutes(routes: Routes): void {
    accountRoutes(routes);
    profileRoutes(routes);
    for (const section of SECTIONS) if (section.cardinality === 'many') sectionRoutes(routes, section);
    attributeRoutes(routes);
    for (const section of SECTIONS) {
      // The simulation does not write these sets.
      if (section.cardinality !== 'set' || section.key === 'attribute') continue;
      routes.add('GET', section.endpoints.list.path, () => ok([]));
    }
    mediaRoutes(routes);
    peopleRoutes(routes);
    chatRoutes(routes);
    castingRoutes(routes);
    availabilityRoutes(routes);
    if (!this.isBasic) uploadRoutes(routes);
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
    if (userId === undefined) return ok({ message: 'Sign in to go on' }, 401);
    const rateLimitedUntilMs = this.rateLimitedUntil.get(userId) ?? 0;
    if (rateLimitedUntilMs > this.#now()) {
      return ok({ message: 'Slow down' }, 429, {
        'retry-after': String(Math.ceil((rateLimitedUntilMs - this.#now()) / 1000)),
      });
    }
    const markers = markersOf(request);
    if (markers.some((marker) => this.poison.has(marker))) return ok({ message: 'Broken', request_id: 'p' }, 500);
    const key = this.isBasic ? undefined : request.headers['idempotency-key'];
    const fingerprint = key === undefined ? '' : fingerprintOf(request);
    const stored = key === undefined ? undefined : this.#keys.get(`${userId}:${key}`);
    if (stored) {
      if (stored.fingerprint !== fingerprint) return ok({ message: 'This key belongs to another request' }, 422);
      return { ...stored.answer, headers: { ...stored.answer.headers, 'idempotency-replayed': 'true' } };
    }
    const answer = this.#run(request, userId, device, markers);
    if (key !== undefined && request.method !== 'GET' && isFinal(answer)) {
      this.#keys.set(`${userId}:${key}`, { fingerprint, answer });
    }
    return answer;
  }

  #run(request: ServerRequest, userId: string, device: string, markers: number[]): ServerAnswer {
    const [path = '', search = ''] = request.path.split('?');
    const run = this.#routes.find(request.method, path);
    if (!run) return ok({ message: 'No such address' }, 404);
    try {
      this.#refuse(markers, request);
      const json = readFields(request);
      const answer = run({ request, path, query: new URLSearchParams(search), userId, device, json });
      return request.method === 'GET' ? this.#withTag(answer, request) : answer;
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
    if (!this.#hasTags || answer.status !== 200) return answer;
    const etag = `"${sha256(Buffer.from(JSON.stringify(answer.body))).slice(0, 16)}"`;
    if (request.headers['if-none-match'] === etag) return { status: 304, headers: { etag }, body: undefined };
    return { ...answer, headers: { ...answer.headers, etag } };
  }
}
