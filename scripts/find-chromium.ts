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

/** The program that a variable of the environment names, if it is set. */
function named(variable: string): string | undefined {
  const program = process.env[variable];
  if (program && !isProgram(program)) {
    throw new Error(`${variable} names ${program}, which is no program; point it to a Chromium or unset it`);
  }
  return program || undefined;
}

/** Playwright's own browser, where it was installed before or the network lets it be fetched now. */
async function fromPlaywright(): Promise<string | undefined> {
  const { chromium } = await import('@playwright/test');
  return [chromium.executablePath()].find(isProgram);
}

const run = (command: string, ...args: string[]) =>
  spawnSync(command, args, {
    // What installers say is for people watching, not part of a test's answer.
    stdio: ['ignore', 2, 2],
    env: { ...process.env, DEBIAN_FRONTEND: 'noninteractive' },
    shell: process.platform === 'win32',
  }).status === 0;

function installWithApt(...packages: string[]): boolean {
  const isDebianRoot = existsSync('/etc/debian_version') && process.getuid?.() === 0;
  if (!isDebianRoot) return false;
  console.error(`No ${packages[0]} here yet; installing it with apt-get.`);
  const install = () => run('apt-get', 'install', '-y', '-qq', '--no-install-recommends', ...packages);
  return (run('apt-get', 'update', '-qq') && install()) || install();
}

/**
 * The Chromium for browser tests and pictures: CHROMIUM_PATH, one on the PATH, Playwright's, else it is installed (apt as
 * root on Debian, Playwright's download elsewhere).
 * @throws an Error of one line that names the command to run, where none can be had
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
 * The headless shell: the same engine without windows, a tenth cheaper, lacking what belongs to a whole browser, such as
 * installing apps or waking workers. HEADLESS_SHELL_PATH, one on the PATH, else it is installed (apt as root on Debian);
 * the Chromium of `findChromium` where it cannot be had.
 */
export async function findHeadlessShell(): Promise<string> {
  const program = 'chromium-headless-shell';
  const ready = named('HEADLESS_SHELL_PATH') ?? onPath(program);
  if (ready) return ready;
  return (installWithApt(program) ? onPath(program) : undefined) ?? findChromium();
}

/**
 * Fonts for the scripts people write in, where they are missing and can be installed (apt as root on Debian). Without them
 * a browser looks through all fonts for every word, which takes it several times longer than to draw it.
 */
export function findFonts(): void {
  const { status, stdout } = spawnSync('fc-list', [':lang=hi', 'family'], { encoding: 'utf8' });
  if (status !== 0 || stdout.trim() !== '') return;
  if (installWithApt('fonts-noto-core', 'fonts-noto-cjk', 'fonts-noto-color-emoji')) return;
  console.error('No fonts here for Indian scripts: text in them is slower to draw than on a phone.');
}
