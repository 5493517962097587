import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { type Page, expect } from '@playwright/test';
import type { AxeResults, RunOptions } from 'axe-core';

const source = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

const ALL_RULES: RunOptions = {
  runOnly: ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'],
  resultTypes: ['violations'],
};
/** A page that is still being read has no title yet. */
const LOADING_RULES: RunOptions['rules'] = { 'page-has-heading-one': { enabled: false } };
/** What another color scheme can change. */
const COLOR_RULES: RunOptions = { runOnly: ['color-contrast', 'link-in-text-block'], resultTypes: ['violations'] };

type WithAxe = typeof globalThis & { axe?: { run(root: Document, options: RunOptions): Promise<AxeResults> } };

/** Fails with the rule, the element and the cure where the page shuts somebody out (WCAG A and AA up to 2.2), in these schemes. */
async function checkSchemes(
  page: Page,
  schemes: readonly (readonly ['dark' | 'light' | null, RunOptions])[],
): Promise<void> {
  // In a window as tall as the page the bars at its edges lie over nothing: a person scrolls what they cover into view.
  const window = page.viewportSize();
  const height = await page.evaluate(() => document.documentElement.scrollHeight);
  const isTaller = window !== null && height > window.height;
  if (isTaller) await page.setViewportSize({ width: window.width, height });
  if (!(await page.evaluate(() => 'axe' in globalThis))) await page.evaluate(source);
  const isBusy = (await page.locator('main [aria-busy="true"]').count()) > 0;
  const found: unknown[] = [];
  for (const [colorScheme, options] of schemes) {
    if (colorScheme !== null) await page.emulateMedia({ colorScheme });
    const { violations } = await page.evaluate((chosen) => (globalThis as WithAxe).axe!.run(document, chosen), {
      ...options,
      ...(isBusy && options === ALL_RULES && { rules: LOADING_RULES }),
    });
    for (const { id, help, nodes } of violations) {
      const where = nodes.map((node) => `${node.target.join(' ')} — ${node.failureSummary ?? ''}`);
      found.push({ rule: `${id}: ${help}`, scheme: colorScheme, where });
    }
  }
  if (isTaller) await page.setViewportSize(window);
  expect(found).toEqual([]);
}

/** Fails with the rule, the element and the cure where the page shuts somebody out (WCAG A and AA up to 2.2). */
export const expectAccessible = (page: Page): Promise<void> => checkSchemes(page, [[null, ALL_RULES]]);

/** As above by night, and by day for what the colors alone can do. */
export const expectAccessibleInBothSchemes = (page: Page): Promise<void> =>
  checkSchemes(page, [
    ['dark', ALL_RULES],
    ['light', COLOR_RULES],
  ]);
