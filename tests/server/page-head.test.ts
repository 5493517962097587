import { expect, test } from 'vitest';
import { buildApp } from '#server/app.ts';
import { connect } from '#server/platform/db/connect.ts';
import { addProfile, addUpload } from './support/people.ts';
import { quietLog } from './support/quiet.ts';
import { openTestServer, useTestServer, type Person, type TestServer } from './support/test-server.ts';

const SHELL =
  '<!doctype html>\n<html><head>\n<title>Callboard</title>\n    <meta\n      name="description"\n      content="Profiles."\n    />\n<script src="/theme.js"></script></head><body></body></html>';
const appFiles = { 'index.html': SHELL };
const testServer = useTestServer({ appFiles });
let people = 0;

const visit = (url: string, headers: Record<string, string> = {}, on: TestServer = testServer) =>
  on.app.inject({ url, headers: { host: 'board.example:8080', accept: 'text/html', ...headers } });

async function addPerformer(fields: object = {}) {
  people += 1;
  const person = await testServer.join(`Meera Rao ${people}`);
  const { id } = await addProfile(testServer, person);
  const change = (body: object) =>
    testServer.call('PUT /profile/update', { token: person.token, body: { profile_id: id, ...body } });
  await change(fields);
  return { person, id, change, page: `/profile/meera-rao-${people}/actor-performer` };
}
const getMeta = (page: string, key: string) =>
  new RegExp(`(?:name|property)="${key}" content="([^"]*)"`).exec(page)?.[1];

async function setAvatar(person: Person, profileId: string) {
  const body = { profileId, upload_id: await addUpload(testServer, person) };
  return (await testServer.call<{ profile_photo: string }>('POST /profile/avatar', { token: person.token, body })).body;
}

test('describes an active profile in its page to visitors without a token', async () => {
  const { person, id, page } = await addPerformer({
    stage_name: 'Meera Rao',
    title: 'Actor, stage and screen',
    location: 'Pune',
    dob: '1994-08-17',
    per_day: 18_123,
  });
  const { profile_photo } = await setAvatar(person, id);
  const answer = await visit(page);
  expect(answer.statusCode).toBe(200);
  expect(answer.body).toContain('<title>Meera Rao · Actor, stage and screen · Callboard</title>');
  expect(answer.body.match(/<title>/g)).toHaveLength(1);
  expect(answer.body.match(/name="description"/g)).toHaveLength(1);
  expect(getMeta(answer.body, 'og:title')).toBe('Meera Rao · Actor, stage and screen');
  expect(getMeta(answer.body, 'description')).toContain('Pune');
  expect(getMeta(answer.body, 'og:url')).toBe(`http://board.example:8080${page}`);
  expect(answer.body).toContain(`<link rel="canonical" href="http://board.example:8080${page}" />`);
  expect(getMeta(answer.body, 'og:image')).toBe(`http://board.example:8080${profile_photo}`);
  expect(answer.body).toContain(`<link rel="preload" as="image" fetchpriority="high" href="${profile_photo}" />`);
  expect(getMeta(answer.body, 'twitter:image')).toBe(`http://board.example:8080${profile_photo}`);
  expect(answer.body).not.toMatch(/1994|18123|18,123/);
  expect(answer.body).toContain('<script src="/theme.js"></script>');
  expect(answer.headers['content-security-policy']).toContain("script-src 'self'");
  expect(answer.headers['cache-control']).toBe('no-cache');
  expect(answer.headers.vary).toBe('Accept, X-Requested-With, Authorization, Accept-Encoding');
  // Anybody with the URL can load the picture.
  expect((await testServer.app.inject({ url: profile_photo })).statusCode).toBe(200);
});

test('changes its ETag with its content', async () => {
  const { page, change } = await addPerformer();
  const first = await visit(page);
  const etag = String(first.headers.etag);
  expect((await visit(page, { 'if-none-match': etag })).statusCode).toBe(304);
  await change({ title: 'Director' });
  const second = await visit(page, { 'if-none-match': etag });
  expect(second.statusCode).toBe(200);
  expect(second.body).toContain('Director');
  const head = await testServer.app.inject({ method: 'HEAD', url: page, headers: { accept: 'text/html' } });
  expect([head.statusCode, head.body]).toEqual([200, '']);
});

test('serves the plain shell for inactive and unknown profiles and other paths', async () => {
  const { page, change } = await addPerformer({ title: 'Secret agent' });
  expect((await visit(page)).body).toContain('Secret agent');
  await change({ status: 'inactive' });
  for (const address of [
    page,
    '/profile/nobody/actor-performer',
    '/profile/step/1',
    '/profile/%00/actor-performer',
    '/profile/a/b/c',
  ]) {
    const answer = await visit(address);
    expect([answer.statusCode, answer.body], address).toEqual([200, SHELL]);
  }
  await change({ status: 'active' });
  expect((await visit(page)).body).toContain('Secret agent');
});

test('leaves API requests to the same path and the shell itself unchanged', async () => {
  const { page } = await addPerformer();
  expect((await visit(page, { 'x-requested-with': 'XMLHttpRequest', accept: 'application/json' })).statusCode).toBe(
    404,
  );
  expect((await testServer.app.inject({ url: '/index.html' })).body).toBe(SHELL);
});

test.each([
  ['</title><script>alert(1)</script>', '&lt;/title&gt;&lt;script&gt;'],
  ['" onload="x', '&quot; onload=&quot;x'],
  ["$& $1 $` $' &amp;", '$&amp; $1 $` $&#39; &amp;amp;'],
])('escapes %s in a name', async (stage_name, shown) => {
  const { page } = await addPerformer({ stage_name, title: stage_name, description: stage_name, location: stage_name });
  const { body } = await visit(page);
  expect(body).toContain(`<title>${shown}`);
  expect(body.match(/<script/g)).toHaveLength(1);
  expect(body).not.toContain('onload="x');
});

test('shortens a long description to one line', async () => {
  const { page } = await addPerformer({ description: `${'so many words\n'.repeat(35)}` });
  const description = getMeta((await visit(page)).body, 'og:description') ?? '';
  expect([...description].length).toBeLessThanOrEqual(200);
  expect(description).toMatch(/(so|many|words)…$/);
});

test('writes no URLs for an invalid host', async () => {
  const { page } = await addPerformer();
  const { body } = await visit(page, { host: 'evil.example/"><script>' });
  expect(body).toContain('og:title');
  expect(body).not.toContain('evil.example');
});

test('prefers PUBLIC_URL to the host of the request', async () => {
  const other = await openTestServer({ appFiles, env: { PUBLIC_URL: 'https://callboard.example' } });
  try {
    const person = await other.join('Ila Sen');
    await addProfile(other, person);
    const { body } = await visit('/profile/ila-sen/actor-performer', {}, other);
    expect(getMeta(body, 'og:url')).toBe('https://callboard.example/profile/ila-sen/actor-performer');
  } finally {
    await other.close();
  }
});

test('serves the plain shell while the database is unavailable', async () => {
  const { page } = await addPerformer();
  const away = connect({ connectionString: 'postgres://127.0.0.1:1/nowhere' }, quietLog);
  // The pusher settings as they were when the server started.
  const pusher = { ...testServer.app.deps.config.pusher, key: 'key', secret: 'secret' };
  const app = await buildApp({
    ...testServer.app.deps,
    config: { ...testServer.app.deps.config, pusher },
    db: away.db,
  });
  const answer = await app.inject({ url: page, headers: { accept: 'text/html' } });
  expect([answer.statusCode, answer.body]).toEqual([200, SHELL]);
  await app.close();
  await away.close();
});
