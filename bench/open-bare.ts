import { readFile } from 'node:fs/promises';
import path from 'node:path';
import pg from 'pg';
import type { AppServer } from '../tests/e2e/support/server.ts';

/**
 * Connects to the embedded database of the server through the files that PostgreSQL writes. @param connections maximum
 * pool size
 */
export async function openBare(server: AppServer, connections = 1): Promise<pg.Pool> {
  const notes = (await readFile(path.join(server.dataDir, 'postgres', 'postmaster.pid'), 'utf8')).split('\n');
  const pool = new pg.Pool({
    host: notes[4],
    port: Number(notes[3]),
    user: 'callboard',
    database: 'callboard',
    max: connections,
  });
  // When something fails, the server stops first. The original error should be reported.
  pool.on('error', () => undefined);
  return pool;
}
