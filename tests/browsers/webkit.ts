import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { Builder, By, Capabilities, Key, until, type WebDriver, type WebElement } from 'selenium-webdriver';
import { listen } from '../e2e/support/listen.ts';
import { type Engine, findElement, type Target } from './browser.ts';

const BROWSER_SCRIPT = path.join(import.meta.dirname, 'webkit-browser.py');

async function freePort(): Promise<number> {
  const probe = createServer();
  const port = await listen(probe);
  probe.close();
  await once(probe, 'close');
  return port;
}

const isReady = (url: string) =>
  fetch(`${url}/status`).then(
    (answer) => answer.ok,
    () => false,
  );

/**
 * Opens WebKitGTK through its own driver. Needs a display (Xvfb).
 * @param initScript a script that runs in every page before the page's own
 */
export async function openWebKit(program: string, initScript: string): Promise<Engine> {
  const profile = await mkdtemp(path.join(tmpdir(), 'callboard-webkit-'));
  let service: ChildProcess;
  let driver: WebDriver;

  const launch = async () => {
    const port = await freePort();
    service = spawn(program, [`--port=${port}`], { stdio: 'ignore' });
    const url = `http://127.0.0.1:${port}`;
    while (!(await isReady(url)))
      if (service.exitCode !== null) throw new Error('WebKitWebDriver exited while starting');
    const browserOptions = { binary: BROWSER_SCRIPT, args: [profile, initScript] };
    driver = await new Builder()
      .usingServer(url)
      .withCapabilities(new Capabilities({ browserName: 'WebKitGTK', 'webkitgtk:browserOptions': browserOptions }))
      .build();
    await driver.manage().setTimeouts({ script: 60_000, pageLoad: 60_000 });
  };
  const end = async () => {
    // Closing the only window ends the browser, so the driver may find no session to quit.
    await driver.quit().catch(() => undefined);
    const gone = once(service, 'exit');
    service.kill();
    await gone;
  };
  const find = (target: Target) =>
    driver.executeScript<WebElement | null>(`return (${findElement.toString()})(arguments[0]);`, target);
  await launch();

  return {
    go: (url) => driver.get(url),
    async run(inPage, ...args) {
      const body = `const given = [...arguments]; const done = given.pop();
        Promise.resolve().then(() => (${inPage.toString()})(...given)).then(
          (value) => done({ value: value ?? null }),
          (error) => done({ error: String(error) }));`;
      const answer = await driver.executeAsyncScript<{ value?: unknown; error?: string }>(body, ...args);
      if (answer.error !== undefined) throw new Error(answer.error);
      return answer.value as never;
    },
    async click(target) {
      const element = await find(target);
      if (element === null) return false;
      return element.click().then(
        () => true,
        () => false,
      );
    },
    has: async (target) => (await find(target)) !== null,
    async type(text) {
      const active = await driver.switchTo().activeElement();
      await active.sendKeys(...text.split('\n').flatMap((line, n) => (n === 0 ? [line] : [Key.ENTER, line])));
    },
    async setFile(selector, file) {
      const input = await driver.wait(until.elementLocated(By.css(selector)), 30_000);
      await input.sendKeys(file);
    },
    async restart() {
      await end();
      await launch();
    },
    async close() {
      await end();
      await rm(profile, { recursive: true, force: true, maxRetries: 5 });
    },
  };
}
