import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import {
  clearSeenMedia,
  clearStoredMedia,
  PINNED_CACHE,
  MEDIA_CACHE,
  MEDIA_MARKS,
} from '../../../src/lib/stored-media.ts';
import { mediaStore } from '../../../src/sw/media.ts';
import { cacheStorage } from '../support/cache-storage.ts';

const origin = 'https://callboard.example';

let now = 0;
let token: string | null = null;
const server = vi.fn<(request: Request) => Promise<Response>>();
const file = (size: number, headers: Record<string, string> = {}) =>
  new Response('x'.repeat(size), { headers: { ETag: '"1"', ...headers } });
/** As our server refuses. */
const refusal = (status = 404) => Response.json({ message: 'There is no such file' }, { status });
const portal = (status = 200) =>
  new Response('<h1>Sign in to the hotel Wi-Fi</h1>', {
    status,
    headers: { 'Content-Type': 'text/html', ETag: '"9"' },
  });

/** Asks the store and waits until the work behind the answer is done too. */
async function get(store: ReturnType<typeof mediaStore>, path: string, headers: Record<string, string> = {}) {
  const behind: Promise<unknown>[] = [];
  const answer = await store.answer(new Request(`${origin}${path}`, { headers }), (work) => behind.push(work));
  const body = await answer.text();
  await Promise.all(behind);
  return { status: answer.status, body };
}

async function kept(shelf = MEDIA_CACHE): Promise<string[]> {
  const cache = await caches.open(shelf);
  return (await cache.keys()).map((request) => new URL(request.url).pathname).sort();
}

beforeEach(() => {
  now = 1_000_000;
  token = null;
  server.mockReset();
  vi.stubGlobal('caches', cacheStorage());
  vi.stubGlobal('fetch', server);
});
afterEach(() => vi.unstubAllGlobals());

const open = (files = 10, bytes = 10_000) =>
  mediaStore(
    { files, bytes },
    () => Promise.resolve(token),
    () => now,
  );

describe('kept media files', () => {
  it('answers a file seen once without a server', async () => {
    const store = open();
    server.mockResolvedValueOnce(file(5)).mockRejectedValue(new TypeError('Failed to fetch'));
    await get(store, '/storage/a.jpg');
    expect(await get(store, '/storage/a.jpg')).toEqual({ status: 200, body: 'xxxxx' });
    expect(await get(store, '/storage/a.jpg', { Range: 'bytes=1-2' })).toEqual({ status: 206, body: 'xx' });
  });

  it('fails as the network does for a file never seen', async () => {
    server.mockRejectedValue(new TypeError('Failed to fetch'));
    await expect(get(open(), '/storage/a.jpg')).rejects.toThrow('Failed to fetch');
  });

  it('fetches the whole file behind the first part a player asks for', async () => {
    const store = open();
    server.mockImplementation((request) =>
      Promise.resolve(request.headers.has('Range') ? new Response('x', { status: 206 }) : file(9)),
    );
    expect(await get(store, '/storage/a.mp3', { Range: 'bytes=0-0' })).toEqual({ status: 206, body: 'x' });
    expect(await kept()).toEqual(['/storage/a.mp3']);
  });

  it('fetches nothing behind the first part of a film that it would not keep', async () => {
    const headers = { 'Content-Range': 'bytes 0-0/2501' };
    server.mockImplementation(async () => new Response('x', { status: 206, headers }));
    expect(await get(open(), '/storage/film.mp4', { Range: 'bytes=0-0' })).toEqual({ status: 206, body: 'x' });
    expect(server).toHaveBeenCalledTimes(1);
  });

  it('drops what was not asked for longest, by count', async () => {
    const store = open(2);
    server.mockImplementation(() => Promise.resolve(file(5)));
    for (const name of ['a', 'b', 'a', 'c']) {
      now += 1;
      await get(store, `/storage/${name}`);
    }
    expect(await kept()).toEqual(['/storage/a', '/storage/c']);
  });

  it('drops what was not asked for longest, by bytes, and keeps no file that would fill a quarter', async () => {
    const store = open(10, 1000);
    server.mockImplementation((request) => Promise.resolve(file(request.url.endsWith('huge') ? 251 : 250)));
    for (const name of ['a', 'b', 'c', 'd', 'huge', 'e']) {
      now += 1;
      await get(store, `/storage/${name}`);
    }
    expect(await kept()).toEqual(['/storage/b', '/storage/c', '/storage/d', '/storage/e']);
  });

  it('goes on where the worker before it stopped', async () => {
    server.mockImplementation(() => Promise.resolve(file(5)));
    const before = open(2);
    for (const name of ['a', 'b', 'a']) {
      now += 1;
      await get(before, `/storage/${name}`);
    }
    now += 1;
    await get(open(2), '/storage/c');
    expect(await kept()).toEqual(['/storage/a', '/storage/c']);
  });

  it('keeps one more file with as little work as the first, however many there are', async () => {
    server.mockImplementation(() => Promise.resolve(file(5)));
    const store = open(100);
    await get(store, '/storage/0');
    const marks = await caches.open(MEDIA_MARKS);
    const looks = vi.spyOn(marks, 'match');
    for (let n = 1; n <= 50; n += 1) await get(store, `/storage/${n}`);
    expect(looks.mock.calls.length).toBeLessThanOrEqual(50);
    expect(await kept()).toHaveLength(51);
  });

  it.each([404, 500])('keeps no answer with status %i', async (status) => {
    server.mockImplementation(() => Promise.resolve(new Response('no', { status })));
    await get(open(), '/storage/a');
    expect(await kept()).toEqual([]);
  });

  it('forgets a file the server no longer gives out, asking at most every five minutes', async () => {
    const store = open();
    server.mockResolvedValueOnce(file(5));
    server.mockImplementation(() => Promise.resolve(refusal()));
    await get(store, '/storage/a');
    now += 1;
    expect(await get(store, '/storage/a')).toEqual({ status: 200, body: 'xxxxx' });
    expect(await kept()).toEqual([]);
  });

  it('takes a changed file at the next look', async () => {
    const store = open();
    server.mockResolvedValueOnce(file(5)).mockResolvedValueOnce(file(7, { ETag: '"2"' }));
    await get(store, '/storage/a');
    await get(store, '/storage/a');
    expect((await get(store, '/storage/a')).body).toBe('xxxxxxx');
    expect(server).toHaveBeenCalledTimes(2);
  });

  it('keeps a file that needed a signature when asking without one is refused', async () => {
    const store = open();
    server.mockResolvedValueOnce(file(5));
    server.mockImplementation(() => Promise.resolve(refusal()));
    await get(store, '/storage/a?signature=1');
    now += 600_000;
    expect(await get(store, '/storage/a')).toEqual({ status: 200, body: 'xxxxx' });
    expect(await kept()).toEqual(['/storage/a']);
    now += 600_000;
    await get(store, '/storage/a?signature=1');
    expect(await kept()).toEqual([]);
  });

  it('asks under the person’s token for a file withheld from strangers, and forgets it when that is refused', async () => {
    const store = open();
    const isMine = (request: Request) => request.headers.get('Authorization') === 'Bearer mine';
    server.mockImplementation((request) => Promise.resolve(isMine(request) ? file(5) : refusal()));
    expect((await get(store, '/storage/a')).status).toBe(404);
    token = 'mine';
    expect(await get(store, '/storage/a')).toEqual({ status: 200, body: 'xxxxx' });
    now += 600_000;
    await get(store, '/storage/a');
    expect(await kept()).toEqual(['/storage/a']);
    token = 'ended';
    now += 600_000;
    await get(store, '/storage/a');
    expect(await kept()).toEqual([]);
  });

  it('shows the token to nobody who gives the file to strangers', async () => {
    token = 'mine';
    server.mockImplementation(() => Promise.resolve(file(5)));
    await get(open(), '/storage/a');
    expect(server.mock.calls.map(([request]) => request.headers.get('Authorization'))).toEqual([null]);
  });

  it('asks for what a private film plays first with the token, so that no refusal delays it', async () => {
    token = 'mine';
    server.mockImplementation((request) =>
      Promise.resolve(
        request.headers.get('Authorization') === 'Bearer mine'
          ? new Response('x', { status: 206, headers: { 'Content-Range': 'bytes 0-0/99999' } })
          : refusal(),
      ),
    );
    expect(await get(open(), '/storage/a.mp4', { Range: 'bytes=0-' })).toEqual({ status: 206, body: 'x' });
    expect(server).toHaveBeenCalledOnce();
  });

  it('plays a film that strangers may watch also when the session has ended', async () => {
    token = 'ended';
    server.mockImplementation((request) =>
      Promise.resolve(
        request.headers.has('Authorization')
          ? refusal(401)
          : new Response('x', { status: 206, headers: { 'Content-Range': 'bytes 0-0/99999' } }),
      ),
    );
    expect(await get(open(), '/storage/a.mp4', { Range: 'bytes=0-' })).toEqual({ status: 206, body: 'x' });
  });

  describe.each([
    ['opened', { open: () => Promise.reject(new DOMException('Unexpected internal error', 'UnknownError')) }],
    ['read', { open: () => Promise.resolve({ match: () => Promise.reject(new TypeError('Failed to read')) }) }],
  ])('when the caches cannot be %s', (_, broken) => {
    beforeEach(() => {
      token = 'mine';
      vi.stubGlobal('caches', broken);
    });

    it('answers a private picture from the server', async () => {
      server.mockImplementation((request) =>
        Promise.resolve(request.headers.get('Authorization') === 'Bearer mine' ? file(5) : refusal()),
      );
      expect(await get(open(), '/storage/a.jpg')).toEqual({ status: 200, body: 'xxxxx' });
    });

    it('answers a part of a film from the server', async () => {
      server.mockImplementation(() => Promise.resolve(new Response('x', { status: 206 })));
      expect(await get(open(), '/storage/a.mp4', { Range: 'bytes=0-0' })).toEqual({ status: 206, body: 'x' });
    });
  });

  it('is empty after sign-out', async () => {
    server.mockImplementation(() => Promise.resolve(file(5)));
    await get(open(), '/storage/a');
    await clearStoredMedia();
    expect(await kept()).toEqual([]);
  });

  it('answers what is kept on purpose, whatever was seen since, and keeps no second copy of it', async () => {
    const store = open(1);
    await (await caches.open(PINNED_CACHE)).put(`${origin}/storage/a.mp4`, file(5, { 'Content-Length': '5' }));
    server.mockImplementation(() => Promise.resolve(file(5)));
    await get(store, '/storage/b.jpg');
    await clearSeenMedia();
    expect(await get(store, '/storage/a.mp4', { Range: 'bytes=1-2' })).toEqual({ status: 206, body: 'xx' });
    expect(await kept()).toEqual([]);
    expect(await kept(PINNED_CACHE)).toEqual(['/storage/a.mp4']);
  });

  it('forgets what is kept on purpose once it is gone on the server, and at sign-out', async () => {
    const store = open();
    const shelf = await caches.open(PINNED_CACHE);
    await shelf.put(`${origin}/storage/a.mp4`, file(5, { 'Content-Length': '5' }));
    await shelf.put(`${origin}/storage/b.mp4`, file(5, { 'Content-Length': '5' }));
    server.mockImplementation(() => Promise.resolve(refusal()));
    await get(store, '/storage/a.mp4');
    expect(await kept(PINNED_CACHE)).toEqual(['/storage/b.mp4']);
    await clearStoredMedia();
    expect(await kept(PINNED_CACHE)).toEqual([]);
  });

  describe('behind a captive portal or a proxy', () => {
    const OWN = '/storage/0123456789abcdef0123456789abcdef.jpg';
    const marked = (text: string) =>
      new Response(text, { headers: { 'Content-Type': 'image/jpeg', ETag: '"0123456789abcdef0123456789abcdef"' } });

    const redirected = (answer: Response) => Object.defineProperty(answer, 'redirected', { value: true });

    it.each([
      ['the sign-in page', () => portal()],
      [
        'a picture of somebody else',
        () => new Response('logo', { headers: { 'Content-Type': 'image/png', ETag: '"1"' } }),
      ],
      ['a file without a type', () => new Response(new Blob(['x']), { headers: { ETag: '"1"' } })],
      [
        'a part of the file',
        () => new Response('xx', { headers: { 'Content-Type': 'image/jpeg', 'Content-Length': '5' } }),
      ],
      [
        'a part of the file that says whose it is',
        () => new Response('xx', { headers: { ...Object.fromEntries(marked('').headers), 'Content-Length': '5' } }),
      ],
      ['a refusal with status 200', () => Response.json({ message: 'Sign in' })],
    ])('does not keep %s', async (_, answer) => {
      server.mockImplementation(() => Promise.resolve(answer()));
      await get(open(), OWN);
      expect(await kept()).toEqual([]);
    });

    it('does not keep what a redirect led to', async () => {
      server.mockImplementation(() => Promise.resolve(redirected(file(5))));
      await get(open(), '/storage/a.jpg');
      expect(await kept()).toEqual([]);
    });

    it('forgets nothing for a refusal that a redirect led to', async () => {
      const store = open();
      server.mockResolvedValueOnce(file(5));
      server.mockImplementation(() => Promise.resolve(redirected(refusal())));
      await get(store, '/storage/a.jpg');
      await get(store, '/storage/a.jpg');
      expect(await kept()).toEqual(['/storage/a.jpg']);
    });

    it('asks past the cache of the browser where a sign-in page lies in it', async () => {
      server.mockImplementation(({ cache }) => Promise.resolve(cache === 'reload' ? marked('face') : portal()));
      expect((await get(open(), OWN)).body).toBe('face');
      expect(await kept()).toEqual([OWN]);
    });

    it('asks the server itself whether a file is still given out, and not the cache of the browser', async () => {
      const store = open();
      server.mockImplementation(() => Promise.resolve(marked('face')));
      await get(store, OWN);
      await get(store, OWN);
      expect(server.mock.calls.map(([{ cache }]) => cache)).toEqual(['default', 'no-cache']);
    });

    it('keeps a file of our server whose mark a proxy made weak, or left to its name', async () => {
      const weak = { 'Content-Type': 'image/jpeg', ETag: 'W/"0123456789abcdef0123456789abcdef-gzip"' };
      const named = { 'Content-Type': 'image/jpeg', 'Content-Disposition': `inline; filename="${OWN.slice(9)}"` };
      for (const headers of [weak, named]) {
        await clearStoredMedia();
        server.mockImplementation(() => Promise.resolve(new Response('xxxxx', { headers })));
        await get(open(), OWN);
        expect(await kept()).toEqual([OWN]);
      }
    });

    it('leaves a good copy alone when another picture comes in its place', async () => {
      const store = open();
      server.mockResolvedValueOnce(marked('face'));
      server.mockImplementation(() => Promise.resolve(portal()));
      await get(store, OWN);
      await get(store, OWN);
      server.mockImplementation(() =>
        Promise.resolve(new Response('logo', { headers: { 'Content-Type': 'image/jpeg', ETag: '"1"' } })),
      );
      now += 600_000;
      await get(store, OWN);
      expect((await get(store, OWN)).body).toBe('face');
    });

    it('leaves a copy of another server alone when a file of another type comes in its place', async () => {
      const store = open();
      server.mockResolvedValueOnce(file(5));
      server.mockImplementation(() =>
        Promise.resolve(new Response('logo', { headers: { 'Content-Type': 'image/png', ETag: '"2"' } })),
      );
      await get(store, '/storage/a.jpg');
      await get(store, '/storage/a.jpg');
      expect((await get(store, '/storage/a.jpg')).body).toBe('xxxxx');
    });

    it.each([401, 403, 404, 410, 429, 503])(
      'forgets nothing for the page of a gateway with status %i',
      async (status) => {
        const store = open();
        await (await caches.open(PINNED_CACHE)).put(`${origin}/storage/a.mp4`, file(5));
        server.mockResolvedValueOnce(file(5));
        await get(store, '/storage/b.jpg');
        server.mockImplementation(() => Promise.resolve(portal(status)));
        await get(store, '/storage/b.jpg');
        await get(store, '/storage/a.mp4');
        expect(await kept()).toEqual(['/storage/b.jpg']);
        expect(await kept(PINNED_CACHE)).toEqual(['/storage/a.mp4']);
      },
    );

    it('forgets nothing because a session ended', async () => {
      const store = open();
      server.mockResolvedValueOnce(file(5));
      server.mockImplementation(() => Promise.resolve(refusal(401)));
      await get(store, '/storage/a');
      token = 'ended';
      await get(store, '/storage/a');
      expect(await kept()).toEqual(['/storage/a']);
    });

    it('never serves a sign-in page that was kept before, and replaces it with the file', async () => {
      for (const shelf of [MEDIA_CACHE, PINNED_CACHE]) {
        await clearStoredMedia();
        await (await caches.open(shelf)).put(`${origin}${OWN}`, portal());
        server.mockRejectedValueOnce(new TypeError('Failed to fetch'));
        const store = open();
        await expect(get(store, OWN)).rejects.toThrow('Failed to fetch');
        server.mockResolvedValueOnce(marked('face'));
        expect((await get(store, OWN)).body).toBe('face');
        expect(await (await (await caches.open(shelf)).match(`${origin}${OWN}`))?.text()).toBe('face');
      }
    });
  });
});
