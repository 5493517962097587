import type pg from 'pg';

/**
 * Tables of which a backup takes no rows: they concern running processes, or hold what must not outlive a restore. A table that other
 * tables refer to cannot be one of them.
 */
export const LEFT_OUT: ReadonlySet<string> = new Set([
  // Links that were sent. A restored backup makes none of them valid again.
  'public.account_tokens',
  // Questions to authenticators, good for minutes.
  'public.challenges',
  // Counts of rate limits.
  'public.limits',
  // Processes that run jobs.
  'public.job_workers',
  // Live events are worthless after minutes.
  'public.live_notes',
]);

type Client = Pick<pg.ClientBase, 'query'>;

/** A table and the columns of which rows are copied: all but generated ones. */
export interface Table {
  name: string;
  columns: string[];
}

/** Our tables, by name. Those of extensions and of the job queue are in other schemas or belong to their extension. */
export async function listTables(client: Client): Promise<Table[]> {
  const { rows } = await client.query<Table>(`
    select 'public.' || relname as name, array_agg(attname::text order by attnum) as columns
    from pg_class join pg_attribute on attrelid = pg_class.oid
    where relnamespace = 'public'::regnamespace and relkind = 'r' and attnum > 0 and not attisdropped and attgenerated = ''
      and not exists (select from pg_depend where classid = 'pg_class'::regclass and objid = pg_class.oid and deptype = 'e')
    group by relname order by relname`);
  return rows;
}

/** The enums, whose values the server may have added to. */
export async function listEnums(client: Client): Promise<{ name: string; values: string[] }[]> {
  const { rows } = await client.query<{ name: string; values: string[] }>(`
    select 'public.' || typname as name, array_agg(enumlabel::text order by enumsortorder) as values
    from pg_type join pg_enum on enumtypid = pg_type.oid
    where typnamespace = 'public'::regnamespace group by typname order by typname`);
  return rows;
}

/** The sequences that have given numbers, with the last one. */
export async function listSequences(client: Client): Promise<{ name: string; value: string }[]> {
  const { rows } = await client.query<{ name: string; value: string }>(`
    select 'public.' || sequencename as name, last_value::text as value from pg_sequences
    where schemaname = 'public' and last_value is not null order by sequencename`);
  return rows;
}

/** All sequences, also those that have given no number. */
export async function listSequenceNames(client: Client): Promise<string[]> {
  const { rows } = await client.query<{ name: string }>(
    `select 'public.' || sequencename as name from pg_sequences where schemaname = 'public' order by sequencename`,
  );
  return rows.map(({ name }) => name);
}

const identifier = (text: string) => `"${text.replaceAll('"', '""')}"`;

/** The name as SQL. */
export const toSql = (name: string): string => name.split('.').map(identifier).join('.');

/** The table with its columns, as COPY takes them. */
export const toCopyTarget = ({ name, columns }: Table): string =>
  `${toSql(name)} (${columns.map(identifier).join(', ')})`;
