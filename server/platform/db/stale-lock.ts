import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { readFile, rm } from 'node:fs/promises';
import path from 'node:path';

function getCommand(pid: number): string {
  return spawnSync('ps', ['-o', 'command=', '-p', String(pid)], { encoding: 'utf8' }).stdout ?? '';
}

async function isPostgres(pid: number): Promise<boolean> {
  try {
    process.kill(pid, 0);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ESRCH') return false;
  }
  const command = existsSync('/proc/self/cmdline')
    ? await readFile(`/proc/${pid}/cmdline`, 'utf8').catch(() => '')
    : getCommand(pid);
  return command.includes('postgres');
}

/**
 * Removes lock files whose process is not PostgreSQL. PostgreSQL itself believes a lock file when any process has its pid, as happens
 * after a container restarts.
 * @returns the pid of the PostgreSQL that does hold the folder, or null
 */
export async function clearStaleLock(dataFolder: string, socketFolder: string): Promise<number | null> {
  const locks = [path.join(dataFolder, 'postmaster.pid'), path.join(socketFolder, '.s.PGSQL.5432.lock')];
  for (const lock of locks) {
    const text = await readFile(lock, 'utf8').catch(() => null);
    if (text === null) continue;
    const pid = Number.parseInt(text.split('\n', 1)[0] ?? '', 10);
    if (Number.isSafeInteger(pid) && pid > 0 && (await isPostgres(pid))) return pid;
    await rm(lock, { force: true });
  }
  return null;
}
