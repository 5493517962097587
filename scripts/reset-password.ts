/**
 * `npm run reset-password -- EMAIL`: sets a new password for somebody who cannot sign in. They change it in Settings.
 * Uses the database of DATABASE_URL or DATA_DIR, whether the server is running or not.
 */
import { ConfigError, readConfig } from '#server/platform/config.ts';
import { openForTools } from '#server/platform/db/open.ts';
import { resetPassword } from '#server/features/account/reset.ts';

const quiet = { debug() {}, info() {}, warn: console.warn, error: console.error };

async function run(email: string | undefined): Promise<string> {
  if (email === undefined || !email.includes('@'))
    throw new ConfigError('Give an e-mail: npm run reset-password -- EMAIL');
  const database = await openForTools(readConfig(process.env), quiet);
  try {
    const password = await resetPassword(database.db, email);
    if (password === null) throw new ConfigError(`There is no account with the address ${email}`);
    return password;
  } finally {
    await database.close();
  }
}

try {
  const password = await run(process.argv[2]);
  console.log(`New password: ${password}\nAll devices are signed out. Change it in Settings after signing in.`);
} catch (error) {
  console.error(error instanceof ConfigError ? error.message : error);
  process.exitCode = 1;
}
