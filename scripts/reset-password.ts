/**
 * `npm run reset-password -- EMAIL`: prints a link with which somebody who cannot sign in chooses a new password. Pass it on by a way
 * that only they read. Uses the database of DATABASE_URL or DATA_DIR, whether the server is running or not.
 */
import { ConfigError } from '#server/platform/config.ts';
import { createResetPath, OPERATOR_LINK_MINUTES } from '#server/features/account/reset.ts';
import { runTool } from './tool.ts';

await runTool(async (db, { publicUrl, port }) => {
  const email = process.argv[2];
  if (!email?.includes('@')) throw new ConfigError('Give an e-mail: npm run reset-password -- EMAIL');
  const path = await createResetPath(db, email);
  if (path === null) throw new ConfigError(`There is no account with the address ${email}`);
  return `${publicUrl ?? `http://localhost:${port}`}${path}\nThe link works once, within ${OPERATOR_LINK_MINUTES} minutes. It signs out all their devices.`;
});
