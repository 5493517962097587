/**
 * `npm run test:browsers`: runs the offline tests in Firefox and in WebKitGTK, the engine of Safari. Arguments go to
 * Playwright, for example `--project webkit`. Missing packages are installed with apt as root on Debian and listed
 * elsewhere.
 */
import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';

/** Programs and files that the tests need, with their Debian packages. */
const NEEDED: [file: string, name: string][] = [
  ['/usr/bin/firefox-esr', 'firefox-esr'],
  ['/usr/bin/WebKitWebDriver', 'webkit2gtk-driver'],
  ['/usr/bin/Xvfb', 'xvfb'],
  ['/usr/bin/xauth', 'xauth'],
  ['/usr/bin/gst-launch-1.0', 'gstreamer1.0-tools'],
  ['/usr/share/doc/gstreamer1.0-plugins-good', 'gstreamer1.0-plugins-good'],
  ['/usr/share/doc/gstreamer1.0-plugins-bad', 'gstreamer1.0-plugins-bad'],
  ['/usr/share/doc/gstreamer1.0-libav', 'gstreamer1.0-libav'],
  ['/usr/share/doc/python3-gi', 'python3-gi'],
  ['/usr/share/doc/gir1.2-webkit2-4.1', 'gir1.2-webkit2-4.1'],
];

const run = (command: string, args: string[], env: Record<string, string> = {}) =>
  spawnSync(command, args, { stdio: 'inherit', env: { ...process.env, ...env } }).status ?? 1;

const findMissing = () => NEEDED.filter(([file]) => !existsSync(file)).map(([, name]) => name);

const missing = findMissing();
if (missing.length > 0 && existsSync('/etc/debian_version') && process.getuid?.() === 0) {
  console.error(`Installing ${missing.join(', ')} with apt-get.`);
  const apt = (...args: string[]) => run('apt-get', ['-qq', ...args], { DEBIAN_FRONTEND: 'noninteractive' });
  apt('update');
  apt('install', '-y', '--no-install-recommends', ...missing);
}
const stillMissing = findMissing();
if (stillMissing.length > 0) {
  console.error(`The tests in other browsers need missing packages: sudo apt-get install ${stillMissing.join(' ')}`);
  console.error('They run only on Debian and Ubuntu: no other system packages the engine of Safari.');
  process.exit(1);
}

const build = run(process.execPath, ['--import', 'tsx', 'scripts/build.ts']);
if (build !== 0) process.exit(build);
const playwright = ['node_modules/@playwright/test/cli.js', 'test', '--config', 'tests/browsers/playwright.config.ts'];
process.exit(
  run('xvfb-run', ['--auto-servernum', process.execPath, ...playwright, ...process.argv.slice(2)], {
    FIREFOX_PATH: '/usr/bin/firefox-esr',
    WEBKIT_DRIVER_PATH: '/usr/bin/WebKitWebDriver',
    // WebKit's sandbox needs permissions that containers do not have.
    WEBKIT_DISABLE_SANDBOX_THIS_IS_DANGEROUS: '1',
  }),
);
