import { readFile, rm } from 'node:fs/promises';
import path from 'node:path';
import { readCommand } from '#server/platform/running-process.ts';

async function isPostgres(pid: number): Promise<boolean> {
  return (await readCommand(pid)).some((each) => each.includes('postgres'));
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
