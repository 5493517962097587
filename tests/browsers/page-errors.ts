import { expect } from '@playwright/test';
import type { BrowserUser } from './browser.ts';

const KEY = 'test:page-errors';

/** Remembers what goes wrong in the pages of a tab, across reloads. Sent as text, to run before the page's own scripts. */
function collectPageErrors(key: string): void {
  // A blank page has no storage.
  if (!location.protocol.startsWith('http')) return;
  const remember = (problem: unknown) => {
    const known = JSON.parse(sessionStorage.getItem(key) ?? '[]') as string[];
    sessionStorage.setItem(key, JSON.stringify([...known, String(problem)]));
  };
  addEventListener('error', ({ error, message }) => remember(error ?? message));
  addEventListener('unhandledrejection', ({ reason }) => remember(reason));
  const { error } = console;
  console.error = (...words: unknown[]) => {
    remember(words.map(String).join(' '));
    error(...words);
  };
}

export const PAGE_ERRORS_SCRIPT = `(${collectPageErrors.toString()})('${KEY}');`;

/** Expects that no page has thrown anything or written an error to the console. */
export async function expectNoPageErrors({ engine }: BrowserUser): Promise<void> {
  expect(await engine.run((key) => JSON.parse(sessionStorage.getItem(key) ?? '[]') as string[], KEY)).toEqual([]);
}
