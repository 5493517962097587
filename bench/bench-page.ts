import { build } from 'esbuild';
import { basename } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Device } from '#tests/e2e/support/device.ts';

/** Address of a page of the bench on the server's origin. */
export const BENCH_PATH = '/bench/';

/** @returns the text of each script, by the name of its source file: pages ask for their workers by that name */
async function bundle(sources: readonly string[]): Promise<Map<string, string>> {
  const { outputFiles } = await build({
    absWorkingDir: fileURLToPath(new URL('..', import.meta.url)),
    entryPoints: [...sources],
    entryNames: '[name]',
    outExtension: { '.js': '.ts' },
    outdir: 'bench',
    bundle: true,
    write: false,
    minify: true,
    // Code that starts workers needs the address of its module.
    format: 'esm',
    target: 'es2022',
    define: { 'import.meta.env.VITE_API_BASE_URL': '""' },
    logLevel: 'warning',
  });
  return new Map(outputFiles.map(({ path, text }) => [basename(path), text]));
}

interface BenchPage {
  /** Source file of the page, from the root of the project. */
  source: string;
  /** Source files of the workers that it starts. */
  workers?: readonly string[];
  /** Responses for further names below `BENCH_PATH`. */
  files?: Readonly<Record<string, Buffer>>;
}

/** Puts a page of the bench at `BENCH_PATH`. The test browser serves it, so the app does not ship it. */
export async function serveBenchPage(
  { context }: Device,
  { source, workers = [], files = {} }: BenchPage,
): Promise<void> {
  const scripts = await bundle([source, ...workers]);
  const html = `<!doctype html><script type="module" src="${BENCH_PATH}${basename(source)}"></script>`;
  await context.route(`**${BENCH_PATH}**`, (route) => {
    const name = new URL(route.request().url()).pathname.slice(BENCH_PATH.length);
    if (name === '') return route.fulfill({ contentType: 'text/html', body: html });
    const script = scripts.get(name);
    if (script !== undefined) return route.fulfill({ contentType: 'text/javascript', body: script });
    const file = files[name];
    return file ? route.fulfill({ body: file }) : route.abort();
  });
}
