import { Dexie } from 'dexie';
import type { ServerRequest } from '../simulation/server/wire.ts';

/** The store of one device as a build left it, and what the server had received from it. */
export interface StoreFile {
  userId: string;
  /** Dexie's number of the store's version. */
  version: number;
  tables: Record<string, { schema: string; rows: object[] }>;
  /** The writes that reached the server before the device lost its connection. */
  writes: ServerRequest[];
  /** The server's records once the same build had sent everything; see `describeRecords`. */
  records: string[];
}

const BYTES = '$bytes';

/** Converts a store file to JSON with one row per line. Bytes become base64. */
export function toText(file: StoreFile): string {
  const replace = (value: unknown): unknown => {
    if (value instanceof ArrayBuffer) return { [BYTES]: 'ArrayBuffer', base64: Buffer.from(value).toString('base64') };
    if (Buffer.isBuffer(value)) return { [BYTES]: 'Buffer', base64: value.toString('base64') };
    if (Array.isArray(value)) return value.map(replace);
    if (typeof value !== 'object' || value === null) return value;
    return Object.fromEntries(Object.entries(value).map(([name, inner]) => [name, replace(inner)]));
  };
  const toLines = (values: readonly unknown[]) =>
    `[\n${values.map((value) => JSON.stringify(replace(value))).join(',\n')}]`;
  const { tables, writes, records, ...rest } = file;
  const parts = Object.entries(tables).map(
    ([name, { schema, rows }]) => `"${name}":{"schema":${JSON.stringify(schema)},"rows":${toLines(rows)}}`,
  );
  const head = JSON.stringify(rest).slice(0, -1);
  return `${head},\n"tables":{\n${parts.join(',\n')}},\n"writes":${toLines(writes)},\n"records":${toLines(records)}}\n`;
}

export function fromText(text: string): StoreFile {
  return JSON.parse(text, (_name, value: unknown) => {
    if (typeof value !== 'object' || value === null || !(BYTES in value) || !('base64' in value)) return value;
    const bytes = Buffer.from(String(value.base64), 'base64');
    return value[BYTES] === 'Buffer' ? bytes : Uint8Array.from(bytes).buffer;
  }) as StoreFile;
}

/** Reads every table of an open store. */
export async function readTables(db: Dexie): Promise<StoreFile['tables']> {
  const tables: StoreFile['tables'] = {};
  for (const table of db.tables) {
    const { primKey, indexes } = table.schema;
    const rows = await table.toArray();
    tables[table.name] = { schema: [primKey, ...indexes].map(({ src }) => src).join(', '), rows };
  }
  return tables;
}

/** Writes a store as the build that recorded it left it: with its version, its tables and its indexes. */
export async function restoreStore(
  name: string,
  { version, tables }: Pick<StoreFile, 'version' | 'tables'>,
  options: ConstructorParameters<typeof Dexie>[1],
): Promise<void> {
  const db = new Dexie(name, options);
  db.version(version).stores(Object.fromEntries(Object.entries(tables).map(([table, { schema }]) => [table, schema])));
  await db.open();
  for (const [table, { rows }] of Object.entries(tables)) await db.table(table).bulkAdd(rows);
  db.close();
}
