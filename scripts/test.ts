/**
 * `npm test` shows what every feature does: Vitest (unit, simulation, server, contract) and, beside it, Playwright against the
 * built app and the real server. One closing line counts all of them.
 *
 * - `--in-turn`: Playwright first, then Vitest. Takes longer; tests that meet a time limit have the machine to themselves.
 * - `--quick`: types, unit tests, 20 simulated seeds, and the server tests that the uncommitted change touches.
 * - `--full`: everything in every quantity, one part after the other.
 * - `--only unit|sync|server|s3|contract|e2e`: one part alone.
 */
import { type ChildProcess, spawn } from 'node:child_process';
import { accessSync, constants, existsSync, mkdtempSync, readFileSync, rmSync, statfsSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { findChromium, findHeadlessShell } from './find-chromium.ts';

interface Count {
  passed: number;
  failed: number;
}
type Env = Record<string, string>;

const { values: asked } = parseArgs({
  options: {
    quick: { type: 'boolean' },
    full: { type: 'boolean' },
    'in-turn': { type: 'boolean' },
    only: { type: 'string' },
  },
});

/** Linux keeps files of this folder in memory. Containers often have only 64 MB of it. */
const MEMORY_FOLDER = '/dev/shm';
const NEEDED_BYTES = 4 * 1024 ** 3;

/** The folder for databases and browser profiles: in memory if there is enough of it, because they are thousands of small files. */
function findTemporaryFolder(): string {
  if (process.env['TMPDIR'] !== undefined) return tmpdir();
  try {
    accessSync(MEMORY_FOLDER, constants.W_OK);
    const { bavail, bsize } = statfsSync(MEMORY_FOLDER);
    return bavail * bsize >= NEEDED_BYTES ? MEMORY_FOLDER : tmpdir();
  } catch {
    return tmpdir();
  }
}

const folder = mkdtempSync(join(findTemporaryFolder(), 'callboard-test-'));
const children = new Set<ChildProcess>();
process.once('exit', () => {
  for (const child of children) child.kill('SIGTERM');
  rmSync(folder, { recursive: true, force: true });
});
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => process.exit(1));

/** Runs Node with these arguments; resolves with its exit code. */
function node(args: string[], env: Env = {}): Promise<number> {
  return new Promise((resolve, reject) => {
    const child = spawn(process.execPath, args, { stdio: 'inherit', env: { ...process.env, TMPDIR: folder, ...env } });
    children.add(child);
    child.once('error', reject);
    child.once('close', (exitCode) => {
      children.delete(child);
      resolve(exitCode ?? 1);
    });
  });
}

/** A run that fails without a failed test, for example a file that does not load, counts as one failure. */
const orOneFailure = (count: Count, exitCode: number): Count =>
  exitCode !== 0 && count.failed === 0 ? { ...count, failed: 1 } : count;

/** Runs a command as a single check. */
const command = async (args: string[], env?: Env): Promise<Count> =>
  (await node(args, env)) === 0 ? { passed: 1, failed: 0 } : { passed: 0, failed: 1 };

const readReport = (file: string): unknown => (existsSync(file) ? JSON.parse(readFileSync(file, 'utf8')) : {});

async function runVitest(name: string, projects: string[], more: string[] = [], env?: Env): Promise<Count> {
  const file = join(folder, `vitest-${name}.json`);
  const only = projects.flatMap((project) => ['--project', project]);
  const reporters = ['--reporter=default', '--reporter=json', `--outputFile.json=${file}`];
  const exitCode = await node(['node_modules/vitest/vitest.mjs', 'run', ...reporters, ...only, ...more], env);
  const report = readReport(file) as { numPassedTests?: number; numFailedTests?: number };
  return orOneFailure({ passed: report.numPassedTests ?? 0, failed: report.numFailedTests ?? 0 }, exitCode);
}

async function runPlaywright(env: Env = {}): Promise<Count> {
  let browsers: Env;
  try {
    browsers = { CHROMIUM_PATH: await findChromium(), HEADLESS_SHELL_PATH: await findHeadlessShell() };
  } catch (error) {
    console.error(error instanceof Error ? error.message : error);
    return { passed: 0, failed: 1 };
  }
  if ((await node(['--import', 'tsx', 'scripts/build.ts'])) !== 0) return { passed: 0, failed: 1 };
  const file = join(folder, 'playwright.json');
  const exitCode = await node(['node_modules/@playwright/test/cli.js', 'test', '--reporter=list,json'], {
    ...env,
    ...browsers,
    PWTEST_CACHE_DIR: join('node_modules', '.cache', 'playwright'),
    PLAYWRIGHT_JSON_OUTPUT_NAME: file,
  });
  const { stats } = readReport(file) as { stats?: { expected: number; unexpected: number; flaky: number } };
  return orOneFailure(
    { passed: stats?.expected ?? 0, failed: (stats?.unexpected ?? 0) + (stats?.flaky ?? 0) },
    exitCode,
  );
}

const simulate = (seeds: number, ...more: string[]): Promise<Count> =>
  command(['--import', 'tsx', 'tests/sync/simulate.ts', '--seeds', String(seeds), ...more]);

const FULL: Env = { FULL: '1' };
const SUITES = ['unit', 'sync', 'server', 'contract'];
/** Seeds rotate through the themes of the simulation, so this number gives about 2,000 runs of each. */
const SEEDS_OF_ALL_THEMES = 20_000;

/** The parts of the chosen suite. Parts in one list run in parallel, the lists one after another. */
function chooseParts(): (() => Promise<Count>)[][] {
  const { only } = asked;
  if (only === 'e2e') return [[() => runPlaywright()]];
  if (only !== undefined) return [[() => runVitest(only, [only])]];
  if (asked.quick)
    return [
      [
        () => command(['node_modules/typescript-7/bin/tsc', '-b']),
        () => runVitest('unit', ['unit']),
        () => simulate(20),
      ],
      [() => runVitest('changed', ['server'], ['--changed', '--passWithNoTests'])],
    ];
  if (asked.full)
    return [
      [() => runVitest('full', [...SUITES, 's3'], [], FULL)],
      [() => runPlaywright(FULL)],
      [() => command(['--import', 'tsx', 'scripts/test-browsers.ts'])],
      [() => command(['--import', 'tsx', 'scripts/test-network.ts'])],
      [() => command(['--import', 'tsx', 'bench/run.ts', '--quick'])],
      [() => simulate(SEEDS_OF_ALL_THEMES)],
      [() => simulate(20_000, '--theme', 'a sealed file')],
      [() => simulate(2000, '--basic')],
      [() => simulate(2000, '--chat')],
      [() => simulate(1000, '--chat', '--basic')],
      [() => simulate(2000, '--casting')],
    ];
  const both = [() => runPlaywright(), () => runVitest('default', SUITES)];
  return asked['in-turn'] ? both.map((part) => [part]) : [both];
}

const counts: Count[] = [];
for (const parts of chooseParts()) counts.push(...(await Promise.all(parts.map((part) => part()))));

const passed = counts.reduce((sum, count) => sum + count.passed, 0);
const failed = counts.reduce((sum, count) => sum + count.failed, 0);
const isEmpty = !asked.quick && counts.some((count) => count.passed + count.failed === 0);
if (isEmpty) console.error('A part of the suite ran no test at all.');
console.log(`\n${passed} passed, ${failed} failed`);
process.exit(failed === 0 && !isEmpty ? 0 : 1);
