import type { OutboxRow } from '#db/rows.ts';

/** Returns the smallest unit whose order matters, derived from the row's record and not from the engine's lane. */
export function getLane(row: OutboxRow): string {
  // All intents about one person share a lane.
  if (row.type === 'connection') return `person:${String(row.patch['userId'])}`;
  // Messages of one conversation arrive in the order of writing.
  if (row.kind === 'send') return `chat:${row.parent}`;
  return `${row.kind === 'upload' || row.kind === 'avatar' ? row.kind : row.type}:${row.target}`;
}

/** Returns the rows that wait for the person or behind such a row. */
export function getRowsWaitingForPerson(
  rows: readonly OutboxRow[],
  isStuck: (row: OutboxRow) => boolean,
): Set<OutboxRow> {
  const waiting = new Set<OutboxRow>();
  const stuck = new Set<string>();
  const inOrder = [...rows].sort((a, b) => a.seq - b.seq);
  // An upload may be queued after its dependents, so one pass is not enough.
  for (let before = -1; before !== waiting.size;) {
    before = waiting.size;
    for (const row of inOrder) {
      if (!isStuck(row) && !stuck.has(getLane(row)) && !row.deps.some((dep) => stuck.has(dep))) continue;
      waiting.add(row);
      stuck.add(getLane(row)).add(row.target);
    }
  }
  return waiting;
}
