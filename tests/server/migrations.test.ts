import { randomBytes } from 'node:crypto';
import pg from 'pg';
import { expect, inject, test } from 'vitest';
import { PROFILE_TYPES } from '#contract/profile-types.ts';
import { connect, type Database } from '#server/db/connect.ts';
import { migrateDatabase } from '#server/db/migrate.ts';
import { connectionTo } from './support/connection.ts';
import { quiet } from './support/quiet.ts';

/** Nodes on an empty database of their own. */
async function withNodes(count: number, work: (nodes: Database[]) => Promise<void>): Promise<void> {
  const server = inject('postgres');
  const name = `callboard_test_${randomBytes(5).toString('hex')}`;
  const admin = new pg.Client(server);
  await admin.connect();
  await admin.query(`create database ${name}`);
  const nodes = Array.from({ length: count }, () => connect(connectionTo(server, name), quiet, 2));
  try {
    await work(nodes);
  } finally {
    await Promise.all(nodes.map((node) => node.close()));
    await admin.query(`drop database ${name} with (force)`);
    await admin.end();
  }
}

const LOCKS = `(select count(*)::int from pg_locks
  where locktype = 'advisory' and database = (select oid from pg_database where datname = current_database()))`;

test('nodes that start together on an empty database take turns', async () => {
  await withNodes(4, async (nodes) => {
    await Promise.all(nodes.map((node) => migrateDatabase(node.pool)));
    const { rows } = await nodes[0]!.pool.query(
      `select (select count(*)::int from installation) as installations,
              (select count(*)::int from profile_types) as types,
              ${LOCKS} as locks`,
    );
    expect(rows[0]).toEqual({ installations: 1, types: PROFILE_TYPES.length, locks: 0 });
  });
});

test('a node that is done holds nobody up, not even for a moment', async () => {
  await withNodes(2, async (nodes) => {
    const [starting, looking] = nodes.map((node) => node.pool) as [pg.Pool, pg.Pool];
    for (let start = 0; start < 20; start += 1) {
      await migrateDatabase(starting);
      const { rows } = await looking.query(`select ${LOCKS} as locks`);
      expect(rows[0]).toEqual({ locks: 0 });
    }
  });
});

test('a database whose user may not add the extension of the search says so, and what to do', async () => {
  const role = `callboard_plain_${randomBytes(4).toString('hex')}`;
  await withNodes(1, async ([node]) => {
    await node!.pool.query(`create role ${role}`);
    const database = String((await node!.pool.query('select current_database() as name')).rows[0]?.name);
    const asTheRole = { ...connectionTo(inject('postgres'), database), options: `-c role=${role}` };
    const asked = connect(asTheRole, quiet, 1);
    await expect(migrateDatabase(asked.pool)).rejects.toThrow(/CREATE EXTENSION pg_trgm/);
    await asked.close();
    await node!.pool.query(`drop role ${role}`);
  });
});
