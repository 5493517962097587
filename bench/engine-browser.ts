import type { Page } from '@playwright/test';
import { build } from 'esbuild';
import { openDevice, type Device } from '#tests/e2e/support/device.ts';
import type { Person } from '#tests/e2e/support/people.ts';

const BENCH_PATH = '/bench/';
let bundled: Promise<string> | undefined;

/** Bundles the engine page into one script. The test browser serves it, so the app does not ship it. */
function engineScript(): Promise<string> {
  bundled ??= build({
    entryPoints: [new URL('engine-page.ts', import.meta.url).pathname],
    bundle: true,
    write: false,
    minify: true,
    format: 'iife',
    target: 'es2022',
    define: { 'import.meta.env.VITE_API_BASE_URL': '""' },
    logLevel: 'warning',
  }).then(({ outputFiles }) => outputFiles[0]?.text ?? '');
  return bundled;
}

/**
 * Opens a browser with a profile on disk, on a page of the server's origin that contains the engine of `person`. @param
 * files responses for further addresses under /bench/
 */
export async function openEngine(
  url: string,
  person: Person,
  files: Record<string, Buffer> = {},
): Promise<{ device: Device; page: Page }> {
  const device = await openDevice({ url, shape: 'desktop' });
  const script = await engineScript();
  await device.context.route(`**${BENCH_PATH}**`, async (route) => {
    const name = new URL(route.request().url()).pathname.slice(BENCH_PATH.length);
    if (name === '') {
      return route.fulfill({
        contentType: 'text/html',
        body: `<!doctype html><script src="${BENCH_PATH}engine.js"></script>`,
      });
    }
    if (name === 'engine.js') return route.fulfill({ contentType: 'text/javascript', body: script });
    const file = files[name];
    return file ? route.fulfill({ body: file }) : route.abort();
  });
  await device.open(BENCH_PATH);
  await device.page.evaluate(([id, token]) => window.enginePage.open(id, token), [
    String(person.id),
    person.token,
  ] as const);
  return { device, page: device.page };
}
