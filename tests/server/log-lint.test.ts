import { pino } from 'pino';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { jobHandlers } from '#server/jobs.ts';
import { runDueJobs } from '#server/platform/jobs/worker.ts';
import { quantity } from '../support/quantity.ts';
import { createPrng } from '../sync/simulation/prng.ts';
import type { Request } from './route-row.ts';
import { ROUTES } from './routes.table.ts';
import { EVERYTHING, createFixtureFactory, type FullRouteFixture } from './support/route-fixtures.ts';
import { openTestServer, TEST_HOME, type RequestOptions, type TestServer } from './support/test-server.ts';

const SEED = 20_261_125;
const REQUESTS = quantity(300, 10_000);
const REQUESTS_PER_FIXTURE = 400;
/** Nothing of the server contains this text. */
const MARK = 'zq7mark';
const { int: below, pick, chance } = createPrng(SEED);

const lines: string[] = [];
let testServer: TestServer;
beforeAll(async () => {
  const log = pino({ level: 'debug', base: undefined }, { write: (line) => lines.push(line) });
  // Behind a proxy, the address of a client is what a header says.
  testServer = await openTestServer({ log, env: { TRUST_PROXY: '1' } });
});
afterAll(() => testServer.close());

const HEADERS = [
  'accept',
  'accept-language',
  'authorization',
  'content-type',
  'cookie',
  'if-match',
  'if-none-match',
  'host',
  'idempotency-key',
  'last-event-id',
  'origin',
  'range',
  'referer',
  'upload-length',
  'upload-metadata',
  'upload-offset',
  'user-agent',
  'x-forwarded-for',
  'x-forwarded-host',
  'x-forwarded-proto',
  'x-pending',
  'x-pending-detail',
  'x-store',
  'x-time-zone',
  'x-requested-with',
  'x-socket-id',
  'x-view-as',
  'x-xsrf-token',
  `x-${MARK}`,
];
const HEADER_VALUES = [
  MARK,
  `${MARK}, ${MARK}`,
  `Bearer ${MARK}${MARK}${MARK}${MARK}`,
  `"${MARK}"`,
  `id ${MARK}=${MARK}`,
  `https://${MARK}.example`,
];

/** Puts the mark into every text, or into some of them so that the rest remains valid. */
function markTexts(value: unknown, share: number): unknown {
  if (typeof value === 'string')
    return chance(share) ? pick([MARK, `${value}${MARK}`, `${MARK}@callboard.example`]) : value;
  if (Array.isArray(value)) return value.map((each) => markTexts(each, share));
  if (typeof value !== 'object' || value === null) return value;
  const marked = Object.entries(value).map(([key, inner]) => [key, markTexts(inner, share)]);
  return Object.fromEntries(chance(0.2) ? [...marked, [MARK, MARK]] : marked);
}

function markBody(body: unknown): unknown {
  if (body === undefined) return { [MARK]: MARK };
  if (typeof body === 'string') return chance(0.5) ? body + MARK : MARK;
  if (!(body instanceof Uint8Array)) return markTexts(body, pick([1, 0.3]));
  // A form: into its names, or into the file.
  const text = Buffer.from(body).toString('latin1');
  const marked = chance(0.5) ? text.replace(/name="/g, `name="${MARK}`) : text.replace(/\r\n\r\n/, `\r\n\r\n${MARK}`);
  return Buffer.from(marked, 'latin1');
}

function markPath(path: string): string {
  const [pathname = '', query = ''] = path.split('?');
  const parts = pathname.split('/');
  if (chance(0.5))
    parts[1 + below(Math.max(1, parts.length - 1))] = pick([MARK, `${MARK}%20${MARK}`, `%zz${MARK}`, `${MARK}.jpg`]);
  const values = [query, `cursor=${MARK}`, `q=${MARK}`, `${MARK}=${MARK}`].filter((part) => part !== '');
  return `${parts.join('/')}?${values.slice(0, 1 + below(values.length)).join('&')}`;
}

/** Puts the mark into a part of the request; the other parts stay valid, so that the request gets far. */
function markRequest(request: Request): Request {
  const kind = below(4);
  if (kind === 0) return { ...request, body: markBody(request.body) };
  if (kind === 1) return { ...request, path: markPath(request.path) };
  const names = kind === 2 ? [pick(HEADERS)] : HEADERS.filter((name) => name !== 'authorization' && chance(0.5));
  const headers = Object.fromEntries(names.map((name) => [name, pick(HEADER_VALUES)]));
  return { ...request, headers: { ...request.headers, ...headers } };
}

const toBody = (body: unknown): RequestOptions['body'] =>
  body === undefined || typeof body === 'string' || body instanceof Uint8Array ? body : JSON.stringify(body);

async function send(route: string, { path, body, headers }: Request, token: string | null): Promise<number> {
  const isJson = body !== undefined && !(body instanceof Uint8Array);
  const answer = await testServer.call(`${route.split(' ', 1)[0]} ${path}`, {
    token,
    body: toBody(body),
    headers: { ...(isJson && { 'content-type': 'application/json' }), ...headers },
  });
  return answer.status;
}

async function sendMarked(count: number): Promise<Map<number, number>> {
  const { addSectionRow, createFixture, forCall } = createFixtureFactory(testServer);
  const calls = Object.entries(ROUTES);
  const statuses = new Map<number, number>();
  let fixture: FullRouteFixture | undefined;
  for (let n = 0; n < count; n += 1) {
    if (fixture === undefined || n % REQUESTS_PER_FIXTURE === 0) fixture = await createFixture(EVERYTHING);
    const [route, row] = n < calls.length ? calls[n]! : pick(calls);
    const own = await forCall(route, fixture);
    const sectionRowId = await addSectionRow(route, own.owner, own.profileId);
    const token = chance(0.1) ? null : pick([own.owner, own.owner, own.stranger, own.friend]).token;
    const status = await send(route, markRequest(row.good({ ...own, sectionRowId })), token);
    statuses.set(status, (statuses.get(status) ?? 0) + 1);
  }
  return statuses;
}

/** Everything that was logged must be free of what people send, their addresses and the tokens that were given out. */
function expectNoSecrets(): void {
  const leaks = lines.filter((line) => line.toLowerCase().includes(MARK) || line.includes('@callboard.example'));
  expect(leaks.slice(0, 5)).toEqual([]);
}

test(
  `${REQUESTS} requests with marked texts in every field, header and path leave no mark in a log line or a metric`,
  async () => {
    const statuses = await sendMarked(REQUESTS);
    expect([...statuses.keys()].filter((status) => status >= 500)).toEqual([]);
    expect(statuses.get(200) ?? 0).toBeGreaterThan(REQUESTS / 20);
    expect(lines.length).toBeGreaterThan(REQUESTS);
    expectNoSecrets();
    expect((await testServer.app.deps.metrics.registry.metrics()).toLowerCase()).not.toContain(MARK);
  },
  quantity(300_000, 3_600_000),
);

test('failures of the database, the store and the mail server are logged without what people sent', async () => {
  lines.length = 0;
  const person = await testServer.join();
  const { token } = person;
  const { pool } = testServer.database;
  const profile = await testServer.call<{ data: { id: string } }>('POST /profile', {
    token,
    body: { profile_type_id: '1', stage_name: MARK },
  });
  // PostgreSQL repeats the whole row in the detail of such an error.
  for (const table of ['users', 'profiles', 'section_rows', 'reports', 'profile_search', 'live_notes']) {
    await pool.query(`alter table ${table} add constraint ${table}_broken check (false) not valid`);
  }
  vi.spyOn(testServer.app.deps.storage, 'write').mockRejectedValue(new Error(`EIO: ${MARK}`));
  const password = `${MARK} stays on and on`;
  const bodies: [string, unknown][] = [
    ['POST /register', { name: MARK, email: `${MARK}@callboard.example`, password }],
    ['PUT /profile/update', { profile_id: profile.body.data.id, stage_name: `${MARK} ${MARK}` }],
    ['POST /skills', { profile_id: profile.body.data.id, name: MARK, level: 2 }],
  ];
  for (const [call, body] of bodies) expect((await testServer.call(call, { token, body })).status).toBe(500);
  await testServer.call('POST /password/forgot', { body: { email: person.email } });
  const failing = { send: ({ to }: { to: string }) => Promise.reject(new Error(`${to} ${MARK}`)), close: () => {} };
  const handlers = jobHandlers(testServer.app.deps, { mailer: failing, home: TEST_HOME });
  await runDueJobs(pool, { handlers, log: testServer.app.log });
  const levels = lines.map((line) => (JSON.parse(line) as { level: number }).level);
  expect(levels.filter((level) => level === 50).length).toBeGreaterThanOrEqual(bodies.length);
  expect(levels).toContain(40);
  expectNoSecrets();
});

test('failures beside a request are logged without the values of its queries', async () => {
  const other = await openTestServer({
    log: testServer.app.log as NonNullable<Parameters<typeof openTestServer>[0]>['log'],
    appFiles: { 'index.html': '<title>Callboard</title><main>the app' },
  });
  try {
    lines.length = 0;
    const { pool } = other.database;
    const { token } = await other.join();
    const body = { profile_type_id: '1', stage_name: MARK };
    await pool.query('alter table profile_search add constraint profile_search_broken check (false) not valid');
    expect((await other.call('POST /profile', { token, body })).status).toBe(201);
    // The search index is brought up to date after the answer.
    await expect.poll(() => lines.some((line) => line.includes('the search index waits'))).toBe(true);
    await pool.query('alter table profiles rename to profiles_away');
    const headers = { accept: 'text/html' };
    const page = await other.app.inject({ url: `/profile/${MARK}/actor-performer`, headers });
    expect(page.statusCode).toBe(200);
    expect(lines.join('')).toContain('a page is sent without its own title and description');
    expectNoSecrets();
  } finally {
    await other.close();
  }
});
