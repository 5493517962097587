import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';

/**
 * The command of a running process: the program and its arguments. Empty if no process has this number; on Linux, a thread of another process
 * may have it.
 */
export async function readCommand(pid: number): Promise<string[]> {
  if (!existsSync('/proc/self/cmdline')) {
    const listed = spawnSync('ps', ['-o', 'command=', '-p', String(pid)], { encoding: 'utf8' }).stdout ?? '';
    return listed.split(' ');
  }
  const read = (name: string) => readFile(`/proc/${pid}/${name}`, 'utf8').catch(() => '');
  const isProcess = new RegExp(`^Tgid:\\s*${pid}$`, 'm').test(await read('status'));
  return isProcess ? (await read('cmdline')).split('\0') : [];
}
