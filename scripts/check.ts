/**
 * `npm run check`: types, lint, format, import rules between folders, unused code and the lockfile. Independent tools
 * run in parallel. The output of a tool is printed under its name when it finishes. Every tool but the check of the lockfile has a cache below
 * `node_modules/.cache`, so that a second run checks only what has changed.
 */
import { spawn } from 'node:child_process';

interface Tool {
  name: string;
  args: string[];
}

const CACHE = 'node_modules/.cache';

// TypeScript 7 checks several times faster. The linter still needs version 6 (docs/decisions/018-checks.md).
const types: Tool = { name: 'types', args: ['node_modules/typescript-7/bin/tsc', '-b'] };
const lint = (part: string, which: string[]): Tool => ({
  name: `lint of ${part}`,
  args: [
    'node_modules/eslint/bin/eslint.js',
    ...which,
    '--cache',
    '--cache-strategy=content',
    `--cache-location=${CACHE}/eslint-${part}`,
  ],
});
const APP = ['contract', 'src'];
const lintOfApp = lint('app', APP);
const lintOfRest = lint('rest', ['.', ...APP.flatMap((folder) => ['--ignore-pattern', `${folder}/**`])]);
// In its usual place, the next run of Prettier without a cache would delete the cache.
const format: Tool = {
  name: 'format',
  args: [
    'node_modules/prettier/bin/prettier.cjs',
    '--check',
    '.',
    '--cache',
    '--cache-strategy=content',
    `--cache-location=${CACHE}/prettier-check`,
  ],
};
const cruise = (name: string, config: string): Tool => ({
  name,
  args: [
    'node_modules/dependency-cruiser/bin/dependency-cruise.mjs',
    'contract',
    'src',
    'server',
    '--config',
    config,
    '--cache',
    `${CACHE}/${config.slice(1)}`,
    '--cache-strategy=content',
  ],
});
const arrows = cruise('arrows', '.dependency-cruiser.cjs');
const loaded = cruise('runtime imports', '.dependency-cruiser.runtime.cjs');
const unused: Tool = { name: 'unused code', args: ['node_modules/knip/bin/knip.js', '--cache'] };
const lockfile: Tool = { name: 'lockfile', args: ['scripts/lockfile.mjs', '--check'] };

function run({ name, args }: Tool): Promise<boolean> {
  return new Promise((resolve, reject) => {
    const startedAt = performance.now();
    const child = spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'pipe'] });
    const output: string[] = [];
    for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk) => output.push(String(chunk)));
    child.once('error', reject);
    child.once('close', (exitCode) => {
      const seconds = ((performance.now() - startedAt) / 1000).toFixed(1);
      const isFine = exitCode === 0;
      console.log(`${isFine ? '✓' : '✗'} ${name} (${seconds} s)`);
      if (!isFine) console.log(output.join(''));
      resolve(isFine);
    });
  });
}

async function runInOrder(tools: readonly Tool[]): Promise<boolean> {
  let allFine = true;
  for (const tool of tools) allFine = (await run(tool)) && allFine;
  return allFine;
}

// The linter reads the declarations that the type check writes, so both of its parts run afterwards.
const typed = run(types);
const results = await Promise.all([
  typed,
  typed.then(() => runInOrder([lintOfApp, arrows, loaded, unused])),
  Promise.all([typed, runInOrder([lockfile, format])]).then(async ([, isFine]) => (await run(lintOfRest)) && isFine),
]);
process.exit(results.every(Boolean) ? 0 : 1);
