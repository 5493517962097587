import { execFileSync } from 'node:child_process';
import { cpus, totalmem } from 'node:os';
import { findChromium } from '../scripts/find-chromium.ts';

/** What the figures were measured on, without saying whose machine it is. */
export async function describeMachine(): Promise<string> {
  const chromium = execFileSync(await findChromium(), ['--version'], { encoding: 'utf8' });
  const version = /\d+(\.\d+)+/.exec(chromium)?.[0] ?? 'unknown';
  const cores = cpus();
  const memory = `${Math.round(totalmem() / 2 ** 30)} GiB memory`;
  return `${cores.length} cores, ${memory}, ${process.platform} ${process.arch}, Node ${process.versions.node}, Chromium ${version}`;
}
