/**
 * `npm run restore -- BACKUP --into DIR`: makes the data directory DIR from a backup, checks it, and puts it in place. With DATABASE_URL, the rows
 * go into that empty database. `--check` does all of it and removes the result, `--replace` keeps what is in DIR beside it as
 * DIR.before-TIME, `--end-sessions` signs everybody out. `--erasures FOLDER`, once for each node: also deletes the accounts again that the
 * `erasures.jsonl` there names.
 */
import path from 'node:path';
import { parseArgs } from 'node:util';
import { restoreBackup, type Restored } from '#server/backup/restore.ts';
import { ConfigError } from '#server/platform/config.ts';
import { createProgress, quiet, runWithConfig } from './tool.ts';

const USAGE = 'npm run restore -- BACKUP --into DIR [--check] [--replace] [--end-sessions] [--erasures FOLDER]…';

/** How many there are of something, if there are any. */
const count = (n: number, what: string): string[] => (n === 0 ? [] : [`${n.toLocaleString('en')} ${what}`]);

const describe = (done: Restored): string =>
  [
    `${done.rows.toLocaleString('en')} rows`,
    `${done.files.toLocaleString('en')} files`,
    ...count(done.jobs, 'jobs'),
    ...count(done.droppedMails, 'waiting mails dropped'),
    ...count(done.droppedJobs, 'jobs of mails and pushes dropped'),
    ...count(done.erasedAgain, 'accounts deleted again'),
    ...count(done.endedSessions, 'devices signed out'),
  ].join(', ');

await runWithConfig(async (config) => {
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: {
      into: { type: 'string' },
      check: { type: 'boolean' },
      replace: { type: 'boolean' },
      'end-sessions': { type: 'boolean' },
      erasures: { type: 'string', multiple: true, default: [] },
    },
  });
  const [backup, ...others] = positionals;
  if (backup === undefined || others.length > 0 || values.into === undefined) throw new ConfigError(`Usage: ${USAGE}`);
  const into = path.resolve(values.into);
  const check = values.check ?? false;
  const done = await restoreBackup({
    backup: path.resolve(backup),
    into,
    check,
    replace: values.replace ?? false,
    endSessions: values['end-sessions'] ?? false,
    erasureFolders: [config.dataDir, ...values.erasures.map((folder) => path.resolve(folder))],
    config,
    log: quiet,
    progress: createProgress(),
  });
  if (check) return `The backup is good: ${describe(done)}. Nothing was changed.`;
  const point =
    done.restorePoint === null ? '' : ` What was there is in ${done.restorePoint}; remove it when all is well.`;
  return `Restored to ${into}: ${describe(done)}. Start the server with DATA_DIR=${into}.${point}`;
});
