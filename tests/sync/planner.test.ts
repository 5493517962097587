import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { IdPair, MediaFile, OpKind, OpState, OutboxRow, Reason } from '#db/rows.ts';
import { classify } from '#sync/send/classify.ts';
import { basicApi } from '#sync/server/basic-api.ts';
import { fullApi } from '#sync/server/full-api.ts';
import { merge3, pick, sameValue } from '#sync/conflict/merge.ts';
import { coalesce, coalesceDelete, isUnsent, nextDue, nextOps, rebase } from '#sync/queue/planner.ts';
import { outboxRow } from '../support/outbox-row.ts';
import { quantity } from '../support/quantity.ts';

type Values = Record<string, unknown>;

/** More than 100,000 cases in the full suite. */
const RUNS = quantity(1000, 12_000);
const check = <T>(property: fc.IProperty<T>) => fc.assert(property, { numRuns: RUNS });

const field = fc.constantFrom('title', 'role', 'year', 'link');
const value = fc.constantFrom<unknown>('a', 'b', 'c', 1, null);
const values = fc.dictionary(field, value, { maxKeys: 4, noNullPrototype: true });
const reason = fc.constantFrom<Reason>('invalid', 'conflict', 'forbidden', 'gone', 'suspect', 'unsure', 'toobig');

const rowOf = (given: Partial<OutboxRow>): OutboxRow => outboxRow({ target: 'L_1', lane: 'experience:L_1', ...given });

const row = fc
  .record({
    kind: fc.constantFrom<OpKind>('create', 'update', 'delete', 'act'),
    state: fc.constantFrom<OpState>('queued', 'queued', 'sending', 'verify', 'attention'),
    sentOnce: fc.boolean(),
    patch: values,
    base: values,
    baseVersion: fc.option(fc.integer({ min: 1, max: 5 }), { nil: null }),
    // Within every back-off, or so far ahead that the clock must have gone back.
    notBefore: fc.oneof(fc.integer({ min: 0, max: 500_000 }), fc.constant(1e9)),
    reason,
    deps: fc.subarray(['L_9', 'media-1', 'media-2']),
  })
  .map(({ reason: why, ...given }) => rowOf({ ...given, ...(given.state === 'attention' && { reason: why }) }));

/** A lane as the engine orders it: a create comes first, a delete last. */
const lane = (name: string) =>
  fc
    .array(row, { maxLength: 4 })
    .map((rows) =>
      rows
        .filter(
          (each, at) => (each.kind !== 'create' || at === 0) && (each.kind !== 'delete' || at === rows.length - 1),
        )
        .map((each): OutboxRow => ({ ...each, lane: name, deps: each.kind === 'create' ? each.deps : [] })),
    );
const upload = row.map((each): OutboxRow => ({ ...each, lane: 'four', kind: 'upload', deps: [] }));
/** A queue of a few lanes whose rows are interleaved at random. */
const queue = fc
  .tuple(lane('one'), lane('two'), lane('three'), fc.option(upload, { nil: null }), fc.infiniteStream(fc.nat(2)))
  .map(([one, two, three, last, picks]) => {
    const lanes = [[...one], [...two], [...three]];
    const rows: OutboxRow[] = [];
    for (let left = lanes.flat().length; left > 0; left -= 1) {
      const open = lanes.filter((each) => each.length > 0);
      rows.push(open[picks.next().value! % open.length]!.shift()!);
    }
    return [...rows, ...(last ? [last] : [])].map((each, n) => ({ ...each, seq: n + 1, op: `op${n}` }));
  });
const ids: ReadonlyMap<string, IdPair> = new Map([['L_9', { local: 'L_9', type: 'profile', server: '9' }]]);
const media: ReadonlyMap<string, MediaFile> = new Map([
  ['media-1', { id: 'media-1', state: 'sent' } as MediaFile],
  ['media-2', { id: 'media-2', state: 'ready' } as MediaFile],
]);

/** Reference model: a record after writes in order. */
const apply = (record: Values, writes: readonly OutboxRow[]): Values =>
  writes.reduce((before, write) => ({ ...before, ...write.patch }), record);

describe('coalescing', () => {
  it('leaves the record as two writes would', () => {
    check(
      fc.property(row, values, values, values, (last, patch, base, record) => {
        const merged = coalesce(last, { patch, base, baseVersion: 3 });
        if (merged === null) return;
        expect(apply(record, [merged])).toEqual(apply(record, [last, rowOf({ patch })]));
      }),
    );
  });

  it('never changes a row that may have been sent, and keeps key, order, first base and older version', () => {
    check(
      fc.property(row, values, values, (last, patch, base) => {
        const merged = coalesce(last, { patch, base, baseVersion: 3 });
        // An edit is no part of something that is done with the record.
        if (last.state !== 'queued' || last.sentOnce || last.kind === 'delete' || last.kind === 'act') {
          expect(merged).toBeNull();
          return;
        }
        expect(pick(merged as unknown as Values, ['op', 'seq', 'kind', 'lane'])).toEqual(
          pick(last as unknown as Values, ['op', 'seq', 'kind', 'lane']),
        );
        if (last.kind !== 'update') return;
        expect(merged?.base).toEqual({ ...base, ...last.base });
        // A row without a base version counts as version 0.
        expect(merged?.baseVersion).toBe(Math.min(last.baseVersion ?? 0, 3));
      }),
    );
  });

  it('does not merge fields that the media form lacks into an unsent create', () => {
    const unsent = rowOf({ kind: 'create', type: 'media', patch: { name: 'Headshot' } });
    const update = { base: {}, baseVersion: null };
    expect(coalesce(unsent, { ...update, patch: { name: 'At the window' } })?.patch).toEqual({ name: 'At the window' });
    for (const patch of [{ position: 2 }, { is_hidden: true }, { is_primary: true, name: 'At the window' }]) {
      expect(coalesce(unsent, { ...update, patch })).toBeNull();
    }
  });

  it('drops a create with its delete only when the server cannot have the record', () => {
    check(
      fc.property(queue, (rows) => {
        const before = rows.filter((each) => each.lane === 'one');
        const { drop, send } = coalesceDelete(before);
        const create = before.find((each) => each.kind === 'create');
        const mayBeThere =
          !create ||
          create.state === 'sending' ||
          create.state === 'verify' ||
          (create.state === 'queued' && create.sentOnce);
        if (mayBeThere) expect(send).toBe(true);
        if (send) for (const each of drop) expect(each.kind).toBe('update');
        for (const each of drop) if (send) expect(each.state === 'sending' || each.state === 'verify').toBe(false);
      }),
    );
  });
});

describe('the next rows to send', () => {
  const input = fc.record({
    rows: queue,
    now: fc.integer({ min: 0, max: 3_000_000 }),
    freeSlots: fc.record({ json: fc.integer({ min: 0, max: 3 }), upload: fc.integer({ min: 0, max: 1 }) }),
    isFileReady: fc.constantFrom(fullApi.isFileReady, basicApi.isFileReady),
  });

  it('keeps the order of each lane and stays within the limits', () => {
    check(
      fc.property(input, (given) => {
        const next = nextOps({ ...given, ids, media });
        expect(next.filter((each) => each.kind !== 'upload').length).toBeLessThanOrEqual(given.freeSlots.json);
        expect(next.filter((each) => each.kind === 'upload').length).toBeLessThanOrEqual(given.freeSlots.upload);
        expect(new Set(next.map((each) => each.lane)).size).toBe(next.length);
        expect(next.map((each) => each.seq)).toEqual(next.map((each) => each.seq).sort((a, b) => a - b));
        for (const each of next) {
          const before = given.rows.filter((other) => other.lane === each.lane && other.seq < each.seq);
          // Only a delete may start behind other rows, which it drops.
          if (each.kind !== 'delete') expect(before).toEqual([]);
          else expect(coalesceDelete(before).drop.length).toBe(before.length);
        }
      }),
    );
  });

  it('skips rows that wait, are being sent, need attention or lack a dependency', () => {
    check(
      fc.property(input, (given) => {
        for (const each of nextOps({ ...given, ids, media })) {
          expect(each.state).not.toBe('sending');
          if (each.state === 'attention') expect(each.reason).toBe('suspect');
          const farthest = each.reason === 'suspect' ? 86_400_000 : 600_000;
          expect(each.notBefore <= given.now || each.notBefore > given.now + farthest).toBe(true);
          if (each.kind !== 'delete')
            expect(each.deps.includes('media-2') && given.isFileReady === fullApi.isFileReady).toBe(false);
        }
      }),
    );
  });

  it('never forgets a row: due rows are offered, others have a time', () => {
    check(
      fc.property(input, (given) => {
        const whole = { ...given, ids, media, freeSlots: { json: 99, upload: 99 } };
        const due = nextDue(whole);
        const next = nextOps(whole);
        if (next.length > 0) expect(due).toBe(given.now);
        else if (due !== null) {
          expect(due).toBeGreaterThan(given.now);
          expect(nextOps({ ...whole, now: due }).length).toBeGreaterThan(0);
        }
      }),
    );
  });

  it('lets no lane delay another', () => {
    check(
      fc.property(input, (given) => {
        const whole = { ...given, ids, media, freeSlots: { json: 99, upload: 99 } };
        const alone = ['one', 'two', 'three', 'four'].flatMap((name) =>
          nextOps({ ...whole, rows: given.rows.filter((each) => each.lane === name) }),
        );
        expect(new Set(nextOps(whole).map((each) => each.op))).toEqual(new Set(alone.map((each) => each.op)));
      }),
    );
  });
});

describe('rebasing', () => {
  it('creates no conflict for an edit written while the first one was sent', () => {
    check(
      fc.property(values, values, values, (record, first, second) => {
        const under = { ...record, ...first };
        const done = rowOf({ seq: 1, patch: first, base: pick(record, Object.keys(first)), baseVersion: 1 });
        const behind = rowOf({ seq: 2, patch: second, base: pick(record, Object.keys(second)), baseVersion: 1 });
        const [rebased] = rebase(done, 2, [behind]);
        expect(rebased?.baseVersion).toBe(2);
        expect(merge3(rebased?.base ?? {}, second, under).conflicts).toEqual([]);
      }),
    );
  });

  it('creates no conflict for edits before and after a pull of the new record, and hides no other edit', () => {
    check(
      fc.property(values, values, values, (made, first, second) => {
        const done = rowOf({ seq: 1, kind: 'create', patch: made });
        const unseen = rowOf({ seq: 2, patch: first });
        const behind = coalesce(unseen, { patch: second, base: pick(made, Object.keys(second)), baseVersion: 2 })!;
        const [rebased] = rebase(done, 1, [behind]);
        expect(merge3(rebased!.base, behind.patch, made).conflicts).toEqual([]);
        // The first edit was not based on version 2.
        expect(rebased!.baseVersion).toBeLessThan(2);
      }),
    );
  });

  it('does not change rows that may have been sent', () => {
    check(
      fc.property(row, fc.array(row, { maxLength: 4 }), (done, others) => {
        const behind = others.map((each, n) => ({ ...each, seq: done.seq + 1 + n }));
        for (const each of rebase(done, 3, behind)) expect(each.sentOnce).toBe(false);
      }),
    );
  });
});

describe('a merge of two devices', () => {
  it('takes the side that changed a field and reports a conflict when both did', () => {
    check(
      fc.property(values, values, values, (base, mine, theirs) => {
        const { patch, conflicts } = merge3(base, mine, theirs);
        for (const [name, wanted] of Object.entries(mine)) {
          const isSame = sameValue(wanted, theirs[name]);
          const isMineAlone = sameValue(base[name], theirs[name]);
          expect(name in patch).toBe(!isSame);
          expect(conflicts.includes(name)).toBe(!isSame && !isMineAlone);
        }
        for (const name of Object.keys(patch)) expect(name in mine).toBe(true);
      }),
    );
  });
});

describe('classifying a response', () => {
  const body = fc.oneof(
    fc.constant(undefined),
    fc.record({ message: fc.string() }),
    fc.record({ message: fc.string(), data: fc.record({ id: fc.constant('1'), version: fc.integer() }) }),
    fc.record({ errors: fc.dictionary(field, fc.array(fc.string(), { maxLength: 2 })) }),
    fc.array(fc.anything(), { maxLength: 2 }),
    fc.constant('<html>'),
  );
  const asked = fc.record({
    kind: fc.constantFrom<OpKind>('create', 'update', 'delete', 'avatar', 'act'),
    type: fc.constantFrom('experience', 'media', 'profile', 'project', 'role', 'request', 'audition'),
    patch: fc.constant({}),
  });
  const answer = fc.record({
    status: fc.constantFrom(
      200,
      201,
      204,
      302,
      304,
      400,
      401,
      403,
      404,
      405,
      408,
      409,
      410,
      412,
      413,
      415,
      419,
      422,
      425,
      426,
      429,
      500,
      502,
      503,
      504,
    ),
    body,
    redirected: fc.boolean(),
    retry: fc.option(fc.constantFrom('1', '120', 'Wed, 21 Oct 2026 07:28:00 GMT', '-5'), { nil: null }),
  });
  /** Tells whether the body is our error envelope. Anything else comes from a proxy. */
  const isOwn = (value: unknown) =>
    typeof value === 'object' && value !== null && 'message' in value && typeof value.message === 'string';
  const read = (given: { status: number; body: unknown; redirected: boolean; retry: string | null }) => ({
    ...given,
    header: (name: string) => (name === 'retry-after' ? given.retry : null),
  });

  it('is done only after a success of the server itself or a delete of a missing record', () => {
    check(
      fc.property(asked, answer, (what, given) => {
        const verdict = classify(what, read(given), fullApi);
        if (verdict.do !== 'done') return;
        expect(given.redirected).toBe(false);
        expect(typeof given.body).toBe('object');
        const isGone = what.kind === 'delete' && (given.status === 404 || given.status === 410) && isOwn(given.body);
        expect(isGone || (given.status >= 200 && given.status < 300)).toBe(true);
        if (what.kind === 'create') expect(verdict.record['id']).toBeDefined();
      }),
    );
  });

  it('asks the user about a refusal and retries after temporary errors', () => {
    check(
      fc.property(asked, answer, (what, given) => {
        const verdict = classify(what, read({ ...given, redirected: false }), fullApi);
        const isGateway = given.status >= 400 && !isOwn(given.body);
        // The limit of requests to performers holds for these alone.
        const isAsking = what.kind === 'create' && what.type === 'request';
        if (isGateway) expect(verdict.do).toBe('again');
        else if (given.status === 401 || given.status === 419) expect(verdict.do).toBe('sign-in');
        else if (given.status === 429) expect(verdict.do).toBe(isAsking ? 'again' : 'rate-limited');
        else if (given.status >= 500) expect(['again', 'rate-limited']).toContain(verdict.do);
        else if ([408, 425].includes(given.status)) expect(verdict.do).toBe('again');
        if (verdict.do === 'needs') expect(given.status).toBeGreaterThanOrEqual(400);
        if (verdict.do === 'rate-limited') expect(verdict.ms).toBeGreaterThanOrEqual(1000);
      }),
    );
  });
});

it('tells which rows were never sent', () => {
  check(
    fc.property(row, (each) => {
      expect(isUnsent(each)).toBe(each.state === 'queued' && !each.sentOnce);
    }),
  );
});
