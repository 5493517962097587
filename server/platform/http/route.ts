import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import * as z from 'zod/mini';
import type { Endpoint } from '#contract/section.ts';
import { toErrorMap } from '#contract/schema.ts';
import type { Db } from '#server/platform/db/connect.ts';
import type { ChangeLog } from '#server/platform/db/change-log.ts';
import { findRestriction } from '#server/platform/db/restrictions.ts';
import type { Deps } from '#server/platform/deps.ts';
import type { RouteResponse } from './response.ts';
import { readCaller, readViewAs, type Caller } from './caller.ts';
import { invalid, notFound, suspended, unauthorized } from './errors.ts';
import { isIfNoneMatchAny, readIfMatch, type ExpectedVersion } from './if-match.ts';
import { LIMIT } from './limits.ts';
import { toNetwork } from './rate-limiter.ts';
import { isStorableText, requireStorableText } from './storable-text.ts';
import { readSocketId } from './socket-id.ts';
import { computeFingerprint, readIdempotencyKey, runWrite, type WriteTransaction } from './write.ts';

/** Input of a handler. In a write, `db` is the transaction that also stores the response and the sync feed. */
export interface Context<C, P, Q, B, S> {
  request: FastifyRequest;
  caller: C;
  params: P;
  query: Q;
  body: B;
  /** What the guard of the access rule returned: the profile, row or upload that the request is about. */
  subject: S;
  db: Db;
  now: Date;
  /** The version that the write expects to find (If-Match). */
  expected: ExpectedVersion;
  /** Whether the write must not replace an existing record (If-None-Match: *). */
  isCreateOnly: boolean;
}
export interface WriteContext<C, P, Q, B, S> extends Context<C, P, Q, B, S> {
  changes: ChangeLog;
}

export interface GuardInput<C, P> {
  db: Db;
  caller: C;
  params: P;
  request: FastifyRequest;
}
type Guard<C, P, S> = (input: GuardInput<C, P>) => Promise<S>;

/**
 * Says which requests a route accepts. `public`: the token is not read. `optional`: with or without a token, but an invalid token
 * is refused. `required`: signed in. The guard loads what the request is about and throws 403 or 404 where the caller may not use
 * it. It runs before the body is validated.
 */
export interface Access<C, P, S> {
  audience: 'public' | 'optional' | 'required';
  guard?: Guard<C, P, S>;
}
type Audience = Access<never, never, never>['audience'];
interface AccessBuilder<C> {
  <P, S>(guard: Guard<C, P, S>): Access<C, P, S>;
  (): Access<C, unknown, undefined>;
}
const buildAccess = <C>(audience: Audience) =>
  ((guard?: Guard<C, never, never>) => ({ audience, guard })) as AccessBuilder<C>;

export const publicAccess = buildAccess<null>('public');
export const optionalAccount = buildAccess<Caller | null>('optional');
export const requiredAccount = buildAccess<Caller>('required');

type Schema = z.ZodMiniType;
type Parsed<T> = T extends Schema ? z.output<T> : undefined;

interface RouteDescription<
  C,
  P extends Schema | undefined,
  Q extends Schema | undefined,
  B extends Schema | undefined,
  S,
> {
  endpoint: Pick<Endpoint, 'method' | 'path'>;
  /** One line for the OpenAPI document. */
  summary: string;
  access: Access<C, Parsed<P>, S>;
  params?: P;
  query?: Q;
  body?: B;
  /** Schemas of successful bodies, by status; null for an empty body. */
  responses: Record<number, Schema | null>;
  /** Maximum body size in bytes, where it differs from the server's 1 MiB. */
  bodyLimit?: number;
  /** Whether the route is exempt from the limits of reads and writes. */
  isUnlimited?: boolean;
  /** Whether a person whose account is suspended may write with it: it changes nothing that others see. Reads are always open. */
  isOpenToSuspended?: boolean;
}

/** A registered route, kept for /openapi.json. */
export interface DescribedRoute {
  method: string;
  path: string;
  summary: string;
  audience: Audience;
  isGuarded: boolean;
  /** Media types of the body; JSON only by default. */
  bodyTypes?: readonly string[];
  params?: Schema;
  query?: Schema;
  body?: Schema;
  responses: Record<number, Schema | null>;
}

/** Reads the records with these ids as `userId`, the owner of the mirror, sees them. Leaves out records they cannot see. */
type MirrorReader = (db: Db, ids: string[], userId: number) => Promise<({ id?: unknown } & Record<string, unknown>)[]>;

declare module 'fastify' {
  interface FastifyInstance {
    deps: Deps;
    describedRoutes: DescribedRoute[];
    /** Readers of the caller's own records, by record type, for the sync feed. */
    mirror: Map<string, MirrorReader>;
  }
  interface FastifyRequest {
    /** The JSON body as received, for fingerprints. */
    rawBody: Buffer | null;
    caller: Caller | null;
    /** Whom the request signs in as, or tries to; for the log. */
    accountId: number | null;
  }
}

function parse<T extends Schema | undefined>(schema: T, input: unknown): Parsed<T> {
  if (schema === undefined) return undefined as Parsed<T>;
  const result = z.safeParse(schema, input);
  if (!result.success) throw invalid(toErrorMap(result.error.issues));
  return result.data as Parsed<T>;
}

const READS = new Set(['GET', 'HEAD']);

/** Sets `request.caller`, applies the rate limits, and refuses writes of suspended people. @throws 401, 403, 429 */
export async function authenticateRequest(
  deps: Deps,
  { audience }: Pick<Access<never, never, never>, 'audience'>,
  request: FastifyRequest,
  isOpenToSuspended = false,
): Promise<void> {
  request.caller = audience === 'public' ? null : await readCaller(deps.db, request, deps.clock.now());
  const limit = READS.has(request.method) ? LIMIT.reads : LIMIT.writes;
  deps.limiter.take(limit, request.caller ? `user ${request.caller.userId}` : `address ${toNetwork(request.ip)}`);
  if (audience === 'required' && request.caller === null) throw unauthorized();
  if (request.caller?.state === 'suspended' && !isOpenToSuspended && !READS.has(request.method)) {
    const suspension = await findRestriction(deps.db, 'user', request.caller.userId);
    throw suspended(suspension?.until ?? null);
  }
  if (audience !== 'optional' || !READS.has(request.method)) return;
  const viewAs = readViewAs(request);
  if (request.caller && viewAs) request.caller.viewAs = viewAs;
}

/** Refuses text that PostgreSQL cannot store. A path that contains such text cannot name an existing record. */
function checkValues(request: FastifyRequest): void {
  if (!Object.values(request.params as Record<string, string>).every(isStorableText)) throw notFound('record');
  requireStorableText(request.query);
  requireStorableText(request.body);
}

function send(
  deps: Deps,
  reply: FastifyReply,
  responses: RouteDescription<never, undefined, undefined, undefined, never>['responses'],
  response: RouteResponse,
): FastifyReply {
  const schema = responses[response.status];
  // A response that does not match its schema is a bug. Tests fail on it here; in production the client still gets the response.
  if (deps.checkAnswers && !response.headers?.['idempotency-replayed']) {
    if (schema === undefined) throw new Error(`The route declares no response with status ${response.status}`);
    if (schema !== null) z.parse(schema, JSON.parse(JSON.stringify(response.body)));
  }
  void reply.code(response.status);
  if (response.headers) void reply.headers(response.headers);
  return response.body === undefined ? reply.send() : reply.send(response.body);
}

function registerRoute<C, P extends Schema | undefined, Q extends Schema | undefined, B extends Schema | undefined, S>(
  app: FastifyInstance,
  description: RouteDescription<C, P, Q, B, S>,
  respond: (deps: Deps, request: FastifyRequest) => Promise<RouteResponse>,
  { bodyTypes, docs }: { bodyTypes?: readonly string[]; docs?: Schema } = {},
): void {
  const { endpoint, summary, access, params, query, responses, bodyLimit, isUnlimited, isOpenToSuspended } =
    description;
  const body = docs ?? description.body;
  app.describedRoutes.push({
    method: endpoint.method,
    path: endpoint.path,
    summary,
    audience: access.audience,
    isGuarded: access.guard !== undefined,
    bodyTypes,
    params,
    query,
    body,
    responses,
  });
  app.route({
    method: endpoint.method,
    url: endpoint.path,
    bodyLimit,
    ...(!isUnlimited && { onRequest: (request) => authenticateRequest(app.deps, access, request, isOpenToSuspended) }),
    handler: async (request, reply) => send(app.deps, reply, responses, await respond(app.deps, request)),
  });
}

async function readContext<
  C,
  P extends Schema | undefined,
  Q extends Schema | undefined,
  B extends Schema | undefined,
  S,
>(
  { access, params, query, body }: RouteDescription<C, P, Q, B, S>,
  deps: Deps,
  db: Db,
  request: FastifyRequest,
  input: unknown,
): Promise<Context<C, Parsed<P>, Parsed<Q>, Parsed<B>, S>> {
  const caller = request.caller as C;
  const read = parse(params as P, request.params);
  const subject = (await access.guard?.({ db, caller, params: read, request })) as S;
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
    isCreateOnly: isIfNoneMatchAny(request.headers['if-none-match']),
  };
}

/** Registers a route that changes nothing. */
export function readRoute<C, S, P extends Schema | undefined = undefined, Q extends Schema | undefined = undefined>(
  app: FastifyInstance,
  description: RouteDescription<C, P, Q, undefined, S> & {
    handler: (context: Context<C, Parsed<P>, Parsed<Q>, undefined, S>) => Promise<RouteResponse>;
  },
): void {
  registerRoute(app, description, async (deps, request) => {
    checkValues(request);
    return description.handler(await readContext(description, deps, deps.db, request, undefined));
  });
}

/**
 * Registers a route that changes something outside a single transaction, or whose response must not be replayed (sign-in). The
 * handler opens its own transactions and must be safe to repeat.
 */
export function actionRoute<
  C,
  S,
  P extends Schema | undefined = undefined,
  Q extends Schema | undefined = undefined,
  B extends Schema | undefined = undefined,
>(
  app: FastifyInstance,
  description: RouteDescription<C, P, Q, B, S> & {
    handler: (context: Context<C, Parsed<P>, Parsed<Q>, Parsed<B>, S>) => Promise<RouteResponse>;
    /** Media type of a body that the handler reads itself. */
    bodyType?: string;
  },
): void {
  const respond = async (deps: Deps, request: FastifyRequest) => {
    if (description.bodyType === undefined) checkValues(request);
    return description.handler(await readContext(description, deps, deps.db, request, request.body));
  };
  registerRoute(
    app,
    description,
    respond,
    description.bodyType === undefined ? {} : { bodyTypes: [description.bodyType] },
  );
}

/** A body that was read before the transaction: fields for the schema, and the fingerprint of the request. */
export interface Intake {
  body: unknown;
  fingerprint: string;
  /** Runs when the request has ended, also after an error. */
  release?: () => Promise<void>;
}

/**
 * Registers a route that writes. The handler runs in one transaction with the stored response and the sync feed, and
 * Idempotency-Key is honored. Work that cannot be rolled back (files) belongs before the transaction, in `intake`, or after it.
 */
export function writeRoute<
  C,
  S,
  P extends Schema | undefined = undefined,
  Q extends Schema | undefined = undefined,
  B extends Schema | undefined = undefined,
>(
  app: FastifyInstance,
  description: RouteDescription<C, P, Q, B, S> & {
    handler: (context: WriteContext<C, Parsed<P>, Parsed<Q>, Parsed<B>, S>) => Promise<RouteResponse>;
    /**
     * Reads the body outside the transaction. `type` is an accepted media type besides JSON; `docs` is the schema for the OpenAPI
     * document. `read` returns null where this body needs no intake.
     */
    intake?: { type?: string; docs?: Schema; read: (request: FastifyRequest) => Promise<Intake | null> };
  },
): void {
  const { endpoint, intake, handler } = description;
  const respond = async (deps: Deps, request: FastifyRequest) => {
    checkValues(request);
    const key = readIdempotencyKey(request.headers['idempotency-key']);
    const intakeResult = await intake?.read(request);
    try {
      if (intakeResult) requireStorableText(intakeResult.body);
      const input = intakeResult ? intakeResult.body : request.body;
      const fingerprint = computeFingerprint(
        endpoint.method,
        request.url,
        intakeResult?.fingerprint ?? request.rawBody ?? '',
      );
      const idempotent = key && request.caller ? { userId: request.caller.userId, key, fingerprint } : null;
      const work = async ({ tx, changes }: WriteTransaction) =>
        handler({ ...(await readContext(description, deps, tx, request, input)), changes });
      return await runWrite(deps.db, deps.clock.now, idempotent, work, { except: readSocketId(request) });
    } finally {
      deps.live.wake();
      await intakeResult?.release?.();
    }
  };
  registerRoute(app, description, respond, {
    ...(intake?.type && { bodyTypes: [intake.type, 'application/json'] }),
    docs: intake?.docs,
  });
}
