import pg from 'pg';
import { findRunningPostgres } from '#server/platform/db/embedded.ts';
import type { Person } from './people.ts';
import type { AppServer } from './server.ts';

/** Runs one statement in the database of a server, for what no call of the API can prepare. */
export async function queryDatabase({ dataDir }: AppServer, statement: string, values: unknown[]): Promise<void> {
  const connection = await findRunningPostgres(dataDir);
  if (connection === null) throw new Error('The database of the server is not running');
  const client = new pg.Client({ ...connection, database: 'callboard' });
  await client.connect();
  await client.query(statement, values);
  await client.end();
}

/** Lets a person work at the desk, with a sign-in by passkey of a moment ago. */
export async function letWorkAtDesk(server: AppServer, { id }: Pick<Person, 'id'>): Promise<void> {
  await queryDatabase(server, `update users set role = 'operator' where id = $1`, [id]);
  await queryDatabase(server, `update sessions set method = 'passkey', reauth_at = now() where user_id = $1`, [id]);
}
