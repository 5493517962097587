import { brotliCompressSync } from 'node:zlib';
import { describe, expect, test } from 'vitest';
import { addProfile } from './support/people.ts';
import { useStage } from './support/stage.ts';

const SHELL = '<!doctype html><title>Callboard</title>';
const SCRIPT = 'console.log("act one")';
const stage = useStage({
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

/** As a browser asks: no X-Requested-With. */
const browse = (url: string, headers: Record<string, string> = {}) =>
  stage.app.inject({ url, headers: { accept: 'text/html,application/xhtml+xml,*/*;q=0.8', ...headers } });
const load = (url: string, headers: Record<string, string> = {}) =>
  stage.app.inject({ url, headers: { accept: '*/*', ...headers } });

describe('a page visit', () => {
  test.each([
    '/',
    '/login',
    '/profile/step/1',
    '/profile/meera-rao/actor-performer',
    '/media',
    '/no/such/page',
    '/user',
  ])('%s gets the shell', async (url) => {
    const answer = await browse(url);
    expect([answer.statusCode, answer.body]).toEqual([200, SHELL]);
    expect(answer.headers['content-type']).toBe('text/html; charset=utf-8');
    expect(answer.headers['cache-control']).toBe('no-cache');
    expect(answer.headers.vary).toBe('Accept, X-Requested-With, Authorization, Accept-Encoding');
    expect(answer.headers['content-security-policy']).toContain("script-src 'self'");
  });

  test('of a path that is also a call is told from the call', async () => {
    const person = await stage.join();
    const { id } = await addProfile(stage, person);
    expect((await browse(`/profile/details/${id}`)).body).toBe(SHELL);
    expect((await stage.call(`GET /profile/details/${id}`)).body.id).toBe(id);
    const withoutMark = await stage.app.inject({
      url: `/profile/details/${id}`,
      headers: { accept: 'application/json' },
    });
    expect(withoutMark.json<{ id: string }>().id).toBe(id);
  });

  test.each(['/nope.js', '/assets/gone-1a2b3c4d.css', '/favicon.ico'])(
    '%s, a file that is none, is 404 and no page',
    async (url) => {
      const answer = await browse(url);
      expect(answer.statusCode).toBe(404);
      expect(answer.body).not.toContain('<');
    },
  );

  test('the description of the API and the state of health answer for themselves', async () => {
    expect((await browse('/healthz')).json()).toEqual({ message: 'Ready' });
    expect((await browse('/openapi.json')).json()).toHaveProperty('paths');
  });
});

describe('a file of the app', () => {
  test('that is named by its digest alone is kept for good, too', async () => {
    const { headers } = await load('/assets/C9wQ_4-k.js');
    expect(headers['cache-control']).toBe('public, max-age=31536000, immutable');
  });

  test('whose name holds its digest is kept for good, compressed for who takes it', async () => {
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
  ])('%s is asked for again each time, and 304 for who has it', async (url, type) => {
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
  ])('%s is not served', async (url) => {
    expect((await load(url)).statusCode).toBe(404);
  });

  test('answers HEAD without a body and nothing to POST', async () => {
    const head = await stage.app.inject({ method: 'HEAD', url: '/sw.js' });
    expect([head.statusCode, head.body, head.headers['content-length']]).toEqual([200, '', '4']);
    expect((await stage.app.inject({ method: 'POST', url: '/sw.js' })).statusCode).toBe(404);
  });
});
