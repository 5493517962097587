/**
 * `npm run backup [-- --to DIR] [--keep N] [--files]`: makes a backup of the database and the files, whether the server is running or not.
 * `--keep` removes older ones beyond that number, `--files` also copies the bytes of files that are in a bucket. Uses the database of
 * DATABASE_URL or DATA_DIR. Exits with 2 if files are missing: the backup is kept, and lacks them.
 */
import path from 'node:path';
import { parseArgs } from 'node:util';
import { makeBackup, type BackupMade } from '#server/backup/make.ts';
import { ConfigError } from '#server/platform/config.ts';
import { openUnchanged } from '#server/platform/db/open.ts';
import { openStorage } from '#server/platform/storage/open.ts';
import { createProgress, runTool } from './tool.ts';

function readKeep(text: string | undefined): number | undefined {
  if (text === undefined) return undefined;
  if (!/^[1-9]\d{0,5}$/.test(text)) throw new ConfigError('--keep takes how many backups to keep, at least 1');
  return Number(text);
}

function describe({ folder, rows, files, bytes, missing }: BackupMade): string {
  const size = bytes < 1e6 ? `${Math.ceil(bytes / 1e3)} kB` : `${Math.round(bytes / 1e6).toLocaleString('en')} MB`;
  const made = `${folder}: ${rows.toLocaleString('en')} rows, ${files.toLocaleString('en')} files (${size})`;
  if (missing.length === 0) return `Backed up to ${made}.`;
  return `${missing.join('\n')}\nBacked up to ${made}. The ${missing.length} files above are missing or damaged: look for them in older backups.`;
}

await runTool(async (_db, config, { connection }) => {
  const { values } = parseArgs({
    options: { to: { type: 'string' }, keep: { type: 'string' }, files: { type: 'boolean' } },
  });
  const made = await makeBackup(
    {
      connection,
      storage: await openStorage(config),
      filesFolder: config.s3 === undefined ? path.join(config.dataDir, 'files') : undefined,
    },
    {
      to: path.resolve(values.to ?? path.join(config.dataDir, 'backups')),
      keep: readKeep(values.keep),
      withBucketFiles: values.files ?? false,
      progress: createProgress(),
    },
  );
  if (made.missing.length > 0) process.exitCode = 2;
  return describe(made);
}, openUnchanged);
