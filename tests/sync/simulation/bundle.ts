import { build } from 'esbuild';
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join, relative, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import type * as Run from './play.ts';

/** One edit of the engine's source. `find` must occur exactly once in the file. */
export interface Edit {
  /** Path relative to the project root. */
  file: string;
  find: string;
  replace: string;
}

export type Runner = Pick<typeof Run, 'play'>;

const root = resolve(import.meta.dirname, '../../..');

/**
 * Files of a few kilobytes instead of megabytes have the same number of chunks and pieces and take a hundredth of the
 * time. The browser tests send real files.
 */
const SMALL_FILES: Edit[] = [
  ['CHUNK_BYTES = 1024 * 1024', 'CHUNK_BYTES = 4096'],
  ['FIRST_PIECE_BYTES = 512 * 1024', 'FIRST_PIECE_BYTES = 2048'],
  ['MIN_PIECE_BYTES = 256 * 1024', 'MIN_PIECE_BYTES = 1024'],
  ['MAX_PIECE_BYTES = 4 * 1024 * 1024', 'MAX_PIECE_BYTES = 4096'],
  ['CAREFUL_PIECE_BYTES = 1024 * 1024', 'CAREFUL_PIECE_BYTES = 2048'],
].map(([find, replace]) => ({ file: 'src/sync/files/upload.ts', find: find!, replace: replace! }));

/** Marking notifications as read takes several calls. */
const SMALL_CALLS: Edit = {
  file: 'contract/limits.ts',
  find: 'notificationsPerRequest: 500',
  replace: 'notificationsPerRequest: 3',
};

function edited(path: string, edits: readonly Edit[]): string {
  let text = readFileSync(path, 'utf8');
  for (const edit of edits) {
    const parts = text.split(edit.find);
    if (parts.length !== 2) {
      throw new Error(
        `${edit.file} has ${parts.length - 1} occurrences of\n${edit.find}\nThe edit no longer fits the source.`,
      );
    }
    text = parts.join(edit.replace);
  }
  return text;
}

const ACTIVE = join(import.meta.dirname, '../bugs/active.ts');
const REAL = '?real';
/** Replaces src/open-store/store-loss.ts: simulated pages have no window to reload. */
const STORE_LOSS = join(import.meta.dirname, 'store-loss-stub.ts');

/** Returns the source of a module whose functions ask at each call whether a bug replaces them. */
function shim(path: string, file: string, names: readonly string[]): string {
  const real = JSON.stringify(path + REAL);
  return [
    `export * from ${real};`,
    `import * as real from ${real};`,
    `import { swapped } from ${JSON.stringify(ACTIVE)};`,
    ...names.map((name) => {
      const key = `${JSON.stringify(file)}, ${JSON.stringify(name)}`;
      return `export function ${name}(...args) { return swapped(${key}, real.${name})(...args); }`;
    }),
  ].join('\n');
}

/** Names of the functions that bugs may replace, by file. */
export type Hooks = ReadonlyMap<string, readonly string[]>;

/**
 * Bundles the simulation and the engine into one module, with the given edits of the engine, and loads it. Each build
 * has its own module state, so a broken engine never affects a correct one.
 */
export async function loadRunner<R = Runner>(
  name: string,
  edits: readonly Edit[] = [],
  entry = 'simulation/play.ts',
  hooks: Hooks = new Map(),
): Promise<R> {
  const all = [...SMALL_FILES, SMALL_CALLS, ...edits];
  const byFile = new Map<string, Edit[]>();
  for (const edit of all) byFile.set(edit.file, [...(byFile.get(edit.file) ?? []), edit]);
  const met = new Set<string>();
  const result = await build({
    entryPoints: [join(import.meta.dirname, '..', entry)],
    absWorkingDir: root,
    bundle: true,
    write: false,
    format: 'esm',
    platform: 'node',
    target: 'node20',
    sourcemap: 'inline',
    // The browser build uses this file, too. Dexie's other build targets engines of 2015 and is a third slower.
    alias: { dexie: join(root, 'node_modules/dexie/dist/modern/dexie.mjs') },
    banner: { js: "import { createRequire } from 'node:module'; const require = createRequire(import.meta.url);" },
    plugins: [
      {
        name: 'edits',
        setup(plugin) {
          plugin.onResolve({ filter: /session\/store-loss\.ts$|^\.\/store-loss\.ts$/ }, () => ({ path: STORE_LOSS }));
          plugin.onResolve({ filter: /\?real$/ }, ({ path }) => ({ path: path.slice(0, -REAL.length), suffix: REAL }));
          plugin.onLoad({ filter: /[\\/](src|contract|tests[\\/]sync)[\\/].*\.ts$/ }, ({ path, suffix }) => {
            const file = relative(root, path).replaceAll('\\', '/');
            const hooked = suffix === REAL ? undefined : hooks.get(file);
            if (hooked) return { contents: shim(path, file, hooked), loader: 'js', resolveDir: dirname(path) };
            const wanted = byFile.get(file);
            if (!wanted) return undefined;
            met.add(file);
            return { contents: edited(path, wanted), loader: 'ts', resolveDir: dirname(path) };
          });
        },
      },
    ],
  });
  for (const file of byFile.keys())
    if (!met.has(file) && edits.some((edit) => edit.file === file))
      throw new Error(`${file} is not part of the engine bundle`);
  const folder = join(root, 'node_modules/.cache/simulation');
  mkdirSync(folder, { recursive: true });
  const file = join(folder, `${name.replace(/[^a-z0-9]+/gi, '-')}-${process.pid}.mjs`);
  writeFileSync(file, result.outputFiles[0]!.text);
  try {
    return (await import(pathToFileURL(file).href)) as R;
  } finally {
    rmSync(file);
  }
}
