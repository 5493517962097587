import type { OutboxRow } from './rows.ts';

const EMPTY = { type: '', target: '', lane: '', state: 'queued', notBefore: 0, patch: {}, base: {}, deps: [] } as const;

/** `Array.isArray` with a type that also narrows read-only arrays. */
const isList = (value: object): value is readonly unknown[] => Array.isArray(value);

/**
 * Fills in missing fields of a queued row, so that every reader can handle it. A row of another app version, or one
 * that a damaged disk left incomplete, gets `v: 0`: it is shown and never sent.
 */
export function readableRow(row: OutboxRow | undefined): OutboxRow | undefined {
  if (row === undefined) return row;
  // Older versions stored a single value.
  if (row.givenUp && !isList(row.givenUp)) row = { ...row, givenUp: [row.givenUp] };
  const missing = Object.entries(EMPTY).filter(([field]) => row[field as keyof typeof EMPTY] == null);
  return row.v === 1 && missing.length === 0 ? row : { ...row, ...Object.fromEntries(missing), v: 0 };
}
