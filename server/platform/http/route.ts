import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import * as z from 'zod/mini';
import type { Endpoint } from '#contract/section.ts';
import { errorMap } from '#contract/schema.ts';
import type { Db } from '#server/platform/db/connect.ts';
import type { ChangeLog } from '#server/platform/db/feed.ts';
import type { Deps } from '#server/platform/deps.ts';
import type { Answer } from './answer.ts';
import { readCaller, readViewAs, type Caller } from './caller.ts';
import { invalid, notFound, unauthorized } from './errors.ts';
import { knowsOfNone, readIfMatch, type Expected } from './if-match.ts';
import { LIMIT, networkOf } from './limiter.ts';
import { isPlain, requirePlainValues } from './plain-values.ts';
import { readSocketId } from './socket-id.ts';
import { fingerprintOf, readIdempotencyKey, runWrite, type Transaction } from './write.ts';

/** What every handler has. In a write, `db` is the transaction that also holds the answer's record and the feed. */
export interface Context<Who, P, Q, B, S> {
  request: FastifyRequest;
  caller: Who;
  params: P;
  query: Q;
  body: B;
  /** What the access rule's guard found: the profile, row or upload the call is about. */
  subject: S;
  db: Db;
  now: Date;
  /** The version the write was meant for (If-Match). */
  expected: Expected;
  /** The writer knows of no record yet (If-None-Match: *). */
  isFirst: boolean;
}
export interface WriteContext<Who, P, Q, B, S> extends Context<Who, P, Q, B, S> {
  changes: ChangeLog;
}

export interface GuardInput<Who, P> {
  db: Db;
  caller: Who;
  params: P;
}
type Guard<Who, P, S> = (input: GuardInput<Who, P>) => Promise<S>;

/**
 * Who may call. `everyone`: tokens are not looked at. `viewer`: with or without a token, but not with a dead one.
 * `account`: signed in. The guard finds what the call is about and throws 403 or 404 where it is not for this caller; it
 * runs before the body is looked at.
 */
interface Access<Who, P, S> {
  who: 'everyone' | 'viewer' | 'account';
  guard?: Guard<Who, P, S>;
}
interface AccessOf<Who> {
  <P, S>(guard: Guard<Who, P, S>): Access<Who, P, S>;
  (): Access<Who, unknown, undefined>;
}
const accessOf = <Who>(who: Access<Who, never, never>['who']) =>
  ((guard?: Guard<Who, never, never>) => ({ who, guard })) as AccessOf<Who>;

export const everyone = accessOf<null>('everyone');
export const viewer = accessOf<Caller | null>('viewer');
export const account = accessOf<Caller>('account');

type Schema = z.ZodMiniType;
type Read<T> = T extends Schema ? z.output<T> : undefined;

interface Description<
  Who,
  P extends Schema | undefined,
  Q extends Schema | undefined,
  B extends Schema | undefined,
  S,
> {
  endpoint: Pick<Endpoint, 'method' | 'path'>;
  /** One line for the description of the API. */
  summary: string;
  access: Access<Who, Read<P>, S>;
  params?: P;
  query?: Q;
  body?: B;
  /** What a good answer holds, by status; null for none. */
  answers: Record<number, Schema | null>;
  /** Biggest body in bytes, where the usual megabyte does not fit. */
  bodyLimit?: number;
}

/** One call as it is described and served; kept for /openapi.json. */
export interface DescribedRoute {
  method: string;
  path: string;
  summary: string;
  who: Access<never, never, never>['who'];
  guarded: boolean;
  /** Media types of the body; JSON alone unless the call says otherwise. */
  bodyTypes?: readonly string[];
  params?: Schema;
  query?: Schema;
  body?: Schema;
  answers: Record<number, Schema | null>;
}

/** Gives the records of these ids as this person, whose mirror it is, sees them, each with its `id`; none for one they do not see. */
type MirrorReader = (db: Db, ids: string[], userId: number) => Promise<({ id?: unknown } & Record<string, unknown>)[]>;

declare module 'fastify' {
  interface FastifyInstance {
    deps: Deps;
    describedRoutes: DescribedRoute[];
    /** Readers of the caller's own records by type, for the sync feed. */
    mirror: Map<string, MirrorReader>;
  }
  interface FastifyRequest {
    /** The JSON body as it came, for fingerprints. */
    rawBody: Buffer | null;
    caller: Caller | null;
  }
}

function parse<T extends Schema | undefined>(schema: T, input: unknown): Read<T> {
  if (schema === undefined) return undefined as Read<T>;
  const result = z.safeParse(schema, input);
  if (!result.success) throw invalid(errorMap(result.error.issues));
  return result.data as Read<T>;
}

const READS = new Set(['GET', 'HEAD']);

/** Finds the caller and holds the limits. @throws 401, 429 */
export async function admit(
  deps: Deps,
  who: Access<never, never, never>['who'],
  request: FastifyRequest,
): Promise<void> {
  request.caller = who === 'everyone' ? null : await readCaller(deps.db, request, deps.clock.now());
  const limit = READS.has(request.method) ? LIMIT.reads : LIMIT.writes;
  deps.limiter.take(limit, request.caller ? `user ${request.caller.userId}` : `address ${networkOf(request.ip)}`);
  if (who === 'account' && request.caller === null) throw unauthorized();
  if (who !== 'viewer' || !READS.has(request.method)) return;
  const viewAs = readViewAs(request);
  if (request.caller && viewAs) request.caller.viewAs = viewAs;
}

/** Refuses what nothing can store. A path with such text names nothing that exists. */
function checkValues(request: FastifyRequest): void {
  if (!Object.values(request.params as Record<string, string>).every(isPlain)) throw notFound('record');
  requirePlainValues(request.query);
  requirePlainValues(request.body);
}

function send(
  deps: Deps,
  reply: FastifyReply,
  answers: Description<never, undefined, undefined, undefined, never>['answers'],
  answer: Answer,
): FastifyReply {
  const schema = answers[answer.status];
  // A wrong answer is a bug; tests find it here, people get it rather than nothing.
  if (deps.checkAnswers && !answer.headers?.['idempotency-replayed']) {
    if (schema === undefined) throw new Error(`The call does not say that it answers ${answer.status}`);
    if (schema !== null) z.parse(schema, JSON.parse(JSON.stringify(answer.body)));
  }
  void reply.code(answer.status);
  if (answer.headers) void reply.headers(answer.headers);
  return answer.body === undefined ? reply.send() : reply.send(answer.body);
}

function register<Who, P extends Schema | undefined, Q extends Schema | undefined, B extends Schema | undefined, S>(
  app: FastifyInstance,
  description: Description<Who, P, Q, B, S>,
  answer: (deps: Deps, request: FastifyRequest) => Promise<Answer>,
  { bodyTypes, told }: { bodyTypes?: readonly string[]; told?: Schema } = {},
): void {
  const { endpoint, summary, access, params, query, answers, bodyLimit } = description;
  const body = told ?? description.body;
  app.describedRoutes.push({
    method: endpoint.method,
    path: endpoint.path,
    summary,
    who: access.who,
    guarded: access.guard !== undefined,
    bodyTypes,
    params,
    query,
    body,
    answers,
  });
  app.route({
    method: endpoint.method,
    url: endpoint.path,
    bodyLimit,
    onRequest: (request) => admit(app.deps, access.who, request),
    handler: async (request, reply) => send(app.deps, reply, answers, await answer(app.deps, request)),
  });
}

async function context<
  Who,
  P extends Schema | undefined,
  Q extends Schema | undefined,
  B extends Schema | undefined,
  S,
>(
  { access, params, query, body }: Description<Who, P, Q, B, S>,
  deps: Deps,
  db: Db,
  request: FastifyRequest,
  input: unknown,
): Promise<Context<Who, Read<P>, Read<Q>, Read<B>, S>> {
  const caller = request.caller as Who;
  const read = parse(params as P, request.params);
  const subject = (await access.guard?.({ db, caller, params: read })) as S;
  return {
    request,
    caller,
    params: read,
    subject,
    query: parse(query as Q, request.query),
    body: parse(body as B, input ?? {}),
    db,
    now: deps.clock.now(),
    expected: readIfMatch(request.headers['if-match']),
    isFirst: knowsOfNone(request.headers['if-none-match']),
  };
}

/** A call that changes nothing. */
export function readRoute<Who, S, P extends Schema | undefined = undefined, Q extends Schema | undefined = undefined>(
  app: FastifyInstance,
  description: Description<Who, P, Q, undefined, S> & {
    handler: (context: Context<Who, Read<P>, Read<Q>, undefined, S>) => Promise<Answer>;
  },
): void {
  register(app, description, async (deps, request) => {
    checkValues(request);
    return description.handler(await context(description, deps, deps.db, request, undefined));
  });
}

/**
 * A call that changes something outside a single transaction, or must not be answered from the record (sign-in). The
 * handler makes its own transactions where it needs them, and must bear being repeated.
 */
export function actionRoute<
  Who,
  S,
  P extends Schema | undefined = undefined,
  Q extends Schema | undefined = undefined,
  B extends Schema | undefined = undefined,
>(
  app: FastifyInstance,
  description: Description<Who, P, Q, B, S> & {
    handler: (context: Context<Who, Read<P>, Read<Q>, Read<B>, S>) => Promise<Answer>;
    /** Media type of a body that is read by the handler itself. */
    bodyType?: string;
  },
): void {
  const answer = async (deps: Deps, request: FastifyRequest) => {
    if (description.bodyType === undefined) checkValues(request);
    return description.handler(await context(description, deps, deps.db, request, request.body));
  };
  register(app, description, answer, description.bodyType === undefined ? {} : { bodyTypes: [description.bodyType] });
}

/** What a body was read to before the transaction begins: fields for the schema, and what makes it this request. */
export interface Intake {
  body: unknown;
  fingerprint: string;
  /** Runs when the call is over, whatever came of it. */
  release?: () => Promise<void>;
}

/**
 * A call that changes something. The handler works in one transaction with the record of its answer and the sync feed;
 * Idempotency-Key is taken care of. What cannot be rolled back (files) belongs before it, in `intake`, or after it.
 */
export function writeRoute<
  Who,
  S,
  P extends Schema | undefined = undefined,
  Q extends Schema | undefined = undefined,
  B extends Schema | undefined = undefined,
>(
  app: FastifyInstance,
  description: Description<Who, P, Q, B, S> & {
    handler: (context: WriteContext<Who, Read<P>, Read<Q>, Read<B>, S>) => Promise<Answer>;
    /**
     * What must happen outside the transaction. `type` is the body's, where it reads another beside JSON; `told` describes
     * all that it reads; null where this body asks for none of it.
     */
    intake?: { type?: string; told?: Schema; read: (request: FastifyRequest) => Promise<Intake | null> };
  },
): void {
  const { endpoint, intake, handler } = description;
  const answer = async (deps: Deps, request: FastifyRequest) => {
    checkValues(request);
    const key = readIdempotencyKey(request.headers['idempotency-key']);
    const taken = await intake?.read(request);
    try {
      if (taken) requirePlainValues(taken.body);
      const input = taken ? taken.body : request.body;
      const fingerprint = fingerprintOf(endpoint.method, request.url, taken?.fingerprint ?? request.rawBody ?? '');
      const repeatable = key && request.caller ? { userId: request.caller.userId, key, fingerprint } : null;
      const work = async ({ tx, changes }: Transaction) =>
        handler({ ...(await context(description, deps, tx, request, input)), changes });
      return await runWrite(deps.db, deps.clock.now, repeatable, work, { except: readSocketId(request) });
    } finally {
      deps.live.wake();
      await taken?.release?.();
    }
  };
  register(app, description, answer, {
    ...(intake?.type && { bodyTypes: [intake.type, 'application/json'] }),
    told: intake?.told,
  });
}
