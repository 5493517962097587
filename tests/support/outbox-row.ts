import type { OutboxRow } from '#db/rows.ts';

/** Returns a queued update of a credit with the given fields replaced. */
export function outboxRow(overrides: Partial<OutboxRow>): OutboxRow {
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
    ...overrides,
  };
}
