/**
 * `npm test` shows what every feature does: Vitest (unit, simulation, server, contract) and, beside it, Playwright against the
 * built app and the real server. The closing lines name every failed test and count all of them, because a log is often kept
 * without its beginning.
 *
 * - `--in-turn`: Playwright first, then Vitest. Takes longer; tests that meet a time limit have the machine to themselves.
 * - `--quick`: types, unit tests, 20 simulated seeds, and the server tests that the uncommitted change touches.
 * - `--full`: everything in every quantity, one part after the other.
 * - `--only unit|sync|server|s3|contract|e2e`: one part alone.
 */
import { type ChildProcess, spawn } from 'node:child_process';
import { accessSync, constants, existsSync, mkdtempSync, readFileSync, rmSync, statfsSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, relative } from 'node:path';
import { parseArgs } from 'node:util';
import { findChromium, findHeadlessShell } from './find-chromium.ts';

interface Result {
  passed: number;
  /** What failed, as a person reads it. */
  failures: string[];
}
const NOTHING: Result = { passed: 0, failures: [] };
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

/** A run that ends badly without a failed test, for example because of a file that does not load, is a failure itself. */
const orFailedRun = (name: string, { passed, failures }: Result, exitCode: number): Result => ({
  passed,
  failures: exitCode !== 0 && failures.length === 0 ? [`${name} ended with code ${exitCode}`] : failures,
});

/** Runs a command as a single check. */
async function command(args: string[], env?: Env): Promise<Result> {
  const exitCode = await node(args, env);
  if (exitCode === 0) return { passed: 1, failures: [] };
  return orFailedRun(args.filter((arg) => arg !== '--import' && arg !== 'tsx').join(' '), NOTHING, exitCode);
}

const readReport = (file: string): unknown => (existsSync(file) ? JSON.parse(readFileSync(file, 'utf8')) : {});

interface VitestReport {
  numPassedTests?: number;
  testResults?: { name: string; assertionResults: { status: string; fullName: string }[] }[];
}

async function runVitest(name: string, projects: string[], more: string[] = [], env?: Env): Promise<Result> {
  const file = join(folder, `vitest-${name}.json`);
  const only = projects.flatMap((project) => ['--project', project]);
  const reporters = ['--reporter=default', '--reporter=json', `--outputFile.json=${file}`];
  const exitCode = await node(['node_modules/vitest/vitest.mjs', 'run', ...reporters, ...only, ...more], env);
  const { numPassedTests: passed = 0, testResults = [] } = readReport(file) as VitestReport;
  const failures = testResults.flatMap(({ name: path, assertionResults }) =>
    assertionResults
      .filter(({ status }) => status === 'failed')
      .map(({ fullName }) => `${relative(process.cwd(), path)}: ${fullName}`),
  );
  return orFailedRun(`Vitest (${name})`, { passed, failures }, exitCode);
}

interface PlaywrightSuite {
  suites?: PlaywrightSuite[];
  specs?: { file: string; line: number; title: string; ok: boolean; tests: { status: string }[] }[];
}
interface PlaywrightReport extends PlaywrightSuite {
  stats?: { expected: number };
}

const listFailedSpecs = ({ suites = [], specs = [] }: PlaywrightSuite): string[] => [
  ...specs
    .filter(({ ok, tests }) => !ok || tests.some(({ status }) => status === 'flaky'))
    .map(({ file, line, title }) => `tests/e2e/${file}:${line}: ${title}`),
  ...suites.flatMap(listFailedSpecs),
];

async function runPlaywright(env: Env = {}): Promise<Result> {
  let browsers: Env;
  try {
    browsers = { CHROMIUM_PATH: await findChromium(), HEADLESS_SHELL_PATH: await findHeadlessShell() };
  } catch (error) {
    return { passed: 0, failures: [error instanceof Error ? error.message : String(error)] };
  }
  const built = await command(['--import', 'tsx', 'scripts/build.ts']);
  if (built.failures.length > 0) return built;
  const file = join(folder, 'playwright.json');
  const exitCode = await node(['node_modules/@playwright/test/cli.js', 'test', '--reporter=list,json'], {
    ...env,
    ...browsers,
    PWTEST_CACHE_DIR: join('node_modules', '.cache', 'playwright'),
    PLAYWRIGHT_JSON_OUTPUT_NAME: file,
  });
  const report = readReport(file) as PlaywrightReport;
  return orFailedRun(
    'Playwright',
    { passed: report.stats?.expected ?? 0, failures: listFailedSpecs(report) },
    exitCode,
  );
}

const simulate = (seeds: number, ...more: string[]): Promise<Result> =>
  command(['--import', 'tsx', 'tests/sync/simulate.ts', '--seeds', String(seeds), ...more]);

const FULL: Env = { FULL: '1' };
const SUITES = ['unit', 'sync', 'server', 'contract'];
/** Seeds rotate through the themes of the simulation, so this number gives about 2,000 runs of each. */
const SEEDS_OF_ALL_THEMES = 20_000;

/** The parts of the chosen suite. Parts in one list run in parallel, the lists one after another. */
function chooseParts(): (() => Promise<Result>)[][] {
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

const results: Result[] = [];
for (const parts of chooseParts()) results.push(...(await Promise.all(parts.map((part) => part()))));

const passed = results.reduce((sum, result) => sum + result.passed, 0);
const failures = results.flatMap((result) => result.failures);
const isEmpty = !asked.quick && results.some((result) => result.passed + result.failures.length === 0);
if (isEmpty) failures.push('A part of the suite ran no test at all');
if (failures.length > 0) console.error(['', ...failures.map((failure) => `Failed: ${failure}`)].join('\n'));
console.log(`\n${passed} passed, ${failures.length} failed`);
process.exit(failures.length === 0 ? 0 : 1);
