import pg from 'pg';
import { findRunningPostgres } from '#server/platform/db/embedded.ts';
import type { Person } from './people.ts';
import type { AppServer } from './server.ts';

/** Makes the sign-ins of a person old, so that dangerous acts ask who it is. */
export async function makeSignInStale({ dataDir }: AppServer, { id }: Pick<Person, 'id'>): Promise<void> {
  const connection = await findRunningPostgres(dataDir);
  if (connection === null) throw new Error('The database of the server is not running');
  const client = new pg.Client({ ...connection, database: 'callboard' });
  await client.connect();
  await client.query(`update sessions set reauth_at = now() - interval '1 hour' where user_id = $1`, [id]);
  await client.end();
}
