/**
 * `npm run audit -- --check`: follows the chain of the desk's log and says whether an entry was changed or removed. `npm run audit` prints
 * the newest entries. Uses the database of DATABASE_URL or DATA_DIR, whether the server is running or not.
 */
import { parseArgs } from 'node:util';
import { ConfigError } from '#server/platform/config.ts';
import { checkAudit, type AuditRow } from '#server/features/desk/audit.ts';
import { listLog } from '#server/features/desk/log.ts';
import { runTool } from './tool.ts';

const PRINTED = 100;

const describe = ({ id, at, actorName, act, targetType, targetId, reportId, reason }: AuditRow) =>
  `#${id}  ${at.toISOString()}  ${act}  ${targetType} ${targetId}${reportId === null ? '' : `  report ${reportId}`}  ${reason}  by ${actorName}`;

await runTool(async (db) => {
  const { values } = parseArgs({ options: { check: { type: 'boolean' } } });
  if (values.check !== true) {
    const rows = await listLog(db, null, PRINTED);
    return rows.length === 0 ? 'No entries.' : rows.map(describe).join('\n');
  }
  const result = await checkAudit(db);
  if (!result.ok) throw new ConfigError(`The log is broken: entry #${result.id} ${result.problem}.`);
  if (result.count === 0) return 'The log is empty.';
  return `The log is whole: ${result.count} entries. The last one has the digest ${result.lastHash}.`;
});
