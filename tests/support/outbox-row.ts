import type { OutboxRow } from '#db/rows.ts';

/** A waiting update of a credit, not sent yet, but for what is given. */
export function outboxRow(given: Partial<OutboxRow>): OutboxRow {
  return {
    seq: 1,
    op: 'op',
    v: 1,
    kind: 'update',
    type: 'experience',
    target: '7',
    parent: '1',
    patch: {},
    base: {},
    baseVersion: null,
    lane: 'experience:7',
    deps: [],
    state: 'queued',
    tries: 0,
    sentOnce: false,
    trouble: 0,
    notBefore: 0,
    createdAt: 0,
    ...given,
  };
}
