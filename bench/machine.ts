import { execFileSync } from 'node:child_process';
import { cpus, loadavg, totalmem } from 'node:os';
import { findChromium } from '../scripts/find-chromium.ts';

/** Describes the machine and its load without identifying it. */
export async function describeMachine(): Promise<string> {
  const chromium = execFileSync(await findChromium(), ['--version'], {
    encoding: 'utf8',
    // Browser wrappers of some systems print warnings to stderr.
    stdio: ['ignore', 'pipe', 'ignore'],
  });
  const version = /\d+(\.\d+)+/.exec(chromium)?.[0] ?? 'unknown';
  const cores = cpus();
  const memory = `${Math.round(totalmem() / 2 ** 30)} GiB memory`;
  const load = (loadavg()[0] ?? 0).toFixed(1);
  return `${cores.length} cores (load ${load} before the first run), ${memory}, ${process.platform} ${process.arch}, Node ${process.versions.node}, Chromium ${version}`;
}
