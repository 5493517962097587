import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { type Page, expect } from '@playwright/test';
import type { AxeResults, RunOptions } from 'axe-core';

const source = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

const ALL_RULES: RunOptions = {
  runOnly: ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'],
  resultTypes: ['violations'],
};
/** Overrides for a page that is still loading and has no heading yet. */
const LOADING_RULES: RunOptions['rules'] = { 'page-has-heading-one': { enabled: false } };
/** Rules whose result depends on the color scheme. */
const COLOR_RULES: RunOptions = { runOnly: ['color-contrast', 'link-in-text-block'], resultTypes: ['violations'] };

type WithAxe = typeof globalThis & { axe?: { run(root: Document, options: RunOptions): Promise<AxeResults> } };

/** Runs axe (WCAG A and AA up to 2.2) in the given color schemes. Fails with the rule, the element and the fix. */
async function checkSchemes(
  page: Page,
  schemes: readonly (readonly ['dark' | 'light' | null, RunOptions])[],
): Promise<void> {
  // A viewport as tall as the page keeps the fixed bars from covering content that a user would scroll into view.
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

/** Fails with the rule, the element and the fix if the page violates WCAG A or AA (up to 2.2). */
export const expectAccessible = (page: Page): Promise<void> => checkSchemes(page, [[null, ALL_RULES]]);

/** Checks all rules in dark mode, and the color rules in light mode. */
export const expectAccessibleInBothSchemes = (page: Page): Promise<void> =>
  checkSchemes(page, [
    ['dark', ALL_RULES],
    ['light', COLOR_RULES],
  ]);
