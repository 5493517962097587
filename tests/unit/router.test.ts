import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { navigate } from '#ui/router.tsx';

let entry: { key?: string } | null;
beforeEach(() => {
  entry = null;
  const write = (state: { key: string }) => void (entry = state);
  vi.stubGlobal('history', {
    get state() {
      return entry;
    },
    pushState: write,
    replaceState: write,
  });
});
afterEach(() => vi.unstubAllGlobals());

test('the first entry stays known as the first when it is replaced, so that Back leads into the app', () => {
  navigate('/login', { replace: true });
  expect(entry?.key).toBe('default');
  navigate('/connections', { replace: true });
  expect(entry?.key).toBe('default');
});

test('an entry that is added, or takes the place of an added one, has a key of its own', () => {
  navigate('/search');
  const added = entry?.key;
  navigate('/search?q=mime', { replace: true });
  expect(new Set(['default', added, entry?.key]).size).toBe(3);
});
