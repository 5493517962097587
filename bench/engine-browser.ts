import type { Page } from '@playwright/test';
import { build } from 'esbuild';
import { basename } from 'node:path';
import { fileURLToPath } from 'node:url';
import { openDevice, type Device } from '#tests/e2e/support/device.ts';
import type { Person } from '#tests/e2e/support/people.ts';

const BENCH_PATH = '/bench/';
const ENTRY_POINTS = ['bench/engine-page.ts', 'src/lib/digest-worker.ts'];
let bundled: Promise<Map<string, string>> | undefined;

/** Bundles the engine page and the worker that it starts. The test browser serves them, so the app does not ship them. */
function engineScripts(): Promise<Map<string, string>> {
  bundled ??= build({
    absWorkingDir: fileURLToPath(new URL('..', import.meta.url)),
    entryPoints: ENTRY_POINTS,
    entryNames: '[name]',
    // The page asks for its worker by the name of the source file.
    outExtension: { '.js': '.ts' },
    outdir: 'bench',
    bundle: true,
    write: false,
    minify: true,
    format: 'esm',
    target: 'es2022',
    define: { 'import.meta.env.VITE_API_BASE_URL': '""' },
    logLevel: 'warning',
  }).then(({ outputFiles }) => new Map(outputFiles.map(({ path, text }) => [basename(path), text])));
  return bundled;
}

/**
 * Opens a browser with a profile on disk, on a page of the server's origin that contains the engine of `person`.
 * @param files responses for further addresses under /bench/
 */
export async function openEngine(
  url: string,
  person: Person,
  files: Record<string, Buffer> = {},
): Promise<{ device: Device; page: Page }> {
  const device = await openDevice({ url, shape: 'desktop' });
  const scripts = await engineScripts();
  await device.context.route(`**${BENCH_PATH}**`, async (route) => {
    const name = new URL(route.request().url()).pathname.slice(BENCH_PATH.length);
    if (name === '') {
      return route.fulfill({
        contentType: 'text/html',
        body: `<!doctype html><script type="module" src="${BENCH_PATH}engine-page.ts"></script>`,
      });
    }
    const script = scripts.get(name);
    if (script !== undefined) return route.fulfill({ contentType: 'text/javascript', body: script });
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
