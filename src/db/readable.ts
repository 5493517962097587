import type { OutboxRow } from './rows.ts';

const EMPTY = { type: '', target: '', lane: '', state: 'queued', notBefore: 0, patch: {}, base: {}, deps: [] } as const;

/**
 * A queued row as every reader can take it. One that another version of the app or a damaged disk left incomplete has
 * `v: 0`: it is shown and never sent.
 */
export function readableRow(row: OutboxRow | undefined): OutboxRow | undefined {
  if (row === undefined) return row;
  const missing = Object.entries(EMPTY).filter(([field]) => row[field as keyof typeof EMPTY] == null);
  return row.v === 1 && missing.length === 0 ? row : { ...row, ...Object.fromEntries(missing), v: 0 };
}
