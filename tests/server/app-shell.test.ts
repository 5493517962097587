import { brotliCompressSync } from 'node:zlib';
import { describe, expect, test } from 'vitest';
import { addProfile } from './support/people.ts';
import { useTestServer } from './support/test-server.ts';

const SHELL = '<!doctype html><title>Callboard</title>';
const SCRIPT = 'console.log("act one")';
const testServer = useTestServer({
  appFiles: {
    'index.html': SHELL,
    'sw.js': 'self',
    'manifest.webmanifest': '{}',
    'assets/main-B7xK2p9Q.js': SCRIPT,
    'assets/C9wQ_4-k.js': SCRIPT,
    'assets/main-B7xK2p9Q.js.br': brotliCompressSync(SCRIPT),
    '.env': 'SECRET=1',
  },
});

/** Sends the headers of a page visit: no X-Requested-With. */
const browse = (url: string, headers: Record<string, string> = {}) =>
  testServer.app.inject({ url, headers: { accept: 'text/html,application/xhtml+xml,*/*;q=0.8', ...headers } });
const load = (url: string, headers: Record<string, string> = {}) =>
  testServer.app.inject({ url, headers: { accept: '*/*', ...headers } });

describe('a page visit', () => {
  test.each([
    '/',
    '/login',
    '/profile/step/1',
    '/profile/meera-rao/actor-performer',
    '/media',
    '/no/such/page',
    '/user',
  ])('serves the shell at %s', async (url) => {
    const answer = await browse(url);
    expect([answer.statusCode, answer.body]).toEqual([200, SHELL]);
    expect(answer.headers['content-type']).toBe('text/html; charset=utf-8');
    expect(answer.headers['cache-control']).toBe('no-cache');
    expect(answer.headers.vary).toBe('Accept, X-Requested-With, Authorization, Accept-Encoding');
    expect(answer.headers['content-security-policy']).toContain("script-src 'self'");
  });

  test('serves the page or the API response of a shared path, by its headers', async () => {
    const person = await testServer.join();
    const { id } = await addProfile(testServer, person);
    expect((await browse(`/profile/details/${id}`)).body).toBe(SHELL);
    expect((await testServer.call(`GET /profile/details/${id}`)).body.id).toBe(id);
    const withoutMark = await testServer.app.inject({
      url: `/profile/details/${id}`,
      headers: { accept: 'application/json' },
    });
    expect(withoutMark.json<{ id: string }>().id).toBe(id);
  });

  test.each(['/nope.js', '/assets/gone-1a2b3c4d.css', '/favicon.ico'])(
    'answers 404 without a page for the missing file %s',
    async (url) => {
      const answer = await browse(url);
      expect(answer.statusCode).toBe(404);
      expect(answer.body).not.toContain('<');
    },
  );

  test('answers the API description and the health check instead of the shell', async () => {
    expect((await browse('/healthz')).json()).toMatchObject({ message: 'Ready' });
    expect((await browse('/openapi.json')).json()).toHaveProperty('paths');
  });
});

describe('app file', () => {
  test('caches a file named by its hash alone as immutable', async () => {
    const { headers } = await load('/assets/C9wQ_4-k.js');
    expect(headers['cache-control']).toBe('public, max-age=31536000, immutable');
  });

  test('caches a file with a hash in its name as immutable and serves it compressed', async () => {
    const plain = await load('/assets/main-B7xK2p9Q.js');
    expect([plain.statusCode, plain.body]).toEqual([200, SCRIPT]);
    expect(plain.headers['cache-control']).toBe('public, max-age=31536000, immutable');
    expect(plain.headers['content-type']).toBe('text/javascript; charset=utf-8');
    expect(plain.headers.vary).toBe('Accept-Encoding');
    const small = await load('/assets/main-B7xK2p9Q.js', { 'accept-encoding': 'gzip, deflate, br' });
    expect(small.headers['content-encoding']).toBe('br');
    expect(small.rawPayload).toEqual(brotliCompressSync(SCRIPT));
    expect(small.headers.etag).not.toBe(plain.headers.etag);
  });

  test.each([
    ['/sw.js', 'text/javascript; charset=utf-8'],
    ['/index.html', 'text/html; charset=utf-8'],
    ['/manifest.webmanifest', 'application/manifest+json'],
  ])('revalidates %s on each request and answers 304 to a matching ETag', async (url, type) => {
    const answer = await load(url);
    expect(answer.statusCode).toBe(200);
    expect(answer.headers['cache-control']).toBe('no-cache');
    expect(answer.headers['content-type']).toBe(type);
    expect((await load(url, { 'if-none-match': String(answer.headers.etag) })).statusCode).toBe(304);
  });

  test.each([
    '/.env',
    '/assets',
    '/assets/',
    '/../package.json',
    '/%2e%2e/package.json',
    '/assets/main-B7xK2p9Q.js.br',
  ])('does not serve %s', async (url) => {
    expect((await load(url)).statusCode).toBe(404);
  });

  test('answers HEAD without a body and rejects POST', async () => {
    const head = await testServer.app.inject({ method: 'HEAD', url: '/sw.js' });
    expect([head.statusCode, head.body, head.headers['content-length']]).toEqual([200, '', '4']);
    expect((await testServer.app.inject({ method: 'POST', url: '/sw.js' })).statusCode).toBe(404);
  });
});
