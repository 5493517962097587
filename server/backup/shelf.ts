/** The folder that holds backups. */
import { mkdir, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { ConfigError } from '#server/platform/config.ts';
import { noteErasures, readErasures, type Erasure } from '#server/features/account/erasure-file.ts';
import { syncFolder } from './files.ts';
import { readManifest } from './manifest.ts';

const PARTIAL = '.partial';
/** In an unfinished backup: whose it is. */
const OWNER_FILE = 'installation';
const NAME = /^callboard-\d{8}T\d{6}Z(-\d+)?$/;
const toName = (time: Date) => `callboard-${time.toISOString().replace(/[-:]|\.\d+/g, '')}`;

/** Creates the folder of an unfinished backup under a name that no other has. */
export async function createPartial(
  to: string,
  now: Date,
  installation: string,
): Promise<{ partial: string; folder: string }> {
  await mkdir(to, { recursive: true, mode: 0o700 });
  for (let attempt = 1; ; attempt += 1) {
    const folder = path.join(to, attempt === 1 ? toName(now) : `${toName(now)}-${attempt}`);
    const partial = folder + PARTIAL;
    const taken = await readdir(folder).catch(() => null);
    if (taken !== null) continue;
    try {
      await mkdir(partial, { mode: 0o700 });
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === 'EEXIST') continue;
      throw error;
    }
    await writeFile(path.join(partial, OWNER_FILE), installation, { mode: 0o600 });
    for (const name of ['database', 'files']) await mkdir(path.join(partial, name), { mode: 0o700 });
    return { partial, folder };
  }
}

/** Which Callboard an unfinished backup is of; null if it does not say. */
async function readOwner(folder: string): Promise<string | null> {
  const named = await readFile(path.join(folder, OWNER_FILE), 'utf8').catch(() => null);
  // In its last moments the file is gone, but the manifest is there.
  return named ?? (await readManifest(folder).catch(() => null))?.installation ?? null;
}

/** Removes what killed backups of this Callboard left. The lock tells that none of them is still being made. */
export async function removePartials(to: string, installation: string): Promise<void> {
  for (const name of await readdir(to).catch(() => [])) {
    const folder = path.join(to, name);
    if (!name.endsWith(PARTIAL) || !NAME.test(name.slice(0, -PARTIAL.length))) continue;
    const owner = await readOwner(folder);
    if (owner === installation) await rm(folder, { recursive: true, force: true });
  }
}

/** The complete backups of a Callboard in a folder, oldest first. */
async function listBackups(to: string, installation: string): Promise<{ folder: string; madeAt: string }[]> {
  const found: { folder: string; madeAt: string }[] = [];
  for (const name of await readdir(to).catch(() => [])) {
    if (!NAME.test(name)) continue;
    const folder = path.join(to, name);
    const manifest = await readManifest(folder).catch((error: unknown) => {
      // A damaged backup is not counted, and not removed.
      if (error instanceof ConfigError) return null;
      throw error;
    });
    if (manifest?.installation === installation) found.push({ folder, madeAt: manifest.made_at });
  }
  return found.sort((a, b) => (a.madeAt < b.madeAt ? -1 : a.madeAt > b.madeAt ? 1 : a.folder < b.folder ? -1 : 1));
}

/** Makes everything durable and gives the backup its name. */
export async function finish(partial: string, folder: string, to: string): Promise<void> {
  await rm(path.join(partial, OWNER_FILE));
  for (const name of await readdir(partial, { recursive: true, withFileTypes: true })) {
    if (name.isDirectory()) await syncFolder(path.join(name.parentPath, name.name));
  }
  await syncFolder(partial);
  await rename(partial, folder);
  await syncFolder(to);
}

/**
 * Removes the oldest backups of this Callboard beyond `keep`.
 * @param made the backup that was just made. It stays, even if a clock that is wrong dates it before all others
 */
export async function removeOld(to: string, installation: string, keep: number, made: string): Promise<void> {
  const others = (await listBackups(to, installation)).filter(({ folder }) => folder !== made);
  for (const { folder } of others.slice(0, Math.max(0, others.length + 1 - keep))) {
    await rm(folder, { recursive: true, force: true });
  }
}

/** Notes deletions beside the backups, so that a restore of an older one knows them too. */
export async function shareErasures(to: string, erasures: readonly Erasure[]): Promise<void> {
  const noted = new Set((await readErasures(to)).map(({ installation, user }) => `${installation} ${user}`));
  const unknown = erasures.filter(({ installation, user }) => !noted.has(`${installation} ${user}`));
  await noteErasures(to, unknown);
}
