import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { clearStoredMedia } from '#lib/stored-media.ts';
import { setSender } from '#net/client.ts';
import type { Sender } from '#net/wire.ts';
import { getPinnedFiles, getPinChoices } from '#shared/offline-media/offline-cache.ts';
import {
  pinMedium,
  pinNewPageMedia,
  pinPageMedia,
  unpinAllMedia,
  unpinMedium,
  unpinPageMedia,
} from '#shared/offline-media/use-offline-media.ts';
import { cacheStorage } from './support/cache-storage.ts';

const MB = 1024 * 1024;
const reel = { path: '/storage/reel.mp4', thumb_path: '/storage/reel.webp' };
const voice = { path: '/storage/voice.wav' };
const person: Sender = { token: 'secret', userId: '1', apiBase: '' };
const server = vi.fn<(path: string, options: RequestInit) => Promise<Response>>();
const file = (size: number) => new Response('x'.repeat(size), { headers: { 'Content-Length': String(size) } });
const kept = async () => [...(await getPinnedFiles()).keys()].map((url) => new URL(url).pathname).sort();

beforeEach(() => {
  vi.stubGlobal('caches', cacheStorage());
  vi.stubGlobal('location', { origin: 'https://callboard.example' });
  vi.stubGlobal('localStorage', { getItem: () => String(100 * MB) });
  vi.stubGlobal(
    'fetch',
    server.mockReset().mockImplementation(() => Promise.resolve(file(10))),
  );
});
afterEach(() => {
  setSender(() => null);
  vi.unstubAllGlobals();
});

it('keeps what was kept by itself when its page is let go', async () => {
  await pinMedium(voice);
  await pinPageMedia([reel, voice]);
  expect(await kept()).toEqual(['/storage/reel.mp4', '/storage/reel.webp', '/storage/voice.wav']);
  await unpinPageMedia([reel, voice]);
  expect(await kept()).toEqual(['/storage/voice.wav']);
});

it('does not fetch an evicted file until its page is pinned again', async () => {
  await pinPageMedia([reel, voice]);
  await unpinMedium(reel);
  await pinNewPageMedia([reel, voice]);
  expect(await kept()).toEqual(['/storage/voice.wav']);
  await pinPageMedia([reel, voice]);
  expect(await kept()).toHaveLength(3);
});

it('keeps all files of a medium or none, and fetches nothing that cannot fit', async () => {
  server.mockImplementation((path) => {
    if (!path.endsWith('.webp')) return Promise.resolve(file(10));
    return Promise.resolve(new Response('x', { headers: { 'Content-Length': String(101 * MB) } }));
  });
  expect(await pinMedium(reel)).toBe('over');
  server.mockRejectedValue(new TypeError('Failed to fetch'));
  expect(await pinMedium(reel)).toBe('unreachable');
  expect(await kept()).toEqual([]);
  expect([...(await getPinChoices())]).toEqual([]);
});

it('stops fetching what is let go meanwhile', async () => {
  server.mockImplementation(
    (_, { signal }) =>
      new Promise((_resolve, reject) => {
        signal?.addEventListener('abort', () => reject(new DOMException('Stopped', 'AbortError')));
      }),
  );
  const keeping = pinMedium(reel);
  await vi.waitFor(() => expect(server).toHaveBeenCalled());
  await unpinMedium(reel);
  expect(await keeping).toBe('stopped');
  expect(await kept()).toEqual([]);
  // What they said last stands.
  expect([...(await getPinChoices()).values()]).toEqual(['let go']);
});

it('forgets every word with everything that is let go', async () => {
  await pinMedium(voice);
  await unpinAllMedia();
  expect(await kept()).toEqual([]);
  expect([...(await getPinChoices())]).toEqual([]);
});

it.each([
  ['a sign-in page', { 'Content-Type': 'text/html' }],
  ['half of it', { 'Content-Type': 'audio/wav', 'Content-Length': '99' }],
])('keeps no file when %s came in its place', async (_, headers) => {
  server.mockImplementation(() => Promise.resolve(new Response('Sign in', { headers })));
  expect(await pinMedium(voice)).toBe('unreachable');
  expect(await kept()).toEqual([]);
});

it('fetches a file again when a sign-in page was stored in its place', async () => {
  const page = new Response('Sign in', { headers: { 'Content-Type': 'text/html', 'Content-Length': '7' } });
  await (await caches.open('kept-media')).put('https://callboard.example/storage/voice.wav', page);
  expect(await kept()).toEqual([]);
  expect(await pinMedium(voice)).toBe('kept');
  expect(await kept()).toEqual(['/storage/voice.wav']);
});

/** Pins a medium and a page, and signs out while the first file is on its way. */
async function signOutMeanwhile(makeAnswer: (signal: AbortSignal) => Response) {
  let arrive = () => {};
  server.mockImplementation(
    (_, { signal }) =>
      new Promise((resolve) => {
        arrive = () => resolve(makeAnswer(signal!));
      }),
  );
  setSender(() => person);
  const pins = [pinMedium(reel), pinPageMedia([voice])];
  await vi.waitFor(() => expect(server).toHaveBeenCalled());
  setSender(() => null);
  await clearStoredMedia();
  server.mockImplementation(() => Promise.resolve(file(10)));
  arrive();
  return Promise.all(pins);
}

it('leaves the next person nothing that was on its way at sign-out', async () => {
  await signOutMeanwhile(() => file(10));
  expect(await kept()).toEqual([]);
});

it('asks for no further file after a sign-out', async () => {
  expect(await signOutMeanwhile(() => file(10))).toEqual(['stopped', 'stopped']);
  expect(server).toHaveBeenCalledOnce();
});

it('ends a download at sign-out', async () => {
  const parts = vi.fn();
  const film = (signal: AbortSignal) =>
    new ReadableStream({
      pull(stream) {
        if (signal.aborted) return stream.error(signal.reason);
        if (parts.mock.calls.length === 1000) return stream.close();
        parts();
        stream.enqueue(new Uint8Array(1000));
      },
    });
  await signOutMeanwhile((signal) => new Response(film(signal), { headers: { 'Content-Length': '1000000' } }));
  expect(parts.mock.calls.length).toBeLessThan(10);
});
