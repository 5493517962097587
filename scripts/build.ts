/**
 * Builds outdated parts: the app with Vite into dist/app and the server with esbuild into dist/server. A part is
 * outdated when the content of its sources has changed. `--all` builds both unconditionally.
 */
import { build as bundle } from 'esbuild';
import { execFile } from 'node:child_process';
import { rm } from 'node:fs/promises';
import { promisify } from 'node:util';
import { compressFolder } from './precompress.ts';
import { SERVER_BUNDLE } from './server-bundle.ts';
import { isFresh, markFresh } from './stale.ts';

const sharedInputs = ['contract', 'package-lock.json', 'package.json', 'scripts'];

interface Part {
  name: string;
  inputs: string[];
  output: string;
  build: () => Promise<void>;
}

const isForced = process.argv.includes('--all');
const run = promisify(execFile);

/** Builds the pages and the worker. Prints the output of Vite only for an explicit build or a failed one. */
async function runVite(): Promise<void> {
  const vite = run(process.execPath, ['node_modules/vite/bin/vite.js', 'build', '--logLevel', 'warn']);
  try {
    const { stdout, stderr } = await vite;
    if (isForced) process.stdout.write(stdout + stderr);
  } catch (error) {
    const { stdout, stderr } = error as { stdout?: string; stderr?: string };
    process.stderr.write(`${stdout ?? ''}${stderr ?? ''}`);
    throw error;
  }
}

const app: Part = {
  name: 'app',
  inputs: [...sharedInputs, 'index.html', 'vite.config.ts', 'src', 'public', 'docs/for-performers', 'docs/for-casting'],
  output: 'dist/app',
  build: async () => {
    await runVite();
    await compressFolder('dist/app');
  },
};

const server: Part = {
  name: 'server',
  inputs: [...sharedInputs, 'server'],
  output: 'dist/server',
  build: async () => {
    await rm('dist/server', { recursive: true, force: true });
    await bundle({
      ...SERVER_BUNDLE,
      outdir: 'dist/server',
      sourcemap: true,
    });
  },
};

for (const part of [app, server]) {
  // Build settings such as VITE_API_BASE_URL are compiled in, so they count as sources.
  const settings = Object.entries(process.env).filter(([name]) => name.startsWith('VITE_'));
  const stamp = { inputs: part.inputs, settings: JSON.stringify(settings.sort()), output: part.output };
  if (!isForced && (await isFresh(stamp))) continue;
  const startedAt = performance.now();
  if (process.stdout.isTTY) console.log(`Building the ${part.name}…`);
  await part.build();
  await markFresh(stamp);
  console.log(`Built the ${part.name} in ${((performance.now() - startedAt) / 1000).toFixed(1)} s`);
}
