import type pg from 'pg';
import { ConfigError } from '#server/platform/config.ts';
import type { Database } from '#server/platform/db/connect.ts';
import { migrateDatabase, migrateUntil } from '#server/platform/db/migrate.ts';
import { copyTableIn, measureTable, openCopyClient } from './copy.ts';
import { addJobLines } from './jobs.ts';
import type { Progress } from './make.ts';
import type { Manifest } from './manifest.ts';
import { listEnums, listSequenceNames, listTables, toCopyTarget, toSql, type Table } from './tables.ts';
import { isSame } from './verify.ts';

/**
 * How far the numbers of new rows jump ahead. Rows that were made after the backup are gone, but devices, caches and links may still know
 * their numbers: none of them may come to mean another row.
 */
const NUMBER_GAP = 1_000_000n;

export interface Loaded {
  rows: number;
  jobs: number;
  droppedJobs: number;
}

const isInconsistent = (detail: string) =>
  new ConfigError(`The backup cannot be loaded: ${detail}. Nothing was changed. Restore another backup`);

/** The enums have the values that the server of the backup had added. */
async function addEnumValues(client: pg.Client, { enums }: Manifest): Promise<void> {
  const known = new Set((await listEnums(client)).map(({ name }) => name));
  for (const { name, values } of enums) {
    if (!known.has(name)) throw isInconsistent(`it has a type ${name}, which its version does not have`);
    for (const value of values) {
      await client.query(`alter type ${toSql(name)} add value if not exists '${value.replaceAll("'", "''")}'`);
    }
  }
}

/** Compares the tables of the backup with those of its version. */
function matchTables(manifest: Manifest, tables: readonly Table[]): Table[] {
  const byName = new Map(tables.map((table) => [table.name, table]));
  return manifest.tables.map(({ name, columns }) => {
    const table = byName.get(name);
    if (table === undefined) throw isInconsistent(`it has a table ${name}, which its version does not have`);
    const isKnown = columns.length === table.columns.length && columns.every((each) => table.columns.includes(each));
    if (!isKnown) throw isInconsistent(`${name} has other columns than in its version`);
    return { name, columns };
  });
}

interface ForeignKey {
  table: string;
  name: string;
  definition: string;
}

/**
 * Runs `work` without triggers and foreign keys, so that tables may be loaded in any order. Adding the keys again checks every row, and
 * needs no superuser.
 */
async function withoutForeignKeys(
  client: pg.Client,
  tables: readonly Table[],
  work: () => Promise<void>,
): Promise<void> {
  const { rows: keys } = await client.query<ForeignKey>(
    `select conrelid::regclass::text as table, quote_ident(conname) as name, pg_get_constraintdef(oid) as definition
     from pg_constraint where contype = 'f' and connamespace = 'public'::regnamespace order by conrelid, conname`,
  );
  for (const { table, name } of keys) await client.query(`alter table ${table} drop constraint ${name}`);
  for (const { name } of tables) await client.query(`alter table ${toSql(name)} disable trigger user`);
  await work();
  for (const { name } of tables) await client.query(`alter table ${toSql(name)} enable trigger user`);
  for (const { table, name, definition } of keys) {
    await client
      .query(`alter table ${table} add constraint ${name} ${definition}`)
      .catch((error: { code?: string }) => {
        if (error.code !== '23503') throw error;
        throw isInconsistent(`rows of ${table} refer to rows that it lacks (${name})`);
      });
  }
}

async function loadRows(client: pg.Client, folder: string, manifest: Manifest, progress: Progress): Promise<Loaded> {
  const all = await listTables(client);
  const tables = matchTables(manifest, all);
  const entries = new Map(manifest.tables.map((entry) => [entry.name, entry]));
  await client.query('begin');
  await withoutForeignKeys(client, all, async () => {
    // In the transaction that loads them, so that PostgreSQL appends the rows in their order. Some tables have a trigger against it.
    await client.query(`truncate ${all.map(({ name }) => toSql(name)).join(', ')}`);
    for (const [at, table] of tables.entries()) {
      await progress(`Loading table ${at + 1} of ${tables.length} (${table.name})`);
      await copyTableIn(client, table, folder);
    }
  });
  const last = new Map(manifest.sequences.map(({ name, value }) => [name, BigInt(value)]));
  for (const name of await listSequenceNames(client)) {
    const value = (last.get(name) ?? 0n) + NUMBER_GAP;
    await client.query('select setval($1::regclass, $2::bigint)', [toSql(name), value.toString()]);
  }
  const jobs = await addJobLines(client, folder);
  for (const [at, table] of tables.entries()) {
    await progress(`Comparing table ${at + 1} of ${tables.length} (${table.name})`);
    const entry = entries.get(table.name);
    if (entry === undefined || !isSame(await measureTable(client, table), entry)) {
      throw isInconsistent(`the rows of ${table.name} are not the same after loading (${toCopyTarget(table)})`);
    }
  }
  const { rows } = await client.query<{ epoch: string }>('select epoch from installation');
  if (rows[0]?.epoch !== manifest.epoch) throw isInconsistent('its parts are of different databases');
  await client.query('commit');
  return {
    rows: manifest.tables.reduce((sum, table) => sum + table.rows, 0),
    jobs: jobs.added,
    droppedJobs: jobs.dropped,
  };
}

/** Loads a verified backup into an empty database, and brings that to this release. */
export async function loadBackup(
  { pool, connection }: Database,
  folder: string,
  manifest: Manifest,
  progress: Progress,
): Promise<Loaded> {
  await progress('Making the database');
  await migrateUntil(pool, manifest.migrations.at(-1)?.at ?? 0);
  const client = await openCopyClient(connection);
  try {
    await addEnumValues(client, manifest);
    const loaded = await loadRows(client, folder, manifest, progress);
    await progress('Migrating to this release');
    await client.query('analyze');
    await migrateDatabase(pool);
    return loaded;
  } finally {
    // An open transaction is rolled back.
    await client.end().catch(() => undefined);
  }
}
