import type { OutboxRow } from './rows.ts';

const EMPTY = { type: '', target: '', lane: '', state: 'queued', notBefore: 0, patch: {}, base: {}, deps: [] } as const;

/** TypeScript's own test does not see lists that may not be changed. */
const isList = (value: object): value is readonly unknown[] => Array.isArray(value);

/**
 * A queued row as every reader can take it. One that another version of the app or a damaged disk left incomplete has
 * `v: 0`: it is shown and never sent.
 */
export function readableRow(row: OutboxRow | undefined): OutboxRow | undefined {
  if (row === undefined) return row;
  // Rows written before there could be several.
  if (row.givenUp && !isList(row.givenUp)) row = { ...row, givenUp: [row.givenUp] };
  const missing = Object.entries(EMPTY).filter(([field]) => row[field as keyof typeof EMPTY] == null);
  return row.v === 1 && missing.length === 0 ? row : { ...row, ...Object.fromEntries(missing), v: 0 };
}
