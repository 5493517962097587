import type { OutboxRow } from './rows.ts';

const EMPTY = { type: '', target: '', lane: '', state: 'queued', notBefore: 0, patch: {}, base: {}, deps: [] } as const;

/** `Array.isArray` with a type that also narrows read-only arrays. */
const isList = (value: object): value is readonly unknown[] => Array.isArray(value);

/**
 * Fills in missing fields of a queued row, so that every reader can handle it. A row of another app version, or one
 * that a damaged disk left incomplete, is shown and never sent: an incomplete one gets `v: 0`, and one of another
 * version keeps its own, so that the app that wrote it can still send it.
 */
export function readableRow(row: OutboxRow | undefined): OutboxRow | undefined {
  if (row === undefined) return row;
  // Older versions stored a single value.
  if (row.givenUp && !isList(row.givenUp)) row = { ...row, givenUp: [row.givenUp] };
  const missing = Object.entries(EMPTY).filter(([field]) => row[field as keyof typeof EMPTY] == null);
  if (missing.length === 0 && row.v != null) return row;
  return { ...row, ...Object.fromEntries(missing), v: row.v === 1 ? 0 : (row.v ?? 0) };
}
