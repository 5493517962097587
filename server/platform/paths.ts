import { existsSync } from 'node:fs';
import path from 'node:path';

function findPackageRoot(start: string): string {
  let folder = start;
  while (!existsSync(path.join(folder, 'package.json'))) {
    const parent = path.dirname(folder);
    if (parent === folder) throw new Error(`No package.json above ${start}`);
    folder = parent;
  }
  return folder;
}

/** The folder of package.json, both when run from the sources and from the built bundle. */
export const projectRoot = findPackageRoot(import.meta.dirname);
