import { randomBytes } from 'node:crypto';
import pg from 'pg';
import { expect, inject, test } from 'vitest';
import { PROFILE_TYPES } from '#contract/profile-types.ts';
import { connect } from '#server/db/connect.ts';
import { migrateDatabase } from '#server/db/migrate.ts';
import { connectionTo } from './support/connection.ts';
import { quiet } from './support/quiet.ts';

test('nodes that start together on an empty database take turns', async () => {
  const server = inject('postgres');
  const name = `callboard_test_${randomBytes(5).toString('hex')}`;
  const admin = new pg.Client(server);
  await admin.connect();
  await admin.query(`create database ${name}`);
  const nodes = Array.from({ length: 4 }, () => connect(connectionTo(server, name), quiet, 2));
  try {
    await Promise.all(nodes.map((node) => migrateDatabase(node.pool)));
    const { rows } = await nodes[0]!.pool.query(
      `select (select count(*)::int from installation) as installations,
              (select count(*)::int from profile_types) as types,
              (select count(*)::int from pg_locks where locktype = 'advisory' and database = (select oid from pg_database where datname = $1)) as locks`,
      [name],
    );
    expect(rows[0]).toEqual({ installations: 1, types: PROFILE_TYPES.length, locks: 0 });
  } finally {
    await Promise.all(nodes.map((node) => node.close()));
    await admin.query(`drop database ${name} with (force)`);
    await admin.end();
  }
});
