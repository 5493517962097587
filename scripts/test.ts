/**
 * `npm test`: every suite, in two runs (vitest, then Playwright against the built app and the real server), and one
 * closing line that counts both. Arguments: `--only unit|sync|server|s3|contract|e2e`.
 */
import { spawnSync } from 'node:child_process';
import { mkdtempSync, existsSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { findChromium, findHeadlessShell } from './find-chromium.ts';

interface Count {
  passed: number;
  failed: number;
}

const folder = mkdtempSync(join(tmpdir(), 'callboard-test-'));
const node = (args: string[], env: Record<string, string> = {}) =>
  spawnSync(process.execPath, args, { stdio: 'inherit', env: { ...process.env, ...env } }).status ?? 1;

/** A run that ends badly without a failed test (a file that does not load, an error outside of tests) counts as one failure. */
const orOneFailure = (count: Count, exitCode: number): Count =>
  exitCode !== 0 && count.failed === 0 ? { ...count, failed: 1 } : count;

const readReport = (file: string): unknown => (existsSync(file) ? JSON.parse(readFileSync(file, 'utf8')) : {});

function runVitest(project: string | undefined): Count {
  const file = join(folder, 'vitest.json');
  const only = project ? ['--project', project] : [];
  const reporters = ['--reporter=default', '--reporter=json', `--outputFile.json=${file}`];
  const exitCode = node(['node_modules/vitest/vitest.mjs', 'run', ...reporters, ...only]);
  const report = readReport(file) as { numPassedTests?: number; numFailedTests?: number };
  return orOneFailure({ passed: report.numPassedTests ?? 0, failed: report.numFailedTests ?? 0 }, exitCode);
}

async function runPlaywright(): Promise<Count> {
  let browsers: Record<string, string>;
  try {
    browsers = { CHROMIUM_PATH: await findChromium(), HEADLESS_SHELL_PATH: await findHeadlessShell() };
  } catch (error) {
    console.error(error instanceof Error ? error.message : error);
    return { passed: 0, failed: 1 };
  }
  if (node(['--import', 'tsx', 'scripts/build.ts']) !== 0) return { passed: 0, failed: 1 };
  const file = join(folder, 'playwright.json');
  const exitCode = node(['node_modules/@playwright/test/cli.js', 'test', '--reporter=list,json'], {
    ...browsers,
    PLAYWRIGHT_JSON_OUTPUT_NAME: file,
  });
  const { stats } = readReport(file) as { stats?: { expected: number; unexpected: number; flaky: number } };
  return orOneFailure(
    { passed: stats?.expected ?? 0, failed: (stats?.unexpected ?? 0) + (stats?.flaky ?? 0) },
    exitCode,
  );
}

const onlyAt = process.argv.indexOf('--only');
const only = onlyAt < 0 ? undefined : process.argv[onlyAt + 1];
const counts: Count[] = [];
if (only !== 'e2e') counts.push(runVitest(only));
if (only === undefined || only === 'e2e') counts.push(await runPlaywright());
rmSync(folder, { recursive: true });

const passed = counts.reduce((sum, count) => sum + count.passed, 0);
const failed = counts.reduce((sum, count) => sum + count.failed, 0);
if (counts.some((count) => count.passed + count.failed === 0)) console.error('A part of the suite ran no test at all.');
console.log(`\n${passed} passed, ${failed} failed`);
process.exit(failed === 0 && counts.every((count) => count.passed > 0) ? 0 : 1);
