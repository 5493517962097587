/** What the command-line tools of operators share. */
import { ConfigError, readConfig, type Config } from '#server/platform/config.ts';
import type { Db } from '#server/platform/db/connect.ts';
import { openForTools } from '#server/platform/db/open.ts';

const quiet = { debug() {}, info() {}, warn: console.warn, error: console.error };

/**
 * Runs a tool with the database of DATABASE_URL or DATA_DIR, whether the server is running or not, and prints what it returns.
 * Throw a `ConfigError` for a mistake of the operator: it is printed as one line.
 */
export async function runTool(work: (db: Db, config: Config) => Promise<string>): Promise<void> {
  try {
    const config = readConfig(process.env);
    const database = await openForTools(config, quiet);
    try {
      console.log(await work(database.db, config));
    } finally {
      await database.close();
    }
  } catch (error) {
    console.error(error instanceof ConfigError ? error.message : error);
    process.exitCode = 1;
  }
}
