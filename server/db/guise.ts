import { spawnSync } from 'node:child_process';
import { chownSync, existsSync, readdirSync, lstatSync } from 'node:fs';
import path from 'node:path';
import { ConfigError } from '#server/config.ts';

/**
 * As whom PostgreSQL runs: it refuses root. `prefix` goes before its command, `uid`/`gid` to spawn, and `adopt` makes a
 * folder readable for it.
 */
export interface Guise {
  prefix: string[];
  ids: { uid?: number; gid?: number };
  adopt: (folder: string) => void;
}

const NOBODY = 65_534;

function own(folder: string): void {
  chownSync(folder, NOBODY, NOBODY);
  for (const name of readdirSync(folder)) {
    const entry = path.join(folder, name);
    if (lstatSync(entry).isDirectory()) own(entry);
    else chownSync(entry, NOBODY, NOBODY);
  }
}

/**
 * @param program PostgreSQL's own binary, to try the guise with
 * @param folder where the data will lie; the unprivileged user must be able to reach it
 * @throws ConfigError when the server runs as root and no way round is open
 */
export function chooseGuise(program: string, folder: string): Guise {
  if (process.getuid?.() !== 0) return { prefix: [], ids: {}, adopt: () => {} };

  // A user namespace in which root carries another number. Needs no second account and reaches folders only root may enter.
  const unshare = ['unshare', '--user', '--map-user=1000', '--map-group=1000', '--'];
  const tried = spawnSync(unshare[0] as string, [...unshare.slice(1), program, '--version'], { stdio: 'ignore' });
  if (tried.status === 0) return { prefix: unshare, ids: {}, adopt: () => {} };

  const ids = { uid: NOBODY, gid: NOBODY };
  const parent = path.dirname(folder);
  const reach = spawnSync('/bin/sh', ['-c', '"$1" --version && cd "$2"', 'sh', program, parent], {
    ...ids,
    stdio: 'ignore',
  });
  if (reach.status === 0) {
    return { prefix: [], ids, adopt: (target) => existsSync(target) && own(target) };
  }
  throw new ConfigError(
    'PostgreSQL refuses to run as root, and neither user namespaces nor the account nobody can be used here; start the server as another user, or set DATABASE_URL',
  );
}
