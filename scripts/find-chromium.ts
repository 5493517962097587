import { spawnSync } from 'node:child_process';
import { accessSync, constants, existsSync } from 'node:fs';
import { delimiter, join } from 'node:path';

const names = ['chromium', 'chromium-browser', 'google-chrome', 'google-chrome-stable', 'chrome'];
const fixedPlaces = [
  '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
  '/Applications/Chromium.app/Contents/MacOS/Chromium',
  'C:\\Program Files\\Google\\Chrome\\Application\\chrome.exe',
];

const isProgram = (path: string) => {
  try {
    accessSync(path, constants.X_OK);
    return true;
  } catch {
    return false;
  }
};

function onPath(...programs: string[]): string | undefined {
  const folders = (process.env['PATH'] ?? '').split(delimiter);
  return programs.flatMap((name) => folders.map((folder) => join(folder, name))).find(isProgram);
}

const installed = () => onPath(...names) ?? fixedPlaces.find(isProgram);

/** Returns the program that an environment variable names, or undefined if it is not set. */
function named(variable: string): string | undefined {
  const program = process.env[variable];
  if (program && !isProgram(program)) {
    throw new Error(`${variable} names ${program}, which is not a program; set it to a Chromium or unset it`);
  }
  return program || undefined;
}

/** Returns Playwright's own browser if it is installed. */
async function fromPlaywright(): Promise<string | undefined> {
  const { chromium } = await import('@playwright/test');
  return [chromium.executablePath()].find(isProgram);
}

const run = (command: string, ...args: string[]) =>
  spawnSync(command, args, {
    // The output of installers goes to stderr, so that it does not mix with test results.
    stdio: ['ignore', 2, 2],
    env: { ...process.env, DEBIAN_FRONTEND: 'noninteractive' },
    shell: process.platform === 'win32',
  }).status === 0;

function installWithApt(...packages: string[]): boolean {
  const isDebianRoot = existsSync('/etc/debian_version') && process.getuid?.() === 0;
  if (!isDebianRoot) return false;
  console.error(`${packages[0]} is missing; installing it with apt-get.`);
  const install = () => run('apt-get', 'install', '-y', '-qq', '--no-install-recommends', ...packages);
  return (run('apt-get', 'update', '-qq') && install()) || install();
}

/**
 * Returns the Chromium for browser tests and pictures: CHROMIUM_PATH, one on the PATH or Playwright's. Otherwise
 * installs one (with apt as root on Debian, by Playwright's download elsewhere). @throws an Error of one line with the
 * command to run when no Chromium is available
 */
export async function findChromium(): Promise<string> {
  const ready = named('CHROMIUM_PATH') ?? installed() ?? (await fromPlaywright());
  if (ready) return ready;
  if (installWithApt('chromium', 'fonts-liberation')) {
    const fresh = installed();
    if (fresh) return fresh;
  }
  if (run('npx', 'playwright', 'install', 'chromium')) {
    const fetched = await fromPlaywright();
    if (fetched) return fetched;
  }
  throw new Error(
    'No Chromium for the browser tests: run `sudo apt-get install chromium`, or set CHROMIUM_PATH to one',
  );
}

/**
 * Returns the headless shell: the same engine without windows, 10 % cheaper, without features of a whole browser such
 * as installing apps or waking workers. Looks for HEADLESS_SHELL_PATH and on the PATH, then installs it (with apt as
 * root on Debian). Falls back to `findChromium`.
 */
export async function findHeadlessShell(): Promise<string> {
  const program = 'chromium-headless-shell';
  const ready = named('HEADLESS_SHELL_PATH') ?? onPath(program);
  if (ready) return ready;
  return (installWithApt(program) ? onPath(program) : undefined) ?? findChromium();
}

/**
 * Installs missing fonts for common scripts where possible (with apt as root on Debian). Without them, a browser
 * searches all fonts for every word, which is several times slower than drawing it.
 */
export function findFonts(): void {
  const { status, stdout } = spawnSync('fc-list', [':lang=hi', 'family'], { encoding: 'utf8' });
  if (status !== 0 || stdout.trim() !== '') return;
  if (installWithApt('fonts-noto-core', 'fonts-noto-cjk', 'fonts-noto-color-emoji')) return;
  console.error('Fonts for Indian scripts are missing: such text draws slower than on a phone.');
}
