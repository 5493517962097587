/**
 * Restores or backs up, and kills itself with SIGKILL at a step. Settings: WORK (JSON of the options), STEP (the beginning of the step's text).
 */
import { makeBackup, type BackupOptions, type BackupSource } from '#server/backup/make.ts';
import { restoreBackup, type RestoreOptions } from '#server/backup/restore.ts';
import { readConfig } from '#server/platform/config.ts';
import { openStorage } from '#server/platform/storage/open.ts';
import { quietLog } from './quiet.ts';

type Work =
  | { restore: Pick<RestoreOptions, 'backup' | 'into' | 'replace'> }
  | { backup: BackupOptions; source: Pick<BackupSource, 'connection'> & { filesFolder: string } };

const work = JSON.parse(process.env.WORK ?? '') as Work;
const step = process.env.STEP ?? '';
const progress = (text: string) => {
  if (text.startsWith(step)) process.kill(process.pid, 'SIGKILL');
};
const config = readConfig({ DATA_DIR: process.env.DATA_DIR });

if ('restore' in work) await restoreBackup({ ...work.restore, config, log: quietLog, progress });
else await makeBackup({ ...work.source, storage: await openStorage(config) }, { ...work.backup, progress });
