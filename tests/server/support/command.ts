import { execFile } from 'node:child_process';
import path from 'node:path';
import { promisify } from 'node:util';
import { projectRoot } from '#server/platform/paths.ts';

/** Runs a command-line tool on a data folder. @returns what it prints @throws with its error output when it fails */
export async function runCommand(script: string, dataDir: string, ...args: string[]): Promise<string> {
  const { DATABASE_URL: _, ...inherited } = process.env;
  const file = path.join(projectRoot, 'scripts', script);
  const run = promisify(execFile)(process.execPath, ['--import', 'tsx', file, ...args], {
    env: { ...inherited, DATA_DIR: dataDir },
    cwd: projectRoot,
  });
  return (await run).stdout;
}
