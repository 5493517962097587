import type { BuildOptions } from 'esbuild';
import path from 'node:path';

const root = path.resolve(import.meta.dirname, '..');

/** esbuild options for the server: the server itself and the worker thread that inspects files. */
export const SERVER_BUNDLE = {
  entryPoints: {
    main: path.join(root, 'server/main.ts'),
    'inspect-worker': path.join(root, 'server/features/media/inspect/worker.ts'),
  },
  bundle: true,
  packages: 'external',
  platform: 'node',
  format: 'esm',
  target: 'node20',
  logLevel: 'warning',
} satisfies BuildOptions;
