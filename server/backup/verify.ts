import { ConfigError } from '#server/platform/config.ts';
import { listMigrationTimes } from '#server/platform/db/migrate.ts';
import { measureFile, type Measure } from './copy.ts';
import { digestList, getFilesFolder, mapConcurrently, readContent, readList, type ListedFile } from './files.ts';
import { digestJobLines } from './jobs.ts';
import { readManifest, type Manifest } from './manifest.ts';
import type { Progress } from './make.ts';

const damaged = (folder: string, part: string) =>
  new ConfigError(`${folder} is damaged: ${part}. Nothing was changed. Restore another backup`);

/** Whether this release can bring a database of the backup's version to its own. */
async function checkVersion(folder: string, { migrations, release }: Manifest): Promise<void> {
  const known = await listMigrationTimes();
  const last = migrations.at(-1)?.at ?? 0;
  if (known.includes(last)) return;
  throw new ConfigError(
    last > (known.at(-1) ?? 0)
      ? `The backup in ${folder} was made by a newer release (${release}). Restore it with that release or a later one`
      : `The backup in ${folder} is of a database that this release does not know. Restore it with the release that made it`,
  );
}

/** Whether both are the same rows. */
export const isSame = (a: Measure, b: Measure): boolean =>
  a.rows === b.rows && a.bytes === b.bytes && a.sha256 === b.sha256;

/** Reads something of the backup; null if it is missing or cannot be decompressed to its end. */
const readOrNull = <T>(reading: Promise<T>): Promise<T | null> =>
  reading.catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT' || error.code?.startsWith('Z_')) return null;
    throw error;
  });

async function checkFiles(folder: string, manifest: Manifest, progress: Progress): Promise<void> {
  const root = getFilesFolder(folder);
  const isWhole = async ({ key, size, sha256 }: ListedFile) => {
    const content = manifest.files.has_bytes ? await readContent(root, key) : null;
    return { key, isWhole: !manifest.files.has_bytes || (content?.size === size && content.sha256 === sha256) };
  };
  let count = 0;
  for await (const file of mapConcurrently(readList(folder), isWhole)) {
    if (!file.isWhole) throw damaged(folder, `the file ${file.key} is missing or differs`);
    if (count % 100 === 0) await progress(`Checking file ${count + 1} of ${manifest.files.count}`);
    count += 1;
  }
}

/**
 * Reads a whole backup and compares it with its digests.
 * @throws ConfigError that says what to do, when a byte differs or this release cannot restore it
 */
export async function verifyBackup(folder: string, progress: Progress): Promise<Manifest> {
  const manifest = await readManifest(folder);
  await checkVersion(folder, manifest);
  for (const [at, table] of manifest.tables.entries()) {
    await progress(`Checking table ${at + 1} of ${manifest.tables.length} (${table.name})`);
    const found = await readOrNull(measureFile(folder, table.name));
    if (found === null || !isSame(found, table))
      throw damaged(folder, `the rows of ${table.name} are missing or differ`);
  }
  if ((await readOrNull(digestJobLines(folder))) !== manifest.jobs.sha256) throw damaged(folder, 'jobs.ndjson differs');
  if ((await readOrNull(digestList(folder))) !== manifest.files.sha256) throw damaged(folder, 'files.ndjson differs');
  await checkFiles(folder, manifest, progress);
  return manifest;
}
