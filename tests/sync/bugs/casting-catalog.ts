import type { AccountDb } from '#db/database.ts';
import { hasEffect } from '#db/patches.ts';
import type { OutboxRow } from '#db/rows.ts';
import type { WireAnswer } from '#net/wire.ts';
import { drop, laneRows } from '#sync/queue/outbox.ts';
import { type Bug, swap } from './active.ts';
import { interceptWire, withChangedRows } from './wire.ts';

const isAct = ({ kind }: Pick<OutboxRow, 'kind'>) => kind === 'act';

/** Changes the JSON of some responses. */
const withBody = (
  answer: WireAnswer,
  change: (body: Record<string, unknown>) => Record<string, unknown>,
): WireAnswer =>
  'body' in answer && typeof answer.body === 'object' && answer.body !== null
    ? { ...answer, body: change(answer.body as Record<string, unknown>) }
    : answer;

const hasUnsentReply = async (db: AccountDb, id: string): Promise<OutboxRow | undefined> =>
  (await laneRows(db, `audition:${id}`)).find((row) => isAct(row) && !row.sentOnce && row.patch.act !== 'seen');

/** Bugs in projects, roles, requests and auditions. */
export const CASTING_BUGS: readonly Bug[] = [
  {
    name: 'an older page or response overwrites facts',
    swaps: [
      swap('src/sync/pull/apply.ts', 'applyRecord', (real) => async (db, sent, creates) => {
        const known = await db.records.get([sent.type, sent.id]);
        if (known) await db.records.put({ ...known, version: 0 });
        return real(db, sent, creates);
      }),
    ],
  },
  {
    name: 'an act is repeated under a new key',
    swaps: [
      swap('src/sync/send/build-row-request.ts', 'buildRowRequest', (real) => async (db, row, ...rest) => {
        const request = await real(db, row, ...rest);
        if (request && isAct(row)) request.headers['idempotency-key'] = row.attempt!;
        return request;
      }),
    ],
  },
  {
    name: 'a question is repeated under a new key and without its id',
    swaps: [
      swap('src/sync/send/build-row-request.ts', 'buildRowRequest', (real) => async (db, row, ...rest) => {
        const request = await real(db, row, ...rest);
        if (row.kind !== 'send' || request?.body?.kind !== 'json') return request;
        const value = { text: row.patch.message };
        const headers = { ...request.headers, 'idempotency-key': row.attempt! };
        return { ...request, headers, body: { kind: 'json', value } };
      }),
    ],
  },
  {
    name: 'questions do not wait for each other',
    swaps: [
      swap(
        'src/sync/queue/planner.ts',
        'nextOps',
        withChangedRows((row) => (row.kind === 'send' ? { ...row, lane: `${row.lane}#${row.seq}` } : row)),
      ),
    ],
  },
  {
    name: 'a tape counts from an earlier moment than the one at which it was finished',
    swaps: [
      swap('src/sync/queue/tapes.ts', 'sendTape', (real) => (ports, tape) => {
        const clock = { ...ports.clock, now: () => ports.clock.now() - 600_000 };
        return real({ ...ports, clock }, tape);
      }),
    ],
  },
  {
    name: 'a tape is announced again as another one',
    swaps: [
      swap('src/sync/send/build-row-request.ts', 'buildRowRequest', (real) => async (db, row, ...rest) => {
        const request = await real(db, row, ...rest);
        if (row.type !== 'tape' || row.kind !== 'create' || request?.body?.kind !== 'json') return request;
        const headers = { ...request.headers, 'idempotency-key': row.attempt! };
        const value = { ...(request.body.value as object), client_id: row.attempt! };
        return { ...request, headers, body: { kind: 'json', value } };
      }),
    ],
  },
  {
    name: 'withdrawing removes a request that is under way',
    swaps: [
      swap('src/sync/queue/acts.ts', 'act', (real) => async (ports, what) => {
        const rows = what.act === 'withdraw' ? await laneRows(ports.db, `request:${what.id}`) : [];
        if (!rows.some(({ kind }) => kind === 'create')) return real(ports, what);
        for (const row of rows) await drop(ports, row, 'discarded');
        return { op: null };
      }),
    ],
  },
  {
    name: 'a change of days replaces what waits about other days',
    swaps: [
      swap('src/sync/queue/availability.ts', 'setDays', (real) => async (ports, days) => {
        const waiting = await laneRows(ports.db, 'availability:days');
        for (const row of waiting.filter(({ sentOnce }) => !sentOnce)) await drop(ports, row, 'replaced');
        return real(ports, days);
      }),
    ],
  },
  {
    name: 'the id that only the device knows is sent as the parent',
    swaps: [
      swap(
        'src/sync/send/build-row-request.ts',
        'buildRowRequest',
        (real) => (db, row, resolve, server) => real(db, row, (id) => (id === row.parent ? id : resolve(id)), server),
      ),
    ],
  },
  {
    name: 'the answers that casting a role gives are not stored',
    ports: (ports) =>
      interceptWire(ports, {
        onResponse: (answer, { path }) =>
          path.endsWith('/cast') ? withBody(answer, (body) => ({ ...body, requests: [] })) : answer,
      }),
  },
  {
    name: 'acts do not wait for each other',
    swaps: [
      swap(
        'src/sync/queue/planner.ts',
        'nextOps',
        withChangedRows((row) => (isAct(row) ? { ...row, lane: `${row.lane}#${row.seq}` } : row)),
      ),
    ],
  },
  {
    name: 'the first of a yes and a no that wait counts',
    swaps: [
      swap('src/sync/queue/acts.ts', 'act', (real) => async (ports, what) => {
        const earlier =
          what.type === 'audition' && what.act !== 'seen' ? await hasUnsentReply(ports.db, what.id) : undefined;
        return earlier ? { op: earlier.op } : real(ports, what);
      }),
    ],
  },
  {
    name: 'a refused act is dropped silently',
    swaps: [
      swap(
        'src/sync/send/attention.ts',
        'markNeedsAttention',
        (real) =>
          (context, row, ...rest) =>
            isAct(row) ? drop(context, row, 'done') : real(context, row, ...rest),
      ),
    ],
  },
  {
    name: 'a conflict of an act counts as done',
    swaps: [
      swap(
        'src/sync/send/classify.ts',
        'classify',
        (real) => (sent, answer, server) =>
          isAct(sent) && answer.status === 409 ? { do: 'done', record: {}, existed: true } : real(sent, answer, server),
      ),
    ],
  },
  {
    name: 'only the first of several requests is stored',
    swaps: [
      swap(
        'src/sync/queue/create-all.ts',
        'createAll',
        (real) => (ports, type, parent, records, files) => real(ports, type, parent, records.slice(0, 1), files),
      ),
    ],
  },
  {
    name: 'a no that waits is not shown',
    swaps: [
      swap(
        'src/db/casting-acts.ts',
        'applyActs',
        (real) => (body, rows) =>
          real(
            body,
            rows.filter((row) => row.patch.act !== 'decline'),
          ),
      ),
    ],
  },
  {
    name: 'what belongs to a project that is never made stays',
    swaps: [
      swap(
        'src/sync/queue/outbox.ts',
        'drop',
        (real) => (ports, row, to) =>
          to === 'discarded' && row.kind === 'create' && row.deps.length > 0 ? Promise.resolve() : real(ports, row, to),
      ),
    ],
  },
  {
    name: 'a yes is written into what the server said',
    swaps: [
      swap('src/sync/queue/acts.ts', 'act', (real) => async (ports, what) => {
        const { db, clock } = ports;
        const result = await real(ports, what);
        const record = what.act === 'confirm' ? await db.records.get(['audition', what.id]) : undefined;
        const confirmed_at = new Date(clock.now()).toISOString();
        if (record) await db.records.put({ ...record, body: { ...record.body, confirmed_at } });
        return result;
      }),
    ],
  },
  {
    name: 'an audition is kept under the profile that was asked',
    swaps: [
      swap('src/sync/pull/apply.ts', 'putMirror', (real) => (db, record, ...rest) => {
        const isAudition = record.type === 'audition';
        return real(db, isAudition ? { ...record, parent: String(record.body.profile_id) } : record, ...rest);
      }),
    ],
  },
  {
    name: 'an act takes the edits behind it with it when it is sent again',
    swaps: [
      swap('src/sync/queue/outbox.ts', 'renewWithEdits', (real) => async (ports, row, fields, op, more) => {
        for (const later of isAct(row) ? await laneRows(ports.db, row.lane) : []) {
          if (later.seq > row.seq && !hasEffect(later, 'act')) await ports.db.outbox.delete(later.seq);
        }
        return real(ports, row, fields, op, more);
      }),
    ],
  },
  {
    name: 'a change of columns forgets the one before',
    swaps: [
      swap('src/sync/queue/acts.ts', 'act', (real) => async (ports, what) => {
        for (const row of what.act === 'columns' ? await laneRows(ports.db, `role:${what.id}`) : []) {
          if (!hasEffect(row, 'act') || row.patch.act !== 'columns' || row.sentOnce) continue;
          await ports.db.outbox.update(row.seq, { patch: { ...row.patch, fields: { columns: [] } } });
        }
        return real(ports, what);
      }),
    ],
  },
];
