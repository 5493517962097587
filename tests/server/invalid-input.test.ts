import { beforeAll, describe, expect, test } from 'vitest';
import { testRejections, type HostileCase } from './support/rejections.ts';
import { addCredit, addProfile, CREDIT } from './support/people.ts';
import { useTestServer } from './support/test-server.ts';

const testServer = useTestServer();
let token = '';
let profileId = '';
let creditId = '';

beforeAll(async () => {
  const person = await testServer.join();
  token = person.token;
  profileId = (await addProfile(testServer, person)).id;
  creditId = (await addCredit(testServer, person, profileId)).id;
});

const json = { 'content-type': 'application/json' };
const deep = (levels: number) => '['.repeat(levels) + ']'.repeat(levels);
const field = (name: string, value: unknown): HostileCase => [
  `${name} = ${JSON.stringify(value)?.slice(0, 40)}`,
  () => ({ route: 'POST /profile/experience', body: { ...CREDIT, profile_id: profileId, [name]: value } }),
  422,
  name,
];
const update = (name: string, value: unknown): HostileCase => [
  `profile ${name} = ${JSON.stringify(value)?.slice(0, 40)}`,
  () => ({ route: 'PUT /profile/update', body: { profile_id: profileId, [name]: value } }),
  422,
  name,
];
const account = (name: string, value: unknown): HostileCase => [
  `account ${name} = ${JSON.stringify(value)?.slice(0, 40)}`,
  () => ({
    route: 'POST /register',
    body: { name: 'A', email: 'hostile@callboard.example', password: 'the ghost light stays on', [name]: value },
  }),
  422,
  name,
];
const raw = (name: string, payload: string | Buffer, status: number, headers: Record<string, string> = json) =>
  [name, () => ({ route: 'POST /skills', body: payload, headers }), status, null] as const;
const at = (name: string, route: string, status: number) => [name, () => ({ route }), status, null] as const;

const CASES: readonly HostileCase[] = [
  field('experience_title', 'a\0b'),
  field('experience_title', 'half \ud800 pair'),
  field('experience_title', '\udc00'),
  field('experience_title', '   '),
  field('experience_title', 'x'.repeat(151)),
  field('experience_title', '🎭'.repeat(151)),
  field('experience_title', 7),
  field('experience_title', null),
  field('experience_title', ['a']),
  field('experience_title', { $ne: null }),
  field('experience_title', true),
  field('experience_type', 'theatre'),
  field('experience_type', ['Theatre']),
  field('experience_type', '__proto__'),
  field('start_month', 0),
  field('start_month', 1.5),
  field('start_month', '1'),
  field('start_month', 1e308),
  field('start_year', 1899),
  field('start_year', 9999),
  field('start_year', -1),
  field('start_year', Number.MAX_SAFE_INTEGER),
  field('end_year', 2023),
  field('link', 'javascript:alert(1)'),
  field('link', 'data:text/html,<script>alert(1)</script>'),
  field('link', 'https://'),
  field('link', 'ftp://example.org/a'),
  field('link', `https://example.org/${'a'.repeat(2001)}`),
  field('link', 'https://exa mple.org'),
  field('link', {}),
  field('client_id', 'not a uuid'),
  field('client_id', 7),
  field('client_id', '00000000-0000-0000-0000-00000000000g'),
  field('profile_id', null),
  field('profile_id', ''),
  field('profile_id', 'x'.repeat(65)),
  field('profile_id', []),
  field('profile_id', 1.5),
  update('stage_name', '\u0000'),
  update('title', 'x'.repeat(151)),
  update('title', 5),
  update('description', 'x'.repeat(501)),
  update('per_day', -1),
  update('per_day', '5'),
  update('per_day', 1e12),
  update('dob', '1994-13-01'),
  update('dob', 'yesterday'),
  update('dob', '0000-00-00'),
  update('dob', 19940817),
  update('min_age_range', -1),
  update('min_age_range', 20.5),
  update('max_age_range', '30'),
  update('status', 'deleted'),
  update('status', true),
  update('profile_industry_id', '999999'),
  account('name', ''),
  account('name', 'x'.repeat(101)),
  account('name', { first: 'A' }),
  account('email', 'no-at-sign'),
  account('email', `${'a'.repeat(250)}@b.example`),
  account('email', 'a\0@b.example'),
  account('email', ['a@b.example']),
  account('password', 1234567890),
  account('password', 'x'.repeat(201)),
  account('password', 'nul in the\0middle'),
  raw('invalid JSON', '{"name":', 400),
  raw('a lone quote', '"', 400),
  raw('bytes that are not UTF-8', Buffer.from([0x22, 0xff, 0xfe, 0x22]), 400),
  raw('a body nested 200 deep', deep(200), 400),
  raw('a body nested 100,000 deep', deep(100_000), 400),
  raw('an object nested deep in a field', `{"name":${deep(5000)}}`, 400),
  raw('a body over a megabyte', JSON.stringify({ name: 'x'.repeat(1_100_000) }), 413),
  raw('plain text', 'name=Mime', 415, { 'content-type': 'text/plain' }),
  raw('a form', 'name=Mime', 415, { 'content-type': 'application/x-www-form-urlencoded' }),
  raw('XML', '<a/>', 415, { 'content-type': 'application/xml' }),
  raw('an invalid content type', 'x', 415, { 'content-type': ';;;' }),
  raw('an array', '[]', 422),
  raw('a number', '7', 422),
  raw('null', 'null', 422),
  raw('a string', '"Mime"', 422),
  raw('a NUL as a field name', '{"\\u0000":1}', 422),
  raw('prototype fields', '{"__proto__":{"name":"Mime"},"constructor":{"prototype":{}}}', 422),
  at('an id with letters', 'GET /profile/details/abc', 404),
  at('a negative id', 'GET /profile/details/-1', 404),
  at('an id of 30 digits', `GET /profile/details/${'9'.repeat(30)}`, 404),
  at('an id of 5,000 digits', `GET /profile/details/${'9'.repeat(5000)}`, 404),
  at('an id with a quote', "GET /profile/details/1'%20or%20'1'='1", 404),
  at('an id with path traversal', 'GET /profile/details/..%2f..%2fetc%2fpasswd', 404),
  at('an id in hexadecimal', 'GET /profile/details/0x1', 404),
  at('an id with an exponent', 'GET /profile/details/1e0', 404),
  at('a section of an invalid profile id', 'GET /profile/experiences/%F0%9F%8E%AD', 404),
  at('a deletion of a row with an id of 19 digits', `DELETE /profile/experience/${'1'.repeat(19)}`, 404),
  at('a session with an invalid id', 'DELETE /sessions/null', 404),
  at('a broken percent sign', 'GET /profile/details/%', 400),
  at('bytes that are not UTF-8 in the path', 'GET /profile/details/%ff', 400),
  at('a NUL in the path', 'GET /profile/details/%00', 404),
  at('a NUL in a slug', 'GET /profiles/by-slug/%00/actor-performer', 404),
  at('an invalid cursor', 'GET /profiles/all?cursor=%7B%7D', 422),
  at('a cursor with other content', `GET /profiles/all?cursor=${Buffer.from('{"id":"x"}').toString('base64url')}`, 422),
  at('two cursors', 'GET /profiles/all?cursor=a&cursor=b', 422),
  at('a NUL in the query', 'GET /profiles/all?cursor=%00', 422),
  at('a limit with letters', 'GET /profiles/all?limit=many', 422),
  at('a negative limit', 'GET /profiles/all?limit=-5', 422),
  at('an invalid sync cursor', 'GET /sync?cursor=%00', 422),
  at('a sync cursor of another server', 'GET /sync?cursor=deadbeef.1.1', 410),
  at('a sync cursor with a huge number', `GET /sync?cursor=a.${'9'.repeat(400)}.1`, 410),
  at('an unknown path', 'GET /..%2f..%2fetc/passwd', 404),
  at('a missing script', 'GET /nope.js', 404),
  at('an unsupported method', 'DELETE /user', 404),
];

test('has at least sixty cases', () => expect(CASES.length).toBeGreaterThanOrEqual(60));

testRejections(testServer, () => token, CASES, [
  'profiles',
  'section_rows',
  'users',
  'idempotency_keys',
  'sync_records',
]);

describe('unusual but valid input', () => {
  test.each([
    ['markup', '<script>alert(1)</script>'],
    ['SQL', "Robert'); drop table users;--"],
    ['150 emoji', '🎭'.repeat(150)],
    ['right to left', 'مسرح \u202e'],
    ['a null byte spelt out', '\\u0000'],
  ])('stores %s unchanged', async (_, title) => {
    const answer = await testServer.call<{ data: object }>(`PUT /profile/experience/${creditId}`, {
      token,
      body: { experience_title: title },
    });
    expect(answer.status).toBe(200);
    expect(answer.body.data).toMatchObject({ experience_title: title.trim() });
  });

  test.each([
    ['Basic abc'],
    ['Bearer'],
    ['Bearer '],
    [`Bearer ${'x'.repeat(5000)}`],
    ['Bearer a.b.c'],
    ["Bearer ' or 1=1 --"],
  ])('does not authenticate %s', async (authorization) => {
    expect((await testServer.call('GET /user', { headers: { authorization } })).status).toBe(401);
  });

  test.each([['-1'], ['1e9'], ['9999999'], ['NaN'], ['']])('ignores X-Pending %j', async (pending) => {
    expect((await testServer.call('GET /user', { token, headers: { 'x-pending': pending } })).status).toBe(200);
    const sessions = await testServer.call<{ pending: number }[]>('GET /sessions', { token });
    expect(sessions.body[0]?.pending).toBe(0);
  });

  test('drops unknown fields', async () => {
    const answer = await testServer.call<{ data: { id: string } }>('POST /skills', {
      token,
      body: { profile_id: profileId, name: 'Mime', level: 1, user_id: '1', version: 99, id: '7', extra: { a: 1 } },
    });
    expect(answer.status).toBe(201);
    expect(answer.body.data).toMatchObject({ version: 1 });
    const { rows } = await testServer.database.pool.query('select body from section_rows where id = $1', [
      answer.body.data.id,
    ]);
    expect(rows[0]).toEqual({ body: { name: 'Mime', level: 1 } });
  });
});
