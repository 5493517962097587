import type { OutboxRow } from './rows.ts';

/**
 * A queued row as every reader can take it. One that another version of the app or a damaged disk left incomplete has
 * `v: 0`: it is shown and never sent.
 */
export function readableRow(row: OutboxRow | undefined): OutboxRow | undefined {
  if (row === undefined) return row;
  const { v, type, target, lane, state, notBefore, patch, base, deps } = row as Partial<OutboxRow>;
  if (v === 1 && type && target && lane && state && patch && base && Array.isArray(deps)) return row;
  return {
    ...row,
    v: 0,
    type: type ?? '',
    target: target ?? '',
    lane: lane ?? '',
    state: state ?? 'queued',
    notBefore: notBefore ?? 0,
    patch: patch ?? {},
    base: base ?? {},
    deps: Array.isArray(deps) ? deps : [],
  };
}
