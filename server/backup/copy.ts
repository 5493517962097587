import { createHash } from 'node:crypto';
import { createReadStream, createWriteStream } from 'node:fs';
import path from 'node:path';
import { Transform, Writable, type TransformCallback } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { createGunzip, createGzip } from 'node:zlib';
import pg from 'pg';
import { from as copyFrom, to as copyTo } from 'pg-copy-streams';
import type { Connection } from '#server/platform/db/pool.ts';
import { toCopyTarget, type Table } from './tables.ts';

/** What passed through a stream. */
export interface Measure {
  rows: number;
  bytes: number;
  sha256: string;
}

const LINE_FEED = 10;

/** Counts and digests what passes. In the text format of COPY, each line is a row. */
class Meter extends Transform {
  readonly #hash = createHash('sha256');
  #rows = 0;
  #bytes = 0;

  override _transform(chunk: Buffer, _encoding: BufferEncoding, done: TransformCallback): void {
    this.#hash.update(chunk);
    this.#bytes += chunk.byteLength;
    for (let at = chunk.indexOf(LINE_FEED); at !== -1; at = chunk.indexOf(LINE_FEED, at + 1)) this.#rows += 1;
    done(null, chunk);
  }

  measure(): Measure {
    return { rows: this.#rows, bytes: this.#bytes, sha256: this.#hash.digest('hex') };
  }
}

/**
 * Settings that must not change what COPY writes, and limits that a long copy must not meet. Without the first, a scan of a large table
 * may begin in its middle, so that the same rows have another digest.
 */
const SETTINGS = `
  set synchronize_seqscans = off;
  set statement_timeout = 0;
  set lock_timeout = 0;
  set idle_in_transaction_session_timeout = 0;
  set client_encoding = 'UTF8';
  set timezone = 'UTC';
  set datestyle = 'ISO, MDY';
  set intervalstyle = 'postgres';
  set bytea_output = 'hex';
  set extra_float_digits = 1;
  select set_config(name, '0', false) from pg_settings where name = 'transaction_timeout'`;

/** Opens a connection for copying. */
export async function openCopyClient(connection: Connection): Promise<pg.Client> {
  const client = new pg.Client({ ...connection, application_name: 'callboard backup', keepAlive: true });
  // A lost connection also fails the query that is running. An unhandled event would end the process.
  client.on('error', () => {});
  await client.connect();
  await client.query(SETTINGS);
  return client;
}

const COMPRESSION_LEVEL = 4;

export const getTablePath = (folder: string, name: string): string => path.join(folder, 'database', `${name}.copy.gz`);

const openRows = (client: pg.Client, table: Table) => client.query(copyTo(`copy ${toCopyTarget(table)} to stdout`));

/** Writes the rows of a table to a file of the backup. */
export async function copyTableOut(client: pg.Client, table: Table, folder: string): Promise<Measure> {
  const meter = new Meter();
  const output = createWriteStream(getTablePath(folder, table.name), { flags: 'wx', mode: 0o600, flush: true });
  await pipeline(openRows(client, table), meter, createGzip({ level: COMPRESSION_LEVEL }), output);
  return meter.measure();
}

/** Reads the rows of a table in the order in which a backup has them. */
export async function measureTable(client: pg.Client, table: Table): Promise<Measure> {
  const meter = new Meter();
  await pipeline(openRows(client, table), meter, discard());
  return meter.measure();
}

/** Reads a file of the backup as far as it can be decompressed. */
export async function measureFile(folder: string, name: string): Promise<Measure> {
  const meter = new Meter();
  await pipeline(createReadStream(getTablePath(folder, name)), createGunzip(), meter, discard());
  return meter.measure();
}

/** Loads the rows of a file into its table. */
export async function copyTableIn(client: pg.Client, table: Table, folder: string): Promise<Measure> {
  const meter = new Meter();
  const input = client.query(copyFrom(`copy ${toCopyTarget(table)} from stdin`));
  await pipeline(createReadStream(getTablePath(folder, table.name)), createGunzip(), meter, input);
  return meter.measure();
}

const discard = () => new Writable({ write: (_chunk, _encoding, done) => done() });
