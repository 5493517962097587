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

function installed(): string | undefined {
  const folders = (process.env['PATH'] ?? '').split(delimiter);
  const onPath = names.flatMap((name) => folders.map((folder) => join(folder, name)));
  return [...onPath, ...fixedPlaces].find(isProgram);
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

function installWithApt(): boolean {
  const isDebianRoot = existsSync('/etc/debian_version') && process.getuid?.() === 0;
  if (!isDebianRoot) return false;
  console.error('No Chromium here yet; installing it with apt-get.');
  const install = () =>
    run('apt-get', 'install', '-y', '-qq', '--no-install-recommends', 'chromium', 'fonts-liberation');
  return (run('apt-get', 'update', '-qq') && install()) || install();
}

/**
 * The Chromium for browser tests and pictures: CHROMIUM_PATH, one on the PATH, Playwright's, else it is installed (apt as
 * root on Debian, Playwright's download elsewhere).
 * @throws an Error of one line that names the command to run, where none can be had
 */
export async function findChromium(): Promise<string> {
  const named = process.env['CHROMIUM_PATH'];
  if (named) {
    if (isProgram(named)) return named;
    throw new Error(`CHROMIUM_PATH names ${named}, which is no program; point it to a Chromium or unset it`);
  }
  const ready = installed() ?? (await fromPlaywright());
  if (ready) return ready;
  if (installWithApt()) {
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
