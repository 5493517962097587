import { type Browser, expect, test } from '@playwright/test';
import { getHostName, type Fixture } from '#tests/states/fixture.ts';
import { FIXTURES } from '#tests/states/fixtures/index.ts';
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
const DEFAULT_STATES = /^(waiting-to-send-each-kind-invalid|own-profile-long-names)$/;

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

for (const fixture of FIXTURES) {
  const title = `${fixture.group}: ${fixture.state}`;
  test(title, { tag: DEFAULT_STATES.test(getHostName(fixture)) ? [] : ['@full'] }, async () => {
    const usual = await open(fixture);
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
