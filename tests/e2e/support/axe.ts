import AxeBuilder from '@axe-core/playwright';
import { type Page, expect } from '@playwright/test';

const rules = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'];

/** As below, by day and by night. */
export async function expectAccessibleInBothSchemes(page: Page): Promise<void> {
  for (const colorScheme of ['dark', 'light'] as const) {
    await page.emulateMedia({ colorScheme });
    await expectAccessible(page);
  }
}

/** Fails with the rule, the element and the cure where the page shuts somebody out (WCAG A and AA up to 2.2). */
export async function expectAccessible(page: Page): Promise<void> {
  // In a window as tall as the page the bars at its edges lie over nothing: a person scrolls what they cover into view.
  const window = page.viewportSize();
  const height = await page.evaluate(() => document.documentElement.scrollHeight);
  if (window) await page.setViewportSize({ width: window.width, height: Math.max(window.height, height) });
  const { violations } = await new AxeBuilder({ page })
    // One frame is all there is: no blank page has to be opened to gather several frames' answers.
    .setLegacyMode()
    .options({ resultTypes: ['violations'] })
    .withTags(rules)
    .analyze();
  const found = violations.map(({ id, help, nodes }) => ({
    rule: `${id}: ${help}`,
    where: nodes.map((node) => `${node.target.join(' ')} — ${node.failureSummary ?? ''}`),
  }));
  if (window) await page.setViewportSize(window);
  expect(found).toEqual([]);
}
