import { type Browser, expect, type Page, test } from '@playwright/test';
import { accountDbName } from '#db/database.ts';
import { getHostName, type Fixture } from '#tests/states/fixture.ts';
import { FIXTURES } from '#tests/states/fixtures/index.ts';
import { PERSON } from '#tests/states/records.ts';
import { serveStates, type States } from '#tests/states/serve.ts';
import { expectAccessibleInBothSchemes } from './support/axe.ts';
import { launchSharedBrowser } from './support/device.ts';

/** Every screen in every state, as `npm run states` shows them: all are accessible and none overflows the page. */

let states: States;
let browser: Browser;
test.beforeAll(async () => {
  [states, browser] = await Promise.all([serveStates(), launchSharedBrowser()]);
});
test.afterAll(() => Promise.all([states.close(), browser.close()]));

const PHONE = { width: 360, height: 780 };
const LARGE_TEXT_PERCENT = 200;
/** States that run by default. The full suite runs all of them. */
const DEFAULT_STATES = /^(waiting-to-send-each-kind-invalid|own-profile-long-names|auditions-empty)$/;

async function open(fixture: Fixture, letters?: number) {
  const context = await browser.newContext({
    viewport: PHONE,
    hasTouch: true,
    isMobile: true,
    // Colors in the middle of a transition can lack contrast.
    reducedMotion: 'reduce',
  });
  const page = await context.newPage();
  await page.goto(states.getUrl(fixture, letters === undefined ? {} : { letters }));
  await expect(page.locator('html')).toHaveAttribute('data-fixture', 'ready', { timeout: 30_000 });
  return { page, close: () => context.close() };
}

/** Ids of the records that the device has. */
const readRecordIds = (page: Page) =>
  page.evaluate(
    (name) =>
      new Promise<string[]>((resolve, reject) => {
        const opened = indexedDB.open(name);
        opened.onerror = () => reject(opened.error ?? new Error('not opened'));
        opened.onsuccess = () => {
          const all = opened.result.transaction('records').objectStore('records').getAll();
          all.onerror = () => reject(all.error ?? new Error('not read'));
          all.onsuccess = () => resolve((all.result as { id: string }[]).map(({ id }) => id));
        };
      }),
    accountDbName('', PERSON.id),
  );

/** Cards that touch an edge of the screen, and values that a condition has left beside blocks, such as a 0. */
const findStrays = (page: Page) =>
  page.evaluate(() => {
    const main = document.querySelector('main')!;
    const cards = [...main.querySelectorAll('.notice')].filter((card) => {
      const { left, right, width } = card.getBoundingClientRect();
      // The head of a profile page goes from edge to edge.
      return width > 0 && (left < 8 || right > innerWidth - 8) && !card.classList.contains('-mx-3');
    });
    const values: string[] = [];
    const texts = document.createTreeWalker(main, NodeFilter.SHOW_TEXT);
    while (texts.nextNode()) {
      const text = texts.currentNode.textContent?.trim() ?? '';
      const { tagName, children } = texts.currentNode.parentElement!;
      const isBeside = [...children].some((child) => /^(block|flex|grid)$/.test(getComputedStyle(child).display));
      const isValue = /^(-?\d+|NaN|undefined|null|true|false)$/.test(text);
      if (isValue && isBeside && /^(MAIN|DIV|SECTION|ARTICLE|ASIDE)$/.test(tagName)) values.push(text);
    }
    return { cards: cards.map((card) => card.textContent.slice(0, 40)), values };
  });

for (const fixture of FIXTURES) {
  const title = `${fixture.group}: ${fixture.state}`;
  test(title, { tag: DEFAULT_STATES.test(getHostName(fixture)) ? [] : ['@full'] }, async () => {
    const usual = await open(fixture);
    // A pull that removes what the fixture stored shows another state than it says.
    const stored = (fixture.stored?.records ?? []).map(({ id }) => id);
    if (stored.length > 0) expect(await readRecordIds(usual.page)).toEqual(expect.arrayContaining(stored));
    expect(await findStrays(usual.page)).toEqual({ cards: [], values: [] });
    await expectAccessibleInBothSchemes(usual.page);
    await usual.close();
    const large = await open(fixture, LARGE_TEXT_PERCENT);
    const wide = await large.page.evaluate(() =>
      [...document.querySelectorAll('body *')]
        .filter((element) => {
          const { left, right, width } = element.getBoundingClientRect();
          const scrolls = element.closest('[class*="overflow-x"], [class*="sr-only"], [inert]');
          return width > 0 && !scrolls && (right > innerWidth + 1 || left < -1);
        })
        .map((element) => `${element.tagName} ${element.className} “${element.textContent.slice(0, 40)}”`),
    );
    await large.close();
    expect(wide).toEqual([]);
  });
}
