import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import puppeteer, { type Browser, type ElementHandle, type Page } from 'puppeteer-core';
import { type Engine, findElement, type Target } from './browser.ts';

/**
 * Opens Firefox over WebDriver BiDi. Playwright's own driver needs a command that the extended support release lacks
 * (emulation.setMediaFeaturesOverride).
 * @param initScript a script that runs in every page before the page's own
 */
export async function openFirefox(program: string, initScript: string): Promise<Engine> {
  const profile = await mkdtemp(path.join(tmpdir(), 'callboard-firefox-'));
  let browser: Browser;
  let page: Page;
  const launch = async () => {
    browser = await puppeteer.launch({
      browser: 'firefox',
      executablePath: program,
      userDataDir: profile,
      headless: true,
      // Like WebKitGTK's window: about the width of a phone, as narrow as the browser allows.
      args: ['--width=480', '--height=900'],
      defaultViewport: null,
      timeout: 90_000,
      protocolTimeout: 90_000,
      extraPrefsFirefox: {
        'media.autoplay.default': 0,
        // Puppeteer may disable service workers in its profiles; a user's Firefox has them.
        'dom.serviceWorkers.enabled': true,
      },
    });
    page = (await browser.pages())[0] ?? (await browser.newPage());
    await page.evaluateOnNewDocument(initScript);
  };
  const find = async (target: Target) => {
    const found = await page.evaluateHandle(findElement, target);
    return found.asElement() as ElementHandle<Element> | null;
  };
  await launch();

  return {
    async go(url) {
      await page.goto(url, { waitUntil: 'load', timeout: 60_000 });
    },
    run: (inPage, ...args) => page.evaluate(inPage as (...given: unknown[]) => never, ...args),
    async click(target) {
      const element = await find(target);
      if (element === null) return false;
      // The element may disappear in the meantime; then the caller looks for it again.
      return element.click().then(
        () => true,
        () => false,
      );
    },
    has: async (target) => (await find(target)) !== null,
    type: (text) => page.keyboard.type(text),
    async setFile(selector, file) {
      const input = (await page.waitForSelector(selector)) as ElementHandle<HTMLInputElement>;
      await input.uploadFile(file);
    },
    async restart() {
      await browser.close();
      await launch();
    },
    async close() {
      await browser.close();
      await rm(profile, { recursive: true, force: true, maxRetries: 5 });
    },
  };
}
