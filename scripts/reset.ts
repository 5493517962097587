/**
 * `npm run reset`: deletes the database, the stored files and the builds. Removes only what the server and the build
 * create, so that a DATA_DIR with other files keeps them.
 */
import { existsSync } from 'node:fs';
import { readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';

const dataDir = process.env['DATA_DIR'] ?? 'data';

/** Returns whether the database in this folder is running: its lock file names a live process. */
async function isRunning(): Promise<boolean> {
  const lock = join(dataDir, 'postgres', 'postmaster.pid');
  if (!existsSync(lock)) return false;
  const pid = Number.parseInt(await readFile(lock, 'utf8'), 10);
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}

if (await isRunning()) {
  console.error(`Callboard is running on ${dataDir}; stop it first`);
  process.exit(1);
}
const made = ['postgres', 'files', 'passing', 'mail'].map((name) => join(dataDir, name));
for (const folder of [...made, 'dist']) {
  if (!existsSync(folder)) continue;
  await rm(folder, { recursive: true });
  console.log(`Removed ${folder}`);
}
