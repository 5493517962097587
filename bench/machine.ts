import { execFileSync } from 'node:child_process';
import { cpus, loadavg, totalmem } from 'node:os';
import { findChromium } from '../scripts/find-chromium.ts';

/** What the figures were measured on, and how busy it was with other things, without saying whose machine it is. */
export async function describeMachine(): Promise<string> {
  const chromium = execFileSync(await findChromium(), ['--version'], {
    encoding: 'utf8',
    // Wrappers of some systems complain there.
    stdio: ['ignore', 'pipe', 'ignore'],
  });
  const version = /\d+(\.\d+)+/.exec(chromium)?.[0] ?? 'unknown';
  const cores = cpus();
  const memory = `${Math.round(totalmem() / 2 ** 30)} GiB memory`;
  const load = (loadavg()[0] ?? 0).toFixed(1);
  return `${cores.length} cores (load ${load} before the first run), ${memory}, ${process.platform} ${process.arch}, Node ${process.versions.node}, Chromium ${version}`;
}
