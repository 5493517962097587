/** What the command-line tools of operators share. */
import { ConfigError, readConfig, type Config } from '#server/platform/config.ts';
import type { Database, Db } from '#server/platform/db/connect.ts';
import { openForTools } from '#server/platform/db/open.ts';

export const quiet = { debug() {}, info() {}, warn: console.warn, error: console.error };

/**
 * Runs a tool and prints what it returns. Throw a `ConfigError` for a mistake of the operator: it is printed as one line.
 */
export async function runWithConfig(work: (config: Config) => Promise<string>): Promise<void> {
  try {
    console.log(await work(readConfig(process.env)));
  } catch (error) {
    // Options that the tool does not have.
    const isUsage =
      error instanceof TypeError && String((error as { code?: unknown }).code).startsWith('ERR_PARSE_ARGS');
    console.error(error instanceof ConfigError || isUsage ? error.message : error);
    process.exitCode = 1;
  }
}

/**
 * Runs a tool with the database of DATABASE_URL or DATA_DIR, whether the server is running or not, and prints what it returns.
 * @param open how to open the database; migrates it by default
 */
export const runTool = (
  work: (db: Db, config: Config, database: Database) => Promise<string>,
  open: typeof openForTools = openForTools,
): Promise<void> =>
  runWithConfig(async (config) => {
    const database = await open(config, quiet);
    try {
      return await work(database.db, config, database);
    } finally {
      await database.close();
    }
  });

const PROGRESS_INTERVAL_MS = 1000;

/** Tells on standard error what a long tool is doing, at most once a second, with the steps as they come on a terminal. */
export function createProgress(): (step: string) => void {
  let last = -Infinity;
  return (step) => {
    const now = performance.now();
    if (now - last < PROGRESS_INTERVAL_MS) return;
    last = now;
    console.error(`${step}…`);
  };
}
