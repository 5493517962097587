import type pg from 'pg';
import type { Erasure } from '#server/features/account/erasure-file.ts';
import { ConfigError } from '#server/platform/config.ts';
import { LOCK, LOCK_PAIR } from '#server/platform/db/advisory-locks.ts';
import { toInstallationId } from '#server/platform/db/installation.ts';
import type { Manifest } from './manifest.ts';

/** How long to wait for the removal of files that is under way. */
const LOCK_TIMEOUT_MS = 60_000;

/** Which Callboard a database belongs to, and its version. */
type Identity = Pick<Manifest, 'installation' | 'epoch' | 'migrations' | 'postgres'>;

/** Keeps files from being removed, and other backups from being made, as long as this connection lives. */
export async function takeLock(client: pg.Client): Promise<void> {
  const { rows } = await client.query<{ free: boolean }>('select pg_try_advisory_lock($1, 1) as free', [
    LOCK_PAIR.backup,
  ]);
  if (!rows[0]?.free) {
    throw new ConfigError('Another backup of this Callboard is being made. Wait until it ends, then try again');
  }
  await client.query(`set lock_timeout = ${LOCK_TIMEOUT_MS}`);
  await client.query('select pg_advisory_lock($1)', [LOCK.backup]).catch((error: { code?: string }) => {
    if (error.code !== '55P03') throw error;
    throw new ConfigError('Files are being removed for longer than a minute. Try again when the server is less busy');
  });
  await client.query('set lock_timeout = 0');
}

const doesExist = async (client: pg.Client, table: string): Promise<boolean> => {
  const { rows } = await client.query<{ found: boolean }>('select to_regclass($1) is not null as found', [table]);
  return rows[0]?.found === true;
};

export async function readIdentity(client: pg.Client): Promise<Identity> {
  const unused = new ConfigError('This database was never used by Callboard. Check DATA_DIR or DATABASE_URL');
  if (!(await doesExist(client, 'public.installation'))) throw unused;
  const { rows: found } = await client.query<{ link_secret: string; epoch: string; postgres: string }>(
    `select link_secret, epoch, current_setting('server_version') as postgres from installation`,
  );
  if (found[0] === undefined) throw unused;
  const { link_secret: secret, epoch, postgres } = found[0];
  const { rows } = await client.query<{ at: string; hash: string }>(
    'select created_at as at, hash from drizzle.__drizzle_migrations order by created_at',
  );
  const migrations = rows.map(({ at, hash }) => ({ at: Number(at), hash }));
  return { installation: toInstallationId(secret), epoch, postgres, migrations };
}

/** The accounts that the database knows to be deleted. */
export async function listErasures(client: pg.Client, installation: string): Promise<Erasure[]> {
  // In a database from before the table had this name, a restore brings them along.
  if (!(await doesExist(client, 'public.erasures'))) return [];
  const { rows } = await client.query<{ user: string; at: Date }>(
    'select user_id as user, erased_at as at from erasures',
  );
  return rows.map(({ user, at }) => ({ installation, user: Number(user), at: at.toISOString() }));
}
