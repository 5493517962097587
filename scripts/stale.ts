import { createHash } from 'node:crypto';
import { existsSync } from 'node:fs';
import { readFile, readdir, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

interface Stamp {
  /** Files and folders that are the sources of the output. */
  inputs: string[];
  /** Further inputs of the build. */
  settings: string;
  /** The output folder. */
  output: string;
}

async function filesOf(path: string): Promise<string[]> {
  if (!existsSync(path)) return [];
  if (!(await stat(path)).isDirectory()) return [path];
  const names = (await readdir(path)).sort();
  return (await Promise.all(names.map((name) => filesOf(join(path, name))))).flat();
}

/** Hashes the content, so that a fresh clone or another branch never runs an outdated build. */
async function fingerprint({ inputs, settings }: Stamp): Promise<string> {
  const hash = createHash('sha256').update(settings);
  for (const file of (await Promise.all(inputs.map(filesOf))).flat()) {
    hash.update(`\0${file}\0`).update(await readFile(file));
  }
  return hash.digest('hex');
}

const stampFile = (stamp: Stamp) => `${stamp.output}.stamp`;

/** Returns true when `output` was built from exactly the current sources. */
export async function isFresh(stamp: Stamp): Promise<boolean> {
  if (!existsSync(stamp.output) || !existsSync(stampFile(stamp))) return false;
  return (await readFile(stampFile(stamp), 'utf8')) === (await fingerprint(stamp));
}

/** Records the sources from which `output` was built. */
export async function markFresh(stamp: Stamp): Promise<void> {
  await writeFile(stampFile(stamp), await fingerprint(stamp));
}
