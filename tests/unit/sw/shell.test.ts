import { createHash } from 'node:crypto';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { createShell } from '../../../src/sw/shell.ts';
import { cacheStorage } from '../support/cache-storage.ts';
import { DIGEST_LENGTH } from '../../../src/sw/digest-length.ts';

const origin = 'https://callboard.example';
const build: Record<string, string> = {
  '/index.html': '<!doctype html><div id="app"></div>',
  '/theme.js': 'document',
  '/assets/main-1a2b3c4d.js': 'console.log("act one")',
  '/assets/main-1a2b3c4d.css': 'body { margin: 0 }',
};
const PORTAL = '<html>Sign in to the hotel Wi-Fi</html>';
const digestOf = (text: string) => createHash('sha256').update(text).digest('base64').slice(0, DIGEST_LENGTH);
const files = (of = build) =>
  Object.entries(of).map(([path, text]) => ({ url: path.slice(1), revision: digestOf(text) }));

const network = vi.fn<(url: string | Request, init?: RequestInit) => Promise<Response>>();
const html = (text: string) => new Response(text, { headers: { 'Content-Type': 'text/html' } });
const pathOf = (url: string | Request) => new URL(typeof url === 'string' ? url : url.url).pathname;

const online = () =>
  network.mockImplementation((url) => {
    const text = build[pathOf(url)];
    return Promise.resolve(text === undefined ? new Response('no', { status: 404 }) : new Response(text));
  });
/** Answers 200 with a page to anything that matches, as the sign-in page of a hotel does. */
const behindPortal = (caught = /./) =>
  network.mockImplementation((url) => {
    const path = pathOf(url);
    return Promise.resolve(caught.test(path) ? html(PORTAL) : new Response(build[path]));
  });
const offline = () => network.mockRejectedValue(new TypeError('Failed to fetch'));

const open = (of = build) => createShell(files(of), origin);

async function load(shell: ReturnType<typeof open>, path: string, mode = 'no-cors') {
  const behind: Promise<unknown>[] = [];
  // Only a browser makes requests of mode navigate.
  const request = Object.defineProperty(new Request(`${origin}${path}`), 'mode', { value: mode });
  const answer = await shell.answer(request, (work) => behind.push(work));
  const body = await answer?.text();
  await Promise.all(behind);
  return answer && { status: answer.status, type: answer.headers.get('Content-Type'), body };
}
const visit = (shell: ReturnType<typeof open>, path: string) => load(shell, path, 'navigate');

const storedKeys = async () => (await (await caches.open('precache')).keys()).map(({ url }) => pathOf(url)).sort();

/** Puts a portal's page over every stored file, as a worker that checks nothing would have. */
async function poison() {
  const cache = await caches.open('precache');
  for (const key of await cache.keys()) await cache.put(key, html(PORTAL));
}

beforeEach(() => {
  network.mockReset();
  vi.stubGlobal('caches', cacheStorage());
  vi.stubGlobal('fetch', network);
  online();
});
afterEach(() => vi.unstubAllGlobals());

describe('files that are stored when they are first used', () => {
  const later = {
    '/assets/later-cv-worker-1a2b3c4d.js': 'make a PDF',
    '/assets/later-cv-latin-5e6f7a8b.ttf': 'letters',
  };
  const next = {
    '/assets/later-cv-worker-99999999.js': 'make a better PDF',
    '/assets/later-cv-latin-5e6f7a8b.ttf': 'letters',
  };
  const serve = (of: Record<string, string>) =>
    network.mockImplementation((url) => Promise.resolve(new Response({ ...build, ...of }[pathOf(url)] ?? 'no')));
  const isLater = (path: string) => path.includes('/later-');

  it('are not fetched by the installation or by a check', async () => {
    serve(later);
    const shell = open({ ...build, ...later });
    await shell.install();
    expect(await shell.check()).toEqual({ repaired: 0, missing: 0 });
    expect(await shell.check(true)).toEqual({ repaired: 0, missing: 0 });
    expect((await storedKeys()).filter(isLater)).toEqual([]);
  });

  it('are stored with all that belong to them once one of them was used, and work offline', async () => {
    serve(later);
    const shell = open({ ...build, ...later });
    await shell.install();
    await load(shell, '/assets/later-cv-worker-1a2b3c4d.js');
    await shell.checkAgain();
    offline();
    const font = await load(open({ ...build, ...later }), '/assets/later-cv-latin-5e6f7a8b.ttf');
    expect(font).toEqual({ status: 200, type: 'font/ttf', body: 'letters' });
  });

  it('come with the next version of the app if they were used in this one', async () => {
    serve(later);
    const before = open({ ...build, ...later });
    await before.install();
    for (const path of Object.keys(later)) await load(before, path);
    serve(next);
    const after = open({ ...build, ...next });
    await after.install();
    await after.removeOutdated();
    expect((await storedKeys()).filter(isLater)).toEqual(Object.keys(next).sort());
    offline();
    expect((await load(open({ ...build, ...next }), '/assets/later-cv-worker-99999999.js'))?.body).toBe(
      'make a better PDF',
    );
  });

  it('are not taken from a captive portal', async () => {
    serve(later);
    const shell = open({ ...build, ...later });
    await shell.install();
    behindPortal(/later/);
    await expect(load(shell, '/assets/later-cv-worker-1a2b3c4d.js')).rejects.toThrow('does not match the build');
    expect((await storedKeys()).filter(isLater)).toEqual([]);
  });
});

describe('the installation', () => {
  it('stores every file of the build, and opens any page without a server afterwards', async () => {
    await open().install();
    offline();
    expect(await visit(open(), '/profile/meera-rao')).toEqual({
      status: 200,
      type: 'text/html; charset=utf-8',
      body: build['/index.html'],
    });
    expect((await load(open(), '/assets/main-1a2b3c4d.js'))?.body).toBe(build['/assets/main-1a2b3c4d.js']);
  });

  it.each([
    ['a page with status 200', () => html(PORTAL)],
    ['a page that claims to be code', () => new Response(PORTAL, { headers: { 'Content-Type': 'text/javascript' } })],
    ['code that was cut short', () => new Response('console.log("act')],
    ['an error', () => new Response('console.log("act one")', { status: 502 })],
  ])('refuses %s in place of code', async (_, answer) => {
    network.mockImplementation((url) =>
      Promise.resolve(pathOf(url).endsWith('4d.js') ? answer() : new Response(build[pathOf(url)])),
    );
    await expect(open().install()).rejects.toThrow('main-1a2b3c4d.js does not match the build');
    expect(await storedKeys()).not.toContain('/assets/main-1a2b3c4d.js');
  });

  it('asks a second time for a file that did not come', async () => {
    network.mockRejectedValueOnce(new TypeError('Failed to fetch'));
    await open().install();
    expect(await storedKeys()).toHaveLength(4);
  });

  it('follows no redirect and asks past the cache of the browser', async () => {
    await open().install();
    expect(network).toHaveBeenCalledTimes(4);
    for (const [, init] of network.mock.calls) expect(init).toEqual({ redirect: 'error', cache: 'no-cache' });
  });

  it('goes on where the try before it stopped', async () => {
    behindPortal(/css$/);
    await expect(open().install()).rejects.toThrow();
    online();
    network.mockClear();
    await open().install();
    expect(network.mock.calls.map(([url]) => pathOf(url))).toEqual(['/assets/main-1a2b3c4d.css']);
  });

  it('accepts the right bytes under the wrong type, as a proxy may send them, and serves them under the right one', async () => {
    network.mockImplementation((url) => Promise.resolve(html(build[pathOf(url)] ?? '')));
    await open().install();
    expect((await load(open(), '/assets/main-1a2b3c4d.js'))?.type).toBe('text/javascript; charset=utf-8');
  });

  it('keeps the security policy of the page', async () => {
    network.mockImplementation((url) =>
      Promise.resolve(
        new Response(build[pathOf(url)], { headers: { 'Content-Security-Policy': "script-src 'self'" } }),
      ),
    );
    const shell = open();
    await shell.install();
    const request = Object.defineProperty(new Request(`${origin}/`), 'mode', { value: 'navigate' });
    const answer = await shell.answer(request, () => undefined);
    expect(answer?.headers.get('Content-Security-Policy')).toBe("script-src 'self'");
  });

  it('leaves large files that few need for their first use, and keeps them from then on', async () => {
    const path = '/assets/later-take-finisher-1a2b3c4d.js';
    const larger: Record<string, string> = { ...build, [path]: 'postMessage("act one")' };
    network.mockImplementation((url) => Promise.resolve(new Response(larger[pathOf(url)])));
    await open(larger).install();
    expect(await open(larger).check()).toEqual({ repaired: 0, missing: 0 });
    expect(await storedKeys()).not.toContain(path);
    expect((await load(open(larger), path))?.body).toBe(larger[path]);
    offline();
    expect((await load(open(larger), path))?.body).toBe(larger[path]);
  });

  it('stores the next version beside this one until it takes over', async () => {
    await open().install();
    const next: Record<string, string> = { ...build, '/theme.js': 'document.body' };
    network.mockImplementation((url) => Promise.resolve(new Response(next[pathOf(url)])));
    await open(next).install();
    expect((await load(open(), '/theme.js'))?.body).toBe('document');
    await open(next).removeOutdated();
    expect((await load(open(next), '/theme.js'))?.body).toBe('document.body');
    expect(await storedKeys()).toHaveLength(4);
  });
});

describe('a poisoned or incomplete cache', () => {
  it('is never served, and heals with what the page asks for', async () => {
    const shell = open();
    await shell.install();
    await poison();
    expect((await load(shell, '/assets/main-1a2b3c4d.js'))?.body).toBe('console.log("act one")');
    offline();
    expect((await load(shell, '/assets/main-1a2b3c4d.js'))?.body).toBe('console.log("act one")');
    await expect(load(shell, '/theme.js')).rejects.toThrow('Failed to fetch');
  });

  it.each([
    ['poisoned', poison],
    ['emptied', async () => void (await caches.delete('precache'))],
  ])('heals as a whole after the next visit when it was %s', async (_, damage) => {
    await open().install();
    await damage();
    const shell = open();
    await visit(shell, '/');
    await shell.checkAgain();
    offline();
    for (const path of Object.keys(build)) expect((await load(shell, path))?.body).toBe(build[path]);
    expect((await visit(shell, '/media'))?.body).toBe(build['/index.html']);
  });

  it.each(['/', '/assets/main-1a2b3c4d.js'])(
    'heals as a whole when %s is found missing after a check',
    async (path) => {
      const shell = open();
      await shell.install();
      await shell.checkAgain();
      await caches.delete('precache');
      await (path === '/' ? visit : load)(shell, path);
      await shell.checkAgain();
      offline();
      for (const [each, text] of Object.entries(build)) expect((await load(shell, each))?.body).toBe(text);
    },
  );

  /** Other bytes under the marks that `install` sets, as a broken disk leaves them. */
  async function damage() {
    const cache = await caches.open('precache');
    for (const key of await cache.keys())
      await cache.put(key, new Response(PORTAL, { headers: (await cache.match(key))!.headers }));
  }

  it('fetches the page again after a visit when other bytes lie under its mark', async () => {
    const shell = open();
    await shell.install();
    await shell.checkAgain();
    await damage();
    await visit(shell, '/');
    await shell.checkAgain();
    offline();
    expect((await visit(shell, '/'))?.body).toBe(build['/index.html']);
  });

  it('never serves the page or what starts it when other bytes lie under the marks of the build', async () => {
    const shell = open();
    await shell.install();
    await damage();
    expect((await visit(shell, '/'))?.body).not.toBe(PORTAL);
    expect((await load(shell, '/theme.js'))?.body).toBe('document');
  });

  it('passes the page of the network on to a visit and does not store it', async () => {
    const shell = open();
    await shell.install();
    await poison();
    behindPortal();
    expect((await visit(shell, '/'))?.body).toBe(PORTAL);
    await shell.checkAgain();
    online();
    expect((await visit(shell, '/login'))?.status).toBe(404);
    await shell.checkAgain();
    expect((await visit(shell, '/login'))?.body).toBe(build['/index.html']);
  });

  it('says that a connection is needed when nothing of it is left and there is none', async () => {
    offline();
    expect((await visit(open(), '/'))?.body).toContain('Callboard needs a connection to open');
  });

  it('counts as empty where the storage does not open', async () => {
    vi.stubGlobal('caches', {
      open: () => Promise.reject(new DOMException('Unexpected internal error', 'UnknownError')),
    });
    const answer = await open().answer(new Request(`${origin}/theme.js`), (work) => void work.catch(() => undefined));
    expect(await answer?.text()).toBe('document');
  });

  it('is not read again while nothing is missing', async () => {
    const shell = open();
    await shell.install();
    await shell.checkAgain();
    const opened = vi.spyOn(caches, 'open');
    await shell.checkAgain();
    expect(opened).not.toHaveBeenCalled();
  });

  it('is compared byte by byte where the page asks for it', async () => {
    const shell = open();
    await shell.install();
    const cache = await caches.open('precache');
    const [key] = (await cache.keys()).filter(({ url }) => url.includes('4d.js'));
    const { headers } = (await cache.match(key!))!;
    await cache.put(key!, new Response('console.log("act', { headers }));
    expect(await shell.check()).toEqual({ repaired: 0, missing: 0 });
    offline();
    expect(await shell.check(true)).toEqual({ repaired: 0, missing: 1 });
    online();
    expect(await shell.check(true)).toEqual({ repaired: 1, missing: 0 });
    expect((await load(shell, '/assets/main-1a2b3c4d.js'))?.body).toBe('console.log("act one")');
  });
});

describe('the worker before this one', () => {
  const FORMER = 'workbox-precache-v2-https://callboard.example/';
  const store = async (body: string, type: string) => {
    const answer = new Response(body, { headers: { 'Content-Type': type } });
    const [url] = [`${origin}/assets/main-1a2b3c4d.js`];
    const cache = { matchAll: () => Promise.resolve([Object.defineProperty(answer, 'url', { value: url })]) };
    const real = caches;
    await real.open(FORMER);
    vi.stubGlobal('caches', {
      open: (name: string) => (name === FORMER ? Promise.resolve(cache) : real.open(name)),
      keys: () => real.keys(),
      delete: (name: string) => real.delete(name),
    });
  };

  it('is replaced at once when it stored the page of a portal as code', async () => {
    await store(PORTAL, 'text/html');
    expect(await open().isFormerPoisoned()).toBe(true);
  });

  it('is left in charge when its files are right, and its cache goes with it', async () => {
    await store('console.log("act one")', 'text/javascript');
    expect(await open().isFormerPoisoned()).toBe(false);
    await open().removeOutdated();
    expect(await caches.keys()).not.toContain(FORMER);
  });
});

it('leaves calls, stored files, other hosts and files of no build to the server', async () => {
  const shell = open();
  for (const path of ['/storage/a.jpg', '/api/test', '/nope.js', '/theme.js?1'])
    expect(await load(shell, path)).toBeNull();
  for (const path of ['/storage/a.jpg', '/healthz', '/nope.js']) expect(await visit(shell, path)).toBeNull();
  expect(shell.answer(new Request('https://elsewhere.example/theme.js'), () => undefined)).toBeNull();
  expect(shell.answer(new Request(`${origin}/theme.js`, { method: 'POST' }), () => undefined)).toBeNull();
});
