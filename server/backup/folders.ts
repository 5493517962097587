import { mkdir, readdir, realpath, rename, rm, stat } from 'node:fs/promises';
import path from 'node:path';
import { ConfigError } from '#server/platform/config.ts';
import { findRunningPostgres } from '#server/platform/db/embedded.ts';
import { readCommand } from '#server/platform/running-process.ts';
import type { Progress } from './make.ts';
import { syncFolder } from './files.ts';

/** What `npm run restore` runs. */
const SCRIPT = 'restore.ts';

/**
 * Whether this process restores. Its number alone says little: after a container restarts, this process, or npm, may have the number of one
 * that was killed.
 */
async function isRestoring(pid: number): Promise<boolean> {
  return pid !== process.pid && (await readCommand(pid)).some((each) => path.basename(each) === SCRIPT);
}

async function isThere(folder: string): Promise<boolean> {
  return (await stat(folder).catch(() => null)) !== null;
}

/** Removes what killed restores into a folder left beside it. */
async function removeUnfinished(into: string): Promise<void> {
  const prefix = `${path.basename(into)}.new-`;
  for (const name of await readdir(path.dirname(into))) {
    const pid = Number(name.slice(prefix.length));
    if (!name.startsWith(prefix) || !Number.isSafeInteger(pid) || pid <= 0) continue;
    const folder = path.join(path.dirname(into), name);
    if (await isRestoring(pid)) {
      throw new ConfigError(`Process ${pid} restores into ${into} already. Wait until it ends`);
    }
    // Its database ends a moment after it, and may still write.
    if ((await findRunningPostgres(folder)) !== null) {
      throw new ConfigError(`The database of an interrupted restore is still stopping. Try again in a few seconds`);
    }
    await rm(folder, { recursive: true, force: true });
  }
}

/** The folder that a restore goes into. */
export interface Target {
  into: string;
  /** What is there, to be kept as the restore point; null if nothing is. */
  present: boolean;
  /** Where everything is made first. */
  fresh: string;
}

/**
 * Checks that a restore may go into a folder, and creates a new one beside it.
 * @throws ConfigError that says what to do
 */
export async function openTarget(
  folder: string,
  { replace, check }: { replace: boolean; check: boolean },
): Promise<Target> {
  const parent = path.dirname(path.resolve(folder));
  await mkdir(parent, { recursive: true, mode: 0o700 });
  const into = path.join(await realpath(parent), path.basename(path.resolve(folder)));
  const entries = await readdir(into).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return [];
    throw new ConfigError(`${into} cannot be used (${error.code}). Choose another folder with --into`);
  });
  const present = entries.length > 0;
  // A check leaves it alone.
  if (!check) await requireReplaceable(into, { present, replace });
  await removeUnfinished(into);
  const fresh = `${into}.new-${process.pid}`;
  await mkdir(path.join(fresh, 'files'), { recursive: true, mode: 0o700 });
  return { into, present, fresh };
}

async function requireReplaceable(
  into: string,
  { present, replace }: { present: boolean; replace: boolean },
): Promise<void> {
  if (present && !replace) {
    throw new ConfigError(
      `${into} is not empty. Choose another folder with --into, or add --replace, which keeps what is there beside it`,
    );
  }
  if (present && !(await isThere(path.join(into, 'postgres'))) && !(await isThere(path.join(into, 'files')))) {
    throw new ConfigError(`${into} holds something other than a Callboard. Choose another folder with --into`);
  }
  if ((await findRunningPostgres(into)) !== null) {
    throw new ConfigError(`A server is running on ${into}. Stop it, then try again`);
  }
}

/** What stays with the data directory, whichever database it holds. */
const KEPT = ['backups'];

const toTime = (now: Date) => now.toISOString().replace(/[-:]|\.\d+/g, '');

/**
 * Puts the restored folder in place. What was there becomes the restore point, and returns if anything fails.
 * @returns the restore point; null if there was nothing
 */
export async function moveIntoPlace({ into, present, fresh }: Target, progress: Progress): Promise<string | null> {
  const parent = path.dirname(into);
  await syncFolder(fresh);
  const before = `${into}.before-${toTime(new Date())}`;
  if (present) {
    await progress(`Keeping ${into} as ${before}`);
    await rename(into, before).catch((error: NodeJS.ErrnoException) => {
      const isMounted = error.code === 'EBUSY' || error.code === 'EXDEV';
      throw new ConfigError(
        isMounted
          ? `${into} is a mounted folder and cannot be renamed. Restore into a folder inside it, and set DATA_DIR to that`
          : `${into} cannot be renamed (${error.code}). Restore as the user that owns it`,
      );
    });
  } else {
    await rm(into, { recursive: true, force: true });
  }
  try {
    await progress(`Moving the restored data to ${into}`);
    await rename(fresh, into);
    for (const name of present ? KEPT : []) {
      if (await isThere(path.join(before, name))) await rename(path.join(before, name), path.join(into, name));
    }
  } catch (error) {
    if (present && !(await isThere(into))) await rename(before, into);
    throw error;
  }
  await syncFolder(parent);
  return present ? before : null;
}
