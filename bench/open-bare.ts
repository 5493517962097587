import { readFile } from 'node:fs/promises';
import path from 'node:path';
import pg from 'pg';
import type { AppServer } from '../tests/e2e/support/server.ts';

/** The server's own embedded database, found by what PostgreSQL notes beside its files. @param connections at most */
export async function openBare(server: AppServer, connections = 1): Promise<pg.Pool> {
  const notes = (await readFile(path.join(server.dataDir, 'postgres', 'postmaster.pid'), 'utf8')).split('\n');
  const pool = new pg.Pool({
    host: notes[4],
    port: Number(notes[3]),
    user: 'callboard',
    database: 'callboard',
    max: connections,
  });
  // Where something went wrong the server ends first; what went wrong is what is to be told.
  pool.on('error', () => undefined);
  return pool;
}
