/**
 * `npm run states`: shows every screen in every state, see tests/states/README.md. With `--pictures FOLDER` it writes a
 * picture of each instead, at the width of a phone and of a computer.
 */
import { execFileSync } from 'node:child_process';
import { mkdir } from 'node:fs/promises';
import path from 'node:path';
import { parseArgs } from 'node:util';
import { devices } from '@playwright/test';
import { launchSharedBrowser } from '#tests/e2e/support/device.ts';
import { getHostName } from '#tests/states/fixture.ts';
import { FIXTURES } from '#tests/states/fixtures/index.ts';
import { serveStates, type States } from '#tests/states/serve.ts';

const PORT = 3010;
const SHAPES = { phone: devices['Pixel 7'], computer: devices['Desktop Chrome'] };
/** Maximum height of a picture in pixels. */
const LONGEST_PX = 3000;
const PATIENCE_MS = 15_000;

async function takePictures(states: States, folder: string, only: RegExp): Promise<void> {
  await mkdir(folder, { recursive: true });
  const browser = await launchSharedBrowser();
  for (const [name, { defaultBrowserType: _, ...shape }] of Object.entries(SHAPES)) {
    const context = await browser.newContext({ ...shape, deviceScaleFactor: 1 });
    for (const fixture of FIXTURES.filter((each) => only.test(getHostName(each)))) {
      const page = await context.newPage();
      await page.goto(states.getUrl(fixture));
      const isReady = await page
        .locator('html[data-fixture="ready"]')
        .waitFor({ timeout: PATIENCE_MS })
        .then(
          () => true,
          () => false,
        );
      if (!isReady) console.error(`${name}, ${getHostName(fixture)}: did not become ready`);
      // A sheet covers the top of its page, so the viewport is enough.
      const height = await page.evaluate(() =>
        document.querySelector('dialog[open]') ? 0 : document.documentElement.scrollHeight,
      );
      await page.setViewportSize({
        ...shape.viewport,
        height: Math.min(Math.max(height, shape.viewport.height), LONGEST_PX),
      });
      await page.screenshot({ path: path.join(folder, `${name}-${getHostName(fixture)}.png`) });
      await page.close();
    }
    await context.close();
  }
  await browser.close();
}

const { values } = parseArgs({ options: { pictures: { type: 'string' }, only: { type: 'string', default: '' } } });
execFileSync(process.execPath, ['--import', 'tsx', 'scripts/build.ts'], { stdio: 'inherit' });
const states = await serveStates(values.pictures === undefined ? PORT : 0);
if (values.pictures === undefined) console.log(`${FIXTURES.length} states at ${states.url}`);
else {
  await takePictures(states, values.pictures, new RegExp(values.only));
  await states.close();
}
