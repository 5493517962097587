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

/** Returns the height of the page once everything in view has been laid out. */
const getPageHeight = (page: Page): Promise<number> =>
  page.evaluate(
    () =>
      new Promise((resolve) =>
        requestAnimationFrame(() => requestAnimationFrame(() => resolve(document.documentElement.scrollHeight))),
      ),
  );

/** A page that is always taller than its window would grow forever. */
const MAX_GROWTHS = 3;

/**
 * Makes the viewport as tall as the page, so that the fixed bars do not cover content that a user would scroll into view. Parts
 * that were below the fold are laid out only then, and may be taller than the space that was reserved for them.
 */
async function growToPage(page: Page, { width, height }: { width: number; height: number }): Promise<void> {
  let reached = height;
  for (let growths = 0; growths < MAX_GROWTHS; growths += 1) {
    const needed = await getPageHeight(page);
    if (needed <= reached) return;
    reached = needed;
    await page.setViewportSize({ width, height: reached });
  }
}

/** What axe finds on the page as it is, and the height of the page at that moment. */
const runAxe = (page: Page, options: RunOptions) =>
  page.evaluate(async (chosen) => {
    const { violations } = await (globalThis as WithAxe).axe!.run(document, chosen);
    return { violations, height: document.documentElement.scrollHeight };
  }, options);

/** What axe finds on the whole page. If the page grew while axe looked at it, the bars covered a part, and axe looks again. */
async function findViolations(page: Page, options: RunOptions): Promise<AxeResults['violations']> {
  const window = page.viewportSize();
  for (let growths = 0; window !== null && growths < MAX_GROWTHS; growths += 1) {
    const reached = page.viewportSize()!.height;
    const { violations, height } = await runAxe(page, options);
    if (violations.length === 0 || height <= reached) return violations;
    await growToPage(page, { ...window, height: reached });
  }
  return (await runAxe(page, options)).violations;
}

/** Runs axe (WCAG A and AA up to 2.2) in the given color schemes. Fails with the rule, the element and the fix. */
async function checkSchemes(
  page: Page,
  schemes: readonly (readonly ['dark' | 'light' | null, RunOptions])[],
): Promise<void> {
  const window = page.viewportSize();
  if (window !== null) await growToPage(page, window);
  if (!(await page.evaluate(() => 'axe' in globalThis))) await page.evaluate(source);
  const isBusy = (await page.locator('main [aria-busy="true"]').count()) > 0;
  const found: unknown[] = [];
  for (const [colorScheme, options] of schemes) {
    if (colorScheme !== null) await page.emulateMedia({ colorScheme });
    const violations = await findViolations(page, {
      ...options,
      ...(isBusy && options === ALL_RULES && { rules: LOADING_RULES }),
    });
    for (const { id, help, nodes } of violations) {
      const where = nodes.map((node) => `${node.target.join(' ')} — ${node.failureSummary ?? ''}`);
      found.push({ rule: `${id}: ${help}`, scheme: colorScheme, where });
    }
  }
  if (window !== null) await page.setViewportSize(window);
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
