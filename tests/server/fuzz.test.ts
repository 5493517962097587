import * as z from 'zod/mini';
import { describe, expect, test } from 'vitest';
import type { DescribedRoute } from '#server/platform/http/route.ts';
import { isFull, quantity } from '../support/quantity.ts';
import { createPrng } from '../sync/simulation/prng.ts';
import type { Request, RouteRow } from './route-row.ts';
import { BOUNCE_SECRET } from './mail-routes.table.ts';
import { ROUTES } from './routes.table.ts';
import { EVERYTHING, createFixtureFactory, type FullRouteFixture } from './support/route-fixtures.ts';
import { useTestServer, type Person, type RequestOptions } from './support/test-server.ts';

const testServer = useTestServer({ env: { MAIL_WEBHOOK_SECRET: BOUNCE_SECRET } });
const { addSectionRow, createFixture, forCall } = createFixtureFactory(testServer);

const SEED = 20_261_122;
const REQUESTS = quantity(500, 25_000);
/** After this many requests the test creates new people and rows: most of the old ones are deleted by then. */
const REQUESTS_PER_FIXTURE = 400;
const { int: below, pick, chance, uuid } = createPrng(SEED);

// --- Values ---

const HOSTILE: readonly unknown[] = [
  null,
  true,
  0,
  -1,
  0.5,
  1e21,
  Number.MAX_SAFE_INTEGER + 1,
  '',
  ' ',
  '0',
  '-1',
  '1e3',
  '999999999999999999999999',
  '9223372036854775808',
  '\u0000',
  'a\u0000b',
  '\ud800',
  '\u202Eab',
  'क\u094d\u200d',
  '👩\u200d🎤'.repeat(50),
  "'; drop table users; --",
  '%00',
  '%',
  '../../etc/passwd',
  '{"a":1}',
  '2026-02-30',
  '0000-00-00',
  '+275760-09-13T00:00:00.001Z',
  'ab:*|!(&',
  'x'.repeat(3000),
  [],
  [null],
  [[[[[[]]]]]],
  {},
  { id: 1 },
  { toString: 'a', constructor: null },
];

interface JsonSchema {
  type?: string | string[];
  const?: unknown;
  enum?: unknown[];
  format?: string;
  anyOf?: JsonSchema[];
  allOf?: JsonSchema[];
  properties?: Record<string, JsonSchema>;
  required?: string[];
  items?: JsonSchema;
  minimum?: number;
  maximum?: number;
  maxLength?: number;
}

const ID = (fixture: FullRouteFixture) =>
  pick([
    fixture.owner.id,
    fixture.stranger.id,
    fixture.profileId,
    fixture.creditId,
    fixture.conversation.id,
    fixture.photoId,
    '1',
  ]);

/** Generates a value that matches the JSON schema. */
function valueFor(schema: JsonSchema, fixture: FullRouteFixture): unknown {
  if (schema.const !== undefined) return schema.const;
  if (schema.enum) return pick(schema.enum);
  if (schema.anyOf) return valueFor(pick(schema.anyOf), fixture);
  if (schema.allOf) return valueFor(schema.allOf[0] ?? {}, fixture);
  const type = Array.isArray(schema.type) ? pick(schema.type) : schema.type;
  switch (type) {
    case undefined:
      return pick([ID(fixture), 'Kathak', 3, true, null]);
    case 'null':
      return null;
    case 'boolean':
      return chance(0.5);
    case 'integer':
    case 'number':
      return (schema.minimum ?? 0) + below(Math.min(5000, (schema.maximum ?? 2100) - (schema.minimum ?? 0) + 1));
    case 'array':
      return Array.from({ length: below(4) }, () => valueFor(schema.items ?? {}, fixture));
    case 'object':
      return Object.fromEntries(
        Object.entries(schema.properties ?? {})
          .filter(([key]) => schema.required?.includes(key) || chance(0.5))
          .map(([key, inner]) => [key, valueFor(inner, fixture)]),
      );
    case 'string':
      if (schema.format === 'uuid') return uuid();
      if (schema.format === 'email') return `f${below(1e9)}@callboard.example`;
      if (schema.format === 'uri') return pick(['https://lantern.example/a', 'https://youtu.be/dQw4w9WgXcQ']);
      return pick([
        ID(fixture),
        'Kathak',
        'Meera',
        'a'.repeat(Math.min(schema.maxLength ?? 40, 40)),
        '2024-05',
        '172.5',
      ]);
    default:
      throw new Error(`No values for the type ${type}`);
  }
}

const schemas = new Map<z.ZodMiniType, JsonSchema>();
const schemaOf = (schema: z.ZodMiniType): JsonSchema => {
  const known = schemas.get(schema) ?? (z.toJSONSchema(schema, { io: 'input', unrepresentable: 'any' }) as JsonSchema);
  schemas.set(schema, known);
  return known;
};

// --- Requests ---

const queryText = (value: unknown) => (typeof value === 'string' ? value : JSON.stringify(value));
/** A lone surrogate cannot be URL-encoded. */
const encoded = (value: unknown) => encodeURIComponent(queryText(value).toWellFormed());

function withQuery(path: string, name: string, value: unknown): string {
  const [pathname = '', query = ''] = path.split('?');
  const params = query.split('&').filter((part) => part !== '' && !part.startsWith(`${name}=`));
  return `${pathname}?${[...params, `${name}=${encoded(value)}`].join('&')}`;
}

function changedBody(body: unknown): unknown {
  if (typeof body !== 'object' || body === null || Buffer.isBuffer(body) || Array.isArray(body)) return pick(HOSTILE);
  const keys = Object.keys(body);
  const key = keys.length === 0 || chance(0.1) ? pick(['id', 'client_id', '__proto__', 'x'.repeat(300)]) : pick(keys);
  const rest = Object.fromEntries(Object.entries(body).filter(([name]) => name !== key));
  return chance(0.2) ? rest : { ...rest, [key]: pick(HOSTILE) };
}

const HEADERS: readonly [string, string][] = [
  ['if-match', '"1"'],
  ['if-match', '"99999999999999999999"'],
  ['if-match', '*'],
  ['idempotency-key', '0b0e7a52-6a53-4d8a-9c0f-3c4f4bd0b9a1'],
  ['idempotency-key', 'no uuid'],
  ['if-none-match', '*'],
  ['x-view-as', 'connection'],
  ['x-view-as', 'nobody'],
  ['x-pending', '99999999999'],
  ['x-pending-detail', 'edit=999999,photo=999999;since=9999-99-99T99'],
  ['x-store', 'new'],
  ['x-time-zone', 'Etc/../GMT+99'],
  ['x-socket-id', '1.2'],
  ['x-socket-id', '../..'],
  ['range', 'bytes=5-1'],
  ['range', 'bytes=0-0,2-3'],
  ['content-type', 'text/plain'],
  ['content-type', 'multipart/form-data'],
  ['content-type', 'multipart/form-data; boundary=a'],
  ['content-type', 'application/json; charset=utf-16'],
  ['content-encoding', 'gzip'],
  ['upload-offset', '-1'],
  ['upload-length', '1e9'],
  ['upload-metadata', 'id'],
  ['cookie', 'XSRF-TOKEN=%E0%A4%A; callboard-device=~.~'],
  ['x-xsrf-token', '%'],
  ['authorization', 'Bearer '],
];
const GARBAGE = ['{', '[]', 'null', '"text"', '{"a":', '\u0000', '--a\r\n\r\n--a--', '{"__proto__":{"a":1}}', '1e999'];

const CHANGES: readonly ((request: Request, route: DescribedRoute, fixture: FullRouteFixture) => Request)[] = [
  (request) => request,
  (request) => request,
  (request) => ({ ...request, body: changedBody(request.body) }),
  (request, route, fixture) =>
    route.body === undefined ? request : { ...request, body: valueFor(schemaOf(route.body), fixture) },
  (request, route, fixture) => {
    const { properties = {} } = route.query === undefined ? {} : schemaOf(route.query);
    const names = [...Object.keys(properties), 'cursor', 'limit'];
    const name = pick(names);
    return {
      ...request,
      path: withQuery(request.path, name, chance(0.5) ? pick(HOSTILE) : valueFor(properties[name] ?? {}, fixture)),
    };
  },
  (request, _, fixture) => {
    const parts = request.path.split('/');
    parts[1 + below(Math.max(1, parts.length - 1))] = chance(0.5) ? encoded(pick(HOSTILE)) : ID(fixture);
    return { ...request, path: parts.join('/') };
  },
  (request) => {
    const [name, value] = pick(HEADERS);
    return { ...request, headers: { ...request.headers, [name]: value } };
  },
  (request) => ({
    ...request,
    body: pick(GARBAGE),
    headers: { 'content-type': pick(['application/json', 'multipart/form-data; boundary=a']), ...request.headers },
  }),
];

/** Serializes a body that the test client would not send as JSON. */
const sendable = (body: unknown): RequestOptions['body'] =>
  body === undefined || typeof body === 'string' || Buffer.isBuffer(body) || body instanceof Uint8Array
    ? body
    : JSON.stringify(body);

async function ask(fixture: FullRouteFixture, route: string, { path, body, headers }: Request, token: string | null) {
  const isJson = body !== undefined && !(typeof body === 'string' || body instanceof Uint8Array);
  return testServer.call(`${route.split(' ', 1)[0]} ${path}`, {
    token,
    body: sendable(body),
    headers: { ...(isJson && { 'content-type': 'application/json' }), ...headers },
  });
}

describe(`${REQUESTS} requests over all calls, valid and not`, () => {
  test(
    'cause no server error',
    async () => {
      const described = new Map(
        testServer.app.describedRoutes.map((route) => [`${route.method} ${route.path}`, route]),
      );
      const calls = Object.entries(ROUTES);
      const succeeded = new Set<string>();
      const failures: unknown[] = [];
      let fixture: FullRouteFixture | undefined;
      for (let n = 0; n < REQUESTS; n += 1) {
        if (fixture === undefined || n % REQUESTS_PER_FIXTURE === 0) fixture = await createFixture(EVERYTHING);
        // The first requests of each fixture call every route with its valid request.
        const isValid = n % REQUESTS_PER_FIXTURE < calls.length;
        const [route, row] = isValid ? calls[n % REQUESTS_PER_FIXTURE]! : pick(calls);
        const own = await forCall(route, fixture);
        const sectionRowId = await addSectionRow(route, own.owner, own.profileId);
        const good = row.good({ ...own, sectionRowId });
        const callers = [
          own.owner,
          own.owner,
          own.owner,
          own.stranger,
          own.friend,
          own.blocked,
          own.minor,
          own.operator,
        ];
        const token = chance(0.1) ? null : pick([...callers, chooseCaller(row, own)]).token;
        const change = isValid ? CHANGES[0]! : pick(CHANGES);
        const request = change(good, described.get(route) ?? NO_ROUTE, own);
        const answer = await ask(own, route, request, token);
        if (answer.status < 400) succeeded.add(route);
        if (answer.status >= 500) failures.push({ n, route, request, status: answer.status, body: answer.text });
      }
      expect(failures).toEqual([]);
      const unmet = calls.flatMap(([route, row]) => (canSucceed(row) && !succeeded.has(route) ? [route] : []));
      // In a small number of requests, some calls have only met callers who may not make them.
      expect(unmet.length, unmet.join(', ')).toBeLessThanOrEqual(isFull ? 0 : calls.length / 3);
    },
    quantity(300_000, 7_200_000),
  );
});

/** Whether the table has anybody to whom the call answers. */
const canSucceed = ({ anonymous, stranger, owner, minor, operator, suspended }: RouteRow) =>
  [anonymous, stranger, owner, minor, operator, suspended].some((status) => status !== undefined && status < 400);

/** Somebody who may make the call. */
function chooseCaller(row: RouteRow, { owner, stranger, minor, operator }: FullRouteFixture): Person {
  const may = (status: number | undefined) => status !== undefined && status < 400;
  if (may(row.owner)) return owner;
  if (may(row.operator)) return operator;
  if (may(row.minor)) return minor;
  // The calls before have suspended them.
  return may(row.suspended) ? stranger : owner;
}

/** For calls without a description: the pages and files of the app. */
const NO_ROUTE: DescribedRoute = {
  method: 'GET',
  path: '/',
  summary: '',
  audience: 'public',
  isGuarded: false,
  responses: {},
};
