import { spawnSync } from 'node:child_process';
import { chmodSync, chownSync, statSync } from 'node:fs';
import { userInfo } from 'node:os';
import path from 'node:path';
import { ConfigError } from '#server/platform/config.ts';

/**
 * As whom PostgreSQL runs: it refuses root. `prefix` goes before its command, `ids` to spawn, and `adopt` gives it an empty
 * folder, which then belongs to `owner` (absent: to us).
 */
export interface RunAs {
  prefix: string[];
  ids: { uid?: number; gid?: number };
  owner?: number;
  takeOwnership: (folder: string) => void;
}

type Ids = { uid: number; gid: number };
const NOBODY: Ids = { uid: 65_534, gid: 65_534 };
// A user namespace in which we carry another number: reaches every folder we may enter. The number must be in the list of
// accounts, which initdb looks up; nobody is in every list.
const UNSHARE = ['unshare', '--user', `--map-user=${NOBODY.uid}`, `--map-group=${NOBODY.gid}`, '--'];
const NAMESPACE: RunAs = { prefix: UNSHARE, ids: {}, takeOwnership: () => {} };
const PLAIN: RunAs = { prefix: [], ids: {}, takeOwnership: () => {} };

const as = (ids: Ids): RunAs => ({
  prefix: [],
  ids,
  owner: ids.uid,
  takeOwnership: (folder) => chownSync(folder, ids.uid, ids.gid),
});

/** An account that keeps root's right to pass through closed folders, and no other: for containers that allow no namespaces. */
const carried = (ids: Ids): RunAs => ({
  prefix: [
    'setpriv',
    `--reuid=${ids.uid}`,
    `--regid=${ids.gid}`,
    '--clear-groups',
    '--inh-caps=-all,+dac_override',
    '--ambient-caps=-all,+dac_override',
    '--bounding-set=-all,+dac_override',
    // Else access(2), by which initdb looks for its neighbours, would not count the right.
    '--securebits=+no_setuid_fixup',
    '--',
  ],
  ids: {},
  owner: ids.uid,
  takeOwnership: (folder) => chownSync(folder, ids.uid, ids.gid),
});

function runs({ prefix }: RunAs, program: string): boolean {
  const [command, ...rest] = [...prefix, program, '--version'];
  return spawnSync(command as string, rest, { stdio: 'ignore' }).status === 0;
}

/** Whether this account can run the program and pass through the folder. */
function reaches(ids: Ids, program: string, folder: string): boolean {
  const script = '"$1" --version && cd "$2"';
  return spawnSync('/bin/sh', ['-c', script, 'sh', program, folder], { ...ids, stdio: 'ignore' }).status === 0;
}

/** Whether our account is in the list of accounts; some containers give a number that is not. */
function hasName(): boolean {
  try {
    userInfo();
    return true;
  } catch {
    return false;
  }
}

/** Who owns the folder, null where there is none. */
function ownerOf(folder: string): Ids | null {
  const found = statSync(folder, { throwIfNoEntry: false });
  return found ? { uid: found.uid, gid: found.gid } : null;
}

/**
 * @param program PostgreSQL's own binary, to try the guise with
 * @param folder where the data lies, or will lie; the folder around it exists
 * @throws ConfigError when the server runs as root and no way round is open
 */
export function chooseRunAs(program: string, folder: string): RunAs {
  if (process.getuid?.() !== 0) return hasName() || !runs(NAMESPACE, program) ? PLAIN : NAMESPACE;

  const parent = path.dirname(folder);
  const owner = ownerOf(folder) ?? ownerOf(parent);
  // Made by somebody else, who shall be able to go on with it.
  if (owner && owner.uid !== 0 && reaches(owner, program, parent)) return as(owner);
  if (owner?.uid === 0 && runs(NAMESPACE, program)) return NAMESPACE;
  if (ownerOf(folder) === null) {
    // It must pass through the folder ours is in, and see nothing of it.
    chmodSync(parent, 0o711);
    if (reaches(NOBODY, program, parent)) return as(NOBODY);
  }
  // The way leads through a folder that is root's alone, as with a clone under /root.
  const bearer = carried(owner && owner.uid !== 0 ? owner : NOBODY);
  if ((ownerOf(folder) === null || owner?.uid !== 0) && runs(bearer, program)) return bearer;
  throw new ConfigError(
    'PostgreSQL refuses to run as root, and no other account can be used here; start the server as another user, or set DATABASE_URL',
  );
}
