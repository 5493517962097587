/**
 * `npm run operator -- EMAIL`: lets somebody work at the moderation desk as an operator; `-- EMAIL --remove` ends that. Uses the database of
 * DATABASE_URL or DATA_DIR, whether the server is running or not.
 */
import { parseArgs } from 'node:util';
import { ConfigError } from '#server/platform/config.ts';
import { setOperator } from '#server/features/desk/operator.ts';
import { runTool } from './tool.ts';

await runTool(async (db) => {
  const { values, positionals } = parseArgs({ options: { remove: { type: 'boolean' } }, allowPositionals: true });
  const [email] = positionals;
  if (!email?.includes('@')) throw new ConfigError('Give an e-mail: npm run operator -- EMAIL [--remove]');
  const isOperator = values.remove !== true;
  const result = await setOperator(db, email, isOperator, new Date());
  if (result === 'no account') throw new ConfigError(`There is no account with the address ${email}`);
  if (!isOperator) return result === 'done' ? `${email} is no operator any more.` : `${email} was no operator.`;
  const done = result === 'done' ? `${email} is an operator now.` : `${email} is an operator already.`;
  return `${done} The desk is at /desk. It opens after a sign-in with a passkey, which can be added in Settings.`;
});
