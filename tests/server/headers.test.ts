import { connect } from 'node:net';
import { text } from 'node:stream/consumers';
import { pino } from 'pino';
import { describe, expect, test } from 'vitest';
import { openTestServer, useTestServer } from './support/test-server.ts';

const ICON = '<svg xmlns="http://www.w3.org/2000/svg"/>';
const behindProxy = useTestServer({
  env: { TRUST_PROXY: '1', ALLOWED_ORIGINS: 'https://app.callboard.example' },
  appFiles: { 'index.html': '<!doctype html><title>Callboard</title>', 'assets/icon.svg': ICON },
});
const TLS = { 'x-forwarded-proto': 'https' };
/** Of every kind: a page, a file of the app, answers of the API, and refusals by each part of the server. */
const REQUESTS = [
  ['a page', 'GET /login', { accept: 'text/html' }],
  ['a file of the app', 'GET /assets/icon.svg', {}],
  ['a call', 'GET /config', {}],
  ['a refused call', 'GET /user', {}],
  ['an unknown path', 'GET /no/such/path', {}],
  ['an invalid body', 'POST /login', {}],
  ['a preflight', 'OPTIONS /user', { origin: 'https://app.callboard.example', 'access-control-request-method': 'PUT' }],
  ['an address that cannot be read', 'GET /profile/details/%ff', {}],
  ['an address that is too long', `GET /profile/details/${'9'.repeat(5000)}`, {}],
] as const;

describe.each(REQUESTS)('the answer to %s', (_, request, headers) => {
  const ask = (more: Record<string, string> = {}) => {
    const [method, url] = request.split(' ') as ['GET', string];
    return behindProxy.app.inject({ method, url, headers: { ...headers, ...more } });
  };

  test('keeps browsers from plain HTTP for a year, on all subdomains, if it went over TLS', async () => {
    expect((await ask(TLS)).headers['strict-transport-security']).toBe('max-age=31536000; includeSubDomains');
    expect((await ask()).headers['strict-transport-security']).toBeUndefined();
  });

  test('cannot be framed, sniffed or moved to another base, and tells other sites no paths', async () => {
    const answer = await ask();
    const policy = String(answer.headers['content-security-policy']).split('; ');
    expect(policy).toEqual(expect.arrayContaining(["frame-ancestors 'none'", "object-src 'none'", "base-uri 'none'"]));
    expect(answer.headers['x-content-type-options']).toBe('nosniff');
    expect(answer.headers['referrer-policy']).toMatch(/^(no-referrer|strict-origin-when-cross-origin)$/);
  });
});

describe('the content type', () => {
  test.each([
    ['/login', 'text/html; charset=utf-8', 'text/html'],
    ['/assets/icon.svg', 'image/svg+xml; charset=utf-8', '*/*'],
    ['/config', 'application/json; charset=utf-8', 'application/json'],
    ['/no/such/path', 'application/json; charset=utf-8', 'application/json'],
    ['/profile/details/%ff', 'application/json; charset=utf-8', 'application/json'],
  ])('of %s names the character set', async (url, type, accept) => {
    expect((await behindProxy.app.inject({ url, headers: { accept } })).headers['content-type']).toBe(type);
  });
});

test('no cache that people share keeps an answer of the API', async () => {
  const { token } = await behindProxy.join();
  for (const call of ['GET /user', 'GET /config', 'GET /sync', 'GET /search?q=a', 'GET /profile/details/1']) {
    const { headers } = await behindProxy.call(call, { token });
    expect([call, headers['cache-control']]).toEqual([call, expect.stringMatching(/^private, no-(cache|store)$/)]);
  }
});

describe('cookies', () => {
  test('are sent over TLS only, and the one of the device belongs to this host and no script', async () => {
    const { email, password } = await behindProxy.join();
    const { headers } = await behindProxy.call('POST /login', { body: { email, password }, headers: TLS });
    const cookies = [headers['set-cookie']].flat() as string[];
    expect(cookies.map((cookie) => cookie.split('=', 1)[0]).sort()).toEqual(['XSRF-TOKEN', '__Host-callboard-device']);
    for (const cookie of cookies) expect(cookie).toMatch(/; SameSite=Lax; Secure$/);
    const device = cookies.find((cookie) => cookie.startsWith('__Host-'))!;
    expect(device).toContain('; Path=/;');
    expect(device).toContain('; HttpOnly;');
    expect(device).not.toContain('Domain');
  });

  test('sign nobody in', async () => {
    const { email, password } = await behindProxy.join();
    const { headers } = await behindProxy.call('POST /login', { body: { email, password } });
    const cookie = ([headers['set-cookie']].flat() as string[]).map((each) => each.split(';', 1)[0]).join('; ');
    expect((await behindProxy.call('GET /user', { headers: { cookie } })).status).toBe(401);
  });
});

test('a method that the API does not have is answered 404, and a request is never sent back', async () => {
  for (const method of ['TRACE', 'CONNECT', 'PROPFIND'] as const) {
    const answer = await behindProxy.app.inject({
      method: method as 'GET',
      url: '/config',
      headers: { authorization: 'Bearer a-token-of-somebody-else' },
    });
    expect([method, answer.statusCode]).toEqual([method, 404]);
    expect(answer.body).not.toContain('a-token-of-somebody-else');
  }
});

test.each(['/assets', '/assets/', '/storage', '/storage/'])('lists no folder at %s', async (url) => {
  const answer = await behindProxy.app.inject({ url, headers: { accept: '*/*' } });
  expect(answer.statusCode).toBe(404);
  expect(answer.body).not.toContain('icon.svg');
});

test('a parameter of one value that is sent twice is refused, not chosen from', async () => {
  for (const [path, field] of [
    ['/search?limit=1&limit=2', 'limit'],
    ['/search?level=1&level=2', 'level'],
    ['/search?cursor=a&cursor=b', 'cursor'],
  ]) {
    const { status, body } = await behindProxy.call(`GET ${path}`);
    expect([path, status, Object.keys(body.errors ?? {})]).toEqual([path, 422, [field]]);
  }
});

describe('a server without a proxy', () => {
  test('takes neither address nor protocol nor host of a client from its headers', async () => {
    const lines: string[] = [];
    const log = pino({ level: 'info', base: undefined }, { write: (line) => lines.push(line) });
    const exposed = await openTestServer({
      log,
      appFiles: { 'index.html': '<!doctype html><title>Callboard</title>' },
    });
    const headers = { ...TLS, 'x-forwarded-for': '203.0.113.9', 'x-real-ip': '203.0.113.9' };
    const answers = [
      await exposed.app.inject({ url: '/config', headers }),
      await exposed.app.inject({ url: '/profile/details/%ff', headers }),
    ];
    await exposed.close();
    for (const answer of answers) expect(answer.headers['strict-transport-security']).toBeUndefined();
    const logged = lines.map((line) => JSON.parse(line) as { ip?: string; msg: string });
    expect(logged.filter(({ msg }) => msg === 'answered').map(({ ip }) => ip)).toEqual(['127.0.0.1', '127.0.0.1']);
  });

  test('refuses a request whose length is given in two ways', async () => {
    const exposed = await openTestServer();
    await exposed.app.listen({ port: 0, host: '127.0.0.1' });
    const { port } = exposed.app.server.address() as { port: number };
    const socket = connect(port, '127.0.0.1');
    socket.write(
      [
        'POST /login HTTP/1.1',
        'Host: callboard.example',
        'Content-Type: application/json',
        'Content-Length: 6',
        'Transfer-Encoding: chunked',
        '',
        '0',
        '',
        'GET /config HTTP/1.1',
        'Host: callboard.example',
        '',
        '',
      ].join('\r\n'),
    );
    const answer = await text(socket);
    await exposed.close();
    expect(answer).toMatch(/^HTTP\/1\.1 400 /);
    expect(answer.match(/HTTP\/1\.1 \d/g)).toHaveLength(1);
  });
});
