import pg from 'pg';
import { findRunningPostgres } from '#server/platform/db/embedded.ts';
import type { Person } from './people.ts';
import type { AppServer } from './server.ts';

/** Lets a person work at the desk, with a sign-in by passkey of a moment ago. */
export async function letWorkAtDesk({ dataDir }: AppServer, { id }: Pick<Person, 'id'>): Promise<void> {
  const connection = await findRunningPostgres(dataDir);
  if (connection === null) throw new Error('The database of the server is not running');
  const client = new pg.Client({ ...connection, database: 'callboard' });
  await client.connect();
  await client.query(`update users set role = 'operator' where id = $1`, [id]);
  await client.query(`update sessions set method = 'passkey', reauth_at = now() where user_id = $1`, [id]);
  await client.end();
}
