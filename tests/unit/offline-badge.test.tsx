import { renderToStaticMarkup } from 'react-dom/server';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { setSender } from '#net/client.ts';
import { OfflineBadge } from '#shared/offline-media/OfflineBadge.tsx';
import { pinMedium } from '#shared/offline-media/use-offline-media.ts';
import { cacheStorage } from './support/cache-storage.ts';

// Rendered once, as on a server, where stores have no snapshot of their own.
vi.mock('react', async (load) => ({
  ...(await load<object>()),
  useSyncExternalStore: (_: unknown, get: () => unknown) => get(),
}));

const voice = { path: '/storage/voice.wav' };
const badge = () => renderToStaticMarkup(<OfflineBadge medium={voice} />);
const signIn = (userId: string) => {
  const sender = { token: `token of ${userId}`, userId, apiBase: '' };
  setSender(() => sender);
};

beforeEach(() => {
  vi.stubGlobal('caches', cacheStorage());
  vi.stubGlobal('location', { origin: 'https://callboard.example' });
  vi.stubGlobal('localStorage', { getItem: () => null });
  vi.stubGlobal('fetch', () => Promise.resolve(new Response('x', { headers: { 'Content-Length': '1' } })));
});
afterEach(() => {
  setSender(() => null);
  vi.unstubAllGlobals();
});

it('tells nobody what the person before them kept', async () => {
  signIn('1');
  await pinMedium(voice);
  expect(badge()).toContain('Kept');
  signIn('2');
  expect(badge()).toBe('');
});
