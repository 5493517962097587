/**
 * `npm run test:network -- --rounds N --seed S`: runs two real browsers and the real server on a network with faults,
 * with occasional kills, and compares the result with a ledger of all writes. Five rounds from seed 1 by default.
 */
import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { findChromium } from './find-chromium.ts';

const { values: asked } = parseArgs({
  options: { rounds: { type: 'string', default: '5' }, seed: { type: 'string', default: '1' } },
});

const run = (args: string[], env: Record<string, string> = {}) =>
  spawnSync(process.execPath, args, { stdio: 'inherit', env: { ...process.env, ...env } }).status ?? 1;

const build = run(['--import', 'tsx', 'scripts/build.ts']);
if (build !== 0) process.exit(build);
const folder = mkdtempSync(join(tmpdir(), 'callboard-network-'));
process.once('exit', () => rmSync(folder, { recursive: true, force: true }));
process.exit(
  run(['node_modules/@playwright/test/cli.js', 'test', '--config', 'tests/network/playwright.config.ts'], {
    CHROMIUM_PATH: await findChromium(),
    NETWORK_ROUNDS: asked.rounds,
    NETWORK_SEED: asked.seed,
    NETWORK_COUNTS: join(folder, 'counts.jsonl'),
  }),
);
