import { spawnSync } from 'node:child_process';
import { chmodSync, chownSync, statSync } from 'node:fs';
import { userInfo } from 'node:os';
import path from 'node:path';
import { ConfigError } from '#server/platform/config.ts';

/**
 * How PostgreSQL drops root privileges, which it refuses to run with. `prefix` goes before its command and `ids` into the options of
 * spawn. `takeOwnership` gives it an empty folder, which then belongs to `owner` (absent: the current user).
 */
export interface RunAs {
  prefix: string[];
  ids: { uid?: number; gid?: number };
  owner?: number;
  takeOwnership: (folder: string) => void;
}

type Ids = { uid: number; gid: number };
const NOBODY: Ids = { uid: 65_534, gid: 65_534 };
// Runs in a user namespace mapped to uid 65534, which can still enter every folder that root can. initdb looks the uid up in the
// list of accounts; every list has `nobody`.
const UNSHARE = ['unshare', '--user', `--map-user=${NOBODY.uid}`, `--map-group=${NOBODY.gid}`, '--'];
const USER_NAMESPACE: RunAs = { prefix: UNSHARE, ids: {}, takeOwnership: () => {} };
const CURRENT_USER: RunAs = { prefix: [], ids: {}, takeOwnership: () => {} };

const asAccount = (ids: Ids): RunAs => ({
  prefix: [],
  ids,
  owner: ids.uid,
  takeOwnership: (folder) => chownSync(folder, ids.uid, ids.gid),
});

/** Runs as an account that keeps only the capability to pass through closed folders. For containers without user namespaces. */
const asAccountWithDacOverride = (ids: Ids): RunAs => ({
  prefix: [
    'setpriv',
    `--reuid=${ids.uid}`,
    `--regid=${ids.gid}`,
    '--clear-groups',
    '--inh-caps=-all,+dac_override',
    '--ambient-caps=-all,+dac_override',
    '--bounding-set=-all,+dac_override',
    // Without this, access(2), by which initdb looks for its neighboring programs, ignores the capability.
    '--securebits=+no_setuid_fixup',
    '--',
  ],
  ids: {},
  owner: ids.uid,
  takeOwnership: (folder) => chownSync(folder, ids.uid, ids.gid),
});

function canRun({ prefix }: RunAs, program: string): boolean {
  const [command, ...rest] = [...prefix, program, '--version'];
  return spawnSync(command as string, rest, { stdio: 'ignore' }).status === 0;
}

/** Whether this account can run the program and enter the folder. */
function canReach(ids: Ids, program: string, folder: string): boolean {
  const script = '"$1" --version && cd "$2"';
  return spawnSync('/bin/sh', ['-c', script, 'sh', program, folder], { ...ids, stdio: 'ignore' }).status === 0;
}

/** Whether the current uid is in the list of accounts. Some containers run under a uid that is not. */
function isKnownAccount(): boolean {
  try {
    userInfo();
    return true;
  } catch {
    return false;
  }
}

/** Owner of the folder; null when it does not exist. */
function getOwner(folder: string): Ids | null {
  const found = statSync(folder, { throwIfNoEntry: false });
  return found ? { uid: found.uid, gid: found.gid } : null;
}

/**
 * Chooses how to start PostgreSQL.
 * @param program PostgreSQL's binary, which is run to test each option
 * @param folder the data folder, which may not exist yet; its parent must exist
 * @throws ConfigError when the server runs as root and no option works
 */
export function chooseRunAs(program: string, folder: string): RunAs {
  if (process.getuid?.() !== 0)
    return isKnownAccount() || !canRun(USER_NAMESPACE, program) ? CURRENT_USER : USER_NAMESPACE;

  const parent = path.dirname(folder);
  const owner = getOwner(folder) ?? getOwner(parent);
  // The folder belongs to another account, which must stay able to use it.
  if (owner && owner.uid !== 0 && canReach(owner, program, parent)) return asAccount(owner);
  if (owner?.uid === 0 && canRun(USER_NAMESPACE, program)) return USER_NAMESPACE;
  if (getOwner(folder) === null) {
    // `nobody` must be able to pass through the parent folder, but not to list it.
    chmodSync(parent, 0o711);
    if (canReach(NOBODY, program, parent)) return asAccount(NOBODY);
  }
  // A folder on the path is closed to everyone but root, such as /root.
  const withOverride = asAccountWithDacOverride(owner && owner.uid !== 0 ? owner : NOBODY);
  if ((getOwner(folder) === null || owner?.uid !== 0) && canRun(withOverride, program)) return withOverride;
  throw new ConfigError(
    'PostgreSQL refuses to run as root, and no other account can be used here; start the server as another user, or set DATABASE_URL',
  );
}
