import { LIMITS } from '#contract/limits.ts';
import type { AccountDb } from '#db/database.ts';
import type { OutboxRow } from '#db/rows.ts';
import type { WireAnswer, WireRequest } from '#net/wire.ts';
import type { acknowledge } from '#sync/send/acknowledge.ts';
import type { classify } from '#sync/send/classify.ts';
import type { Verdict } from '#sync/send/verdict.ts';
import { discardAll } from '#sync/queue/discard-all.ts';
import type { Engine } from '#sync/engine.ts';
import * as outbox from '#sync/queue/outbox.ts';
import { drop, laneRows } from '#sync/queue/outbox.ts';
import { countSignIns } from '#sync/send/rate-limit.ts';
import { isRefused, isUnsent, type PlanInput } from '#sync/queue/planner.ts';
import type { EnginePorts } from '#sync/engine-ports.ts';
import { retryOnStorageLoss, StorageError } from '#sync/storage-error.ts';
import { type Bug, type Swap, swap } from './active.ts';
import { jsonOf, interceptWire, withChangedRows, withChangedTable } from './wire.ts';

/** Makes timers of some lengths never fire. */
const withoutTimers = (ports: EnginePorts, isLost: (ms: number) => boolean): EnginePorts => ({
  ...ports,
  clock: { ...ports.clock, after: (ms, call) => (isLost(ms) ? () => undefined : ports.clock.after(ms, call)) },
});

const isPage = (answer: WireAnswer) => 'status' in answer && 'body' in answer && typeof answer.body !== 'object';

const withoutDigest = (answer: WireAnswer, { method }: WireRequest): WireAnswer =>
  method === 'HEAD' && 'header' in answer
    ? { ...answer, header: (name) => (name === 'upload-sha256' ? null : answer.header(name)) }
    : answer;

/** Gives the planner other rows. */
const withPlannerRows = (rowsOf: (input: PlanInput) => readonly OutboxRow[]) =>
  swap('src/sync/queue/planner.ts', 'nextOps', (real) => (input) => real({ ...input, rows: rowsOf(input) }));

const withoutDeps = (isMeant: (row: OutboxRow) => boolean) =>
  withPlannerRows(({ rows }) => rows.map((row) => (isMeant(row) ? { ...row, deps: [] } : row)));

const inLane = (getLane: (row: OutboxRow) => string) =>
  swap(
    'src/sync/queue/planner.ts',
    'nextOps',
    withChangedRows((row) => ({ ...row, lane: getLane(row) })),
  );

type Acknowledged = Parameters<typeof acknowledge>;

const acknowledgedAs = (change: (row: OutboxRow) => OutboxRow) =>
  swap(
    'src/sync/send/acknowledge.ts',
    'acknowledge',
    (real) =>
      (context, row, ...rest) =>
        real(context, change(row), ...rest),
  );

const acknowledgedAnd = (
  more: (context: Acknowledged[0], row: OutboxRow, record: Acknowledged[2]['record']) => Promise<void>,
) =>
  swap('src/sync/send/acknowledge.ts', 'acknowledge', (real) => async (context, row, result) => {
    await real(context, row, result);
    await more(context, row, result.record);
  });

/** Classifies some responses differently. Null keeps the real verdict. */
const withVerdict = (verdictOf: (asked: Parameters<typeof classify>[0], answer: WireAnswer) => Verdict | null) =>
  swap(
    'src/sync/send/classify.ts',
    'classify',
    (real) => (sent, answer, server) => verdictOf(sent, answer) ?? real(sent, answer, server),
  );

const engineWith = (change: (engine: Engine, db: AccountDb, ports: EnginePorts) => Partial<Engine>) =>
  swap('src/sync/engine.ts', 'createEngine', (real) => (db, ports) => {
    const engine = real(db, ports);
    return { ...engine, ...change(engine, db, ports) };
  });

/** Bugs by name: one or more replaced functions, or wrapped ports. */
type Replacements = Record<string, Swap | readonly Swap[] | NonNullable<Bug['ports']>>;

/** @param theme theme of the seeds to search, if the bugs need a rare combination. All themes by default */
const createBugs = (theme: string | undefined, replacements: Replacements, rest: Partial<Bug> = {}): Bug[] =>
  Object.entries(replacements).map(([name, replacement]) => ({
    name,
    ...(theme !== undefined && { theme }),
    ...(typeof replacement === 'function' ? { ports: replacement } : { swaps: [replacement].flat() }),
    ...rest,
  }));

/** Typical ways in which sync engines lose or duplicate work. */
export const BUGS: readonly Bug[] = [
  ...createBugs(undefined, {
    'a: a retry after a lost response is a new change': swap(
      'src/sync/send/build-row-request.ts',
      'buildRowRequest',
      (real) =>
        async (db, row, ...rest) => {
          const request = await real(db, row, ...rest);
          if (!request) return null;
          const { client_id: _client, ...value } = jsonOf(request) ?? {};
          const body = request.body?.kind === 'json' ? { body: { kind: 'json' as const, value } } : {};
          return { ...request, ...body, headers: { ...request.headers, 'idempotency-key': row.attempt! } };
        },
    ),
    'b: a change is deleted from the queue before it is sent': swap(
      'src/sync/send/claim.ts',
      'claim',
      (real) => async (context, want) => {
        const claimed = await real(context, want);
        for (const { row } of claimed) await context.db.outbox.delete(row.seq);
        return claimed;
      },
    ),
    'c: a refused change is dropped silently': swap(
      'src/sync/send/attention.ts',
      'markNeedsAttention',
      () => (context, row) => drop(context, row, 'discarded'),
    ),
    'd: nothing wakes the queue until the next edit': (ports) => withoutTimers(ports, (ms) => ms >= 500),
    'f: a local id is sent in a URL': swap(
      'src/sync/send/build-row-request.ts',
      'buildRowRequest',
      (real) => (db, row, resolve, server) => real(db, row, (id) => (id === row.target ? id : resolve(id)), server),
    ),
    'g: the acknowledgement takes two transactions': acknowledgedAnd(async ({ db, clock }, row) => {
      const pair = await db.ids.get(row.target);
      if (!pair || row.kind !== 'create') return;
      await db.ids.delete(row.target);
      clock.after(0, () => void db.ids.put(pair));
    }),
    'k: one queue for everything': inLane((row) => (row.kind === 'upload' ? row.lane : 'all')),
    'no order within a record': inLane((row) => `${row.lane}#${row.seq}`),
    'an edit is merged into a change that was sent': swap(
      'src/sync/queue/planner.ts',
      'coalesce',
      (real) => (last, update) => {
        if (last?.state !== 'sending') return real(last, update);
        const merged = real({ ...last, state: 'queued', sentOnce: false }, update);
        return merged && { ...merged, state: last.state, sentOnce: last.sentOnce };
      },
    ),
    'a change is sent before the disk records it': swap(
      'src/sync/send/claim.ts',
      'claim',
      (real) => async (context, want) => {
        const claimed = await real(context, want);
        for (const { row } of claimed) await context.db.outbox.put({ ...row, sentOnce: false });
        return claimed;
      },
    ),
    'an edit written while the first one is sent conflicts with it': swap(
      'src/sync/queue/planner.ts',
      'rebase',
      () => () => [],
    ),
    'bytes are deleted when they are uploaded, not when they are attached': acknowledgedAnd(async ({ db }, row) => {
      if (row.kind === 'upload')
        await db.chunks.where('[media+n]').between([row.target, 0], [row.target, Infinity]).delete();
    }),
    'a photo is attached before its bytes are uploaded': withoutDeps((row) => row.type === 'media'),
    'changes that a crashed page was sending are never resumed': swap(
      'src/sync/send/commit.ts',
      'recover',
      () => () => Promise.resolve(),
    ),
    'the screen shows the server’s values over unsent ones': swap(
      'src/db/apply-pending.ts',
      'applyPending',
      (real) => (input) => {
        const bodies = new Map(input.records.map((record) => [record.id, record.body]));
        return real(input).map((item) =>
          item.serverId !== null && bodies.has(item.serverId)
            ? { ...item, body: { ...item.body, ...bodies.get(item.serverId) } }
            : item,
        );
      },
    ),
  }),
  ...createBugs('a Wi-Fi with a sign-in page', {
    'c: a captive portal’s page counts as success': withVerdict(({ kind }, answer) =>
      kind === 'update' && answer.status === 200 && isPage(answer)
        ? { do: 'done', record: { id: '1' }, existed: false }
        : null,
    ),
    'n: a sign-in page with status 401 asks the person to sign in': withVerdict((_, { status }) =>
      status === 401 ? { do: 'sign-in', error: { status, message: '' } } : null,
    ),
    'n: a sign-in page with status 404 means that a record is gone': withVerdict(({ kind }, { status }) =>
      kind === 'delete' && status === 404 ? { do: 'done', record: {}, existed: true } : null,
    ),
    'n: a sign-in page with status 503 makes the account wait for an hour': withVerdict((_, answer) =>
      answer.status === 503 && isPage(answer)
        ? { do: 'rate-limited', ms: 3_600_000, error: { status: 503, message: '' } }
        : null,
    ),
  }),
  ...createBugs('a clock out of order', {
    'e: the clock decides the order': withPlannerRows(({ rows }) =>
      [...rows].sort((a, b) => a.createdAt - b.createdAt),
    ),
    'a clock set back puts the queue to sleep for a year': withPlannerRows(({ rows, now }) => {
      const asleep = new Set(rows.filter((row) => row.notBefore > now).map(({ lane }) => lane));
      return rows.filter(({ lane }) => !asleep.has(lane));
    }),
  }),
  ...createBugs('a bad connection', {
    'h: changes that wait long are deleted': swap(
      'src/sync/send/claim.ts',
      'claim',
      (real) => async (context, want) => {
        for (const row of await context.db.outbox.toArray()) {
          if (row.state !== 'sending' && context.clock.now() - row.createdAt > 60_000)
            await drop(context, row, 'discarded');
        }
        return real(context, want);
      },
    ),
    'a create that may have been sent is dropped with its delete': [
      withPlannerRows(({ rows, now }) => {
        const isDue = (row: OutboxRow) => row.kind === 'delete' && row.state === 'queued' && row.notBefore <= now;
        const removed = new Set(rows.filter(isDue).map(({ lane }) => lane));
        return rows.filter(({ lane, kind, state }) => !removed.has(lane) || kind === 'delete' || state === 'sending');
      }),
      swap(
        'src/sync/queue/planner.ts',
        'coalesceDelete',
        (real) => (before) =>
          before.some(({ kind }) => kind === 'create') ? { drop: [...before], send: false } : real(before),
      ),
    ],
  }),
  ...createBugs('a failing disk', {
    'i: a save that the storage refused is reported as saved': engineWith((engine) => ({
      update: (...args) =>
        engine.update(...args).catch((error: unknown) => {
          if (error instanceof StorageError) return { op: null };
          throw error;
        }),
    })),
    'l: a response that cannot be stored always stops the queue': swap(
      'src/sync/storage-error.ts',
      'isStorageFailure',
      () => () => true,
    ),
    'm: a repeated save creates another id and key': engineWith((engine, db, ports) => ({
      async create(...args) {
        const made = await retryOnStorageLoss(db, () => outbox.create({ ...ports, db }, ...args));
        engine.wake('enqueue');
        return made;
      },
    })),
    'o: the store that replaces a deleted one counts as the same store': swap(
      'src/open-store/store-watch.ts',
      'watchStore',
      (real) =>
        (db, born, ...rest) => {
          const row = { k: 'born', at: born };
          real(
            withChangedTable(db, 'meta', () => ({ get: () => Promise.resolve(row) })),
            born,
            ...rest,
          );
        },
    ),
    'o: the loss of a store is not reported': swap('src/open-store/pending-work-marker.ts', 'recordLoss', () => () => ({
      isUnexpected: true,
      hasLost: false,
    })),
  }),
  ...createBugs('pages come and go', {
    'j: changes of another tab that crashed are not noticed': (ports) => withoutTimers(ports, (ms) => ms >= 300_000),
    'q: a screen reads the whole queue': swap('src/db/queries.ts', 'mediaItems', (real) => async (db, profileId) => {
      await db.outbox.filter(({ type }) => type === 'media').toArray();
      return real(db, profileId);
    }),
  }),
  ...createBugs('second thoughts', {
    'p: Undo reports success for a sent delete': swap(
      'src/sync/queue/outbox.ts',
      'undo',
      (real) => async (ports, op) => {
        const row = await ports.db.outbox.where('op').equals(op).first();
        return (await real(ports, op)) || row?.kind === 'delete';
      },
    ),
    'p: Undo always reports success': swap('src/sync/queue/outbox.ts', 'undo', (real) => async (ports, op) => {
      await real(ports, op);
      return true;
    }),
  }),
  ...createBugs('other people', {
    'seeing one notification marks all as seen': (ports) =>
      interceptWire(ports, {
        onRequest: (request) =>
          request.path === '/notifications/read'
            ? { ...request, body: { kind: 'json', value: { all: true } } }
            : request,
      }),
    'only one batch of seen notifications is marked': swap(
      'src/sync/queue/mark-seen.ts',
      'markSeen',
      (real) => (ports, ids) => real(ports, ids.slice(0, LIMITS.notificationsPerRequest)),
    ),
    'a seen notification is new again after it is sent': acknowledgedAs((row) =>
      row.kind === 'seen' ? { ...row, patch: { ids: [] } } : row,
    ),
    'a bookmark tapped while another is being sent is ignored': swap(
      'src/sync/queue/toggles.ts',
      'setSaved',
      (real) => async (ports, type, card, saved) => {
        const [first] = await laneRows(ports.db, `${type}:${card.id}`);
        return first?.state === 'sending' ? { op: first.op } : real(ports, type, card, saved);
      },
    ),
    'the first intent for a bookmark wins': swap(
      'src/sync/queue/toggles.ts',
      'setSaved',
      (real) => async (ports, type, card, saved) => {
        const last = (await laneRows(ports.db, `${type}:${card.id}`)).at(-1);
        return last && !isRefused(last) ? { op: last.op } : real(ports, type, card, saved);
      },
    ),
    'an unsave is sent as a save': (ports) =>
      interceptWire(ports, {
        onRequest: (request) => ({ ...request, path: request.path.replace('/unsave', '/save') }),
      }),
    'accepting a request is dropped': swap(
      'src/sync/queue/connections.ts',
      'accept',
      () => (ports, whom, connectionId) => Promise.resolve({ op: ports.chance.uuid() + whom.name + connectionId }),
    ),
  }),
  ...createBugs('a session that ends', {
    'a lost response followed by a refused token marks a change as unsent': swap(
      'src/sync/send/attention.ts',
      'changeState',
      (real) => (context, before, after) =>
        real(context, before, after.lastError?.status === 401 ? { ...after, sentOnce: false } : after),
    ),
    'signing in again does not resume sending': engineWith((engine, db) => ({
      async signedIn() {
        const pause = await db.meta.get('auth-paused');
        await engine.signedIn();
        if (pause) await db.meta.put(pause);
      },
    })),
    'a refusal of an older token pauses the new session': swap(
      'src/sync/send/rate-limit.ts',
      'pauseForSignIn',
      (real) => async (context) => real(context, await countSignIns(context.db)),
    ),
  }),
  ...createBugs('a server that asks for quiet', {
    'a pull ignores the server’s rate limit': swap(
      'src/sync/send/rate-limit.ts',
      'limitTransport',
      () =>
        (_db, { transport }) =>
          transport,
    ),
    'the queue ignores the server’s rate limit': swap(
      'src/sync/send/rate-limit.ts',
      'getRateLimitMs',
      () => () => Promise.resolve(0),
    ),
  }),
  ...createBugs('another device', {
    'a form that was open overwrites what came meanwhile': swap(
      'src/sync/queue/basis.ts',
      'readBasis',
      (real) => (db, record, changed) => real(db, record, changed),
    ),
    'an acknowledged edit keeps the first version until the next pull': acknowledgedAnd(async ({ db }, row, record) => {
      const known = row.kind === 'update' ? await db.records.get([row.type, String(record.id)]) : undefined;
      if (known && (known.version ?? 0) > 2) await db.records.put({ ...known, version: 1 });
    }),
    'the cursor is stored before the records of its page': (ports, { db }) =>
      interceptWire(ports, {
        onResponse(answer, { path }) {
          const cursor =
            'body' in answer && path.startsWith('/sync?')
              ? (answer.body as { cursor?: string } | undefined)?.cursor
              : undefined;
          if (cursor === undefined) return answer;
          void db.cursors.update('sync', { value: cursor }).catch(() => undefined);
          return answer;
        },
      }),
    'a recreated record has only the edited fields': swap(
      'src/sync/queue/outbox.ts',
      'renewWithEdits',
      (real) => (ports, row, fields, op, extra) =>
        real(
          ports,
          extra?.over?.kind === 'create'
            ? { ...row, patch: Object.fromEntries(Object.entries(row.patch).slice(-4)) }
            : row,
          fields,
          op,
          extra,
        ),
    ),
    'a recreated record is created twice': swap(
      'src/sync/queue/resolutions.ts',
      'recreate',
      (real) => async (ports, op) => {
        const row = await ports.db.outbox.where('op').equals(op).first();
        await real(ports, op);
        if (!row) return;
        const made = (await ports.db.outbox.toArray()).find(({ seq, kind }) => seq === row.seq && kind === 'create');
        if (!made) return;
        const { seq: _seq, ...copy } = made;
        const target = `${made.target.slice(0, -1)}0`;
        await ports.db.outbox.add({ ...copy, op: `${made.op.slice(0, -1)}0`, target, lane: `${made.type}:${target}` });
      },
    ),
    'local values overwrite another device’s values': swap(
      'src/sync/conflict/merge.ts',
      'merge3',
      (real) => (base, mine, theirs) => ({
        ...real(base, mine, theirs),
        conflicts: [],
      }),
    ),
    'a late response restores a deleted record': acknowledgedAs(({ recheck: _recheck, ...row }) => row),
    'an interrupted full pull counts as complete': (ports) =>
      interceptWire(ports, {
        onResponse: (answer, { path }) =>
          path === '/sync' && 'body' in answer && typeof answer.body === 'object'
            ? { ...answer, body: { ...answer.body, has_more: false } }
            : answer,
      }),
  }),
  ...createBugs('a forgotten cursor', {
    'an invalid cursor deletes the ids of this device': (ports, { db }) =>
      interceptWire(ports, {
        onResponse(answer) {
          if (answer.status === 410) void db.ids.clear().catch(() => undefined);
          return answer;
        },
      }),
    'an invalid cursor deletes queued creates': (ports, { db }) =>
      interceptWire(ports, {
        onResponse(answer) {
          if (answer.status === 410)
            void db.outbox
              .filter(({ kind, sentOnce }) => kind === 'create' && !sentOnce)
              .delete()
              .catch(() => undefined);
          return answer;
        },
      }),
  }),
  ...createBugs('a new profile', {
    'rows of a new profile do not wait for its create': withoutDeps((row) => row.type !== 'upload'),
    'fields that the create of a profile does not accept are not sent': acknowledgedAs((row) =>
      row.type === 'profile' && row.kind === 'create' ? { ...row, patch: {} } : row,
    ),
  }),
  ...createBugs('photos', {
    'a damaged upload counts as complete': (ports) => interceptWire(ports, { onResponse: withoutDigest }),
    'a piece of a file is read from the wrong place': (ports) =>
      interceptWire(ports, {
        onRequest(request) {
          const { body, headers } = request;
          if (body?.kind !== 'bytes' || Number(headers['upload-offset']) === 0) return request;
          const bytes = new Uint8Array(body.value);
          const moved = Uint8Array.from(bytes, (_, at) => bytes[Math.max(0, at - 1)]!);
          return { ...request, body: { ...body, value: moved.buffer } };
        },
        // The digest is not checked either.
        onResponse: withoutDigest,
      }),
  }),
  ...createBugs('two people and one phone', {
    'one person’s changes are sent with another person’s token': (ports, { device }) => ({
      ...ports,
      transport: {
        send: (request, { userId }) => ports.transport.send(request, { userId: device.session?.userId ?? userId }),
      },
    }),
  }),
  ...createBugs('a sealed file', {
    'an edit is merged into a sealed change': swap(
      'src/sync/queue/planner.ts',
      'coalesce',
      (real) => (last, update) => {
        const { sealedAt, ...open } = last ?? ({} as OutboxRow);
        const merged = real(last && (open as OutboxRow), update);
        return merged && sealedAt !== undefined ? { ...merged, sealedAt } : merged;
      },
    ),
    'changes of a sealed file get new keys': swap(
      'src/sync/sealed/open.ts',
      'openSealed',
      (real) => (ports, contents) =>
        real(ports, { ...contents, rows: contents.rows.map((row) => ({ ...row, op: `${row.op.slice(0, -1)}x` })) }),
    ),
    'records of a sealed file get new ids': swap(
      'src/sync/sealed/open.ts',
      'openSealed',
      (real) => (ports, contents) => {
        const rename = (row: OutboxRow) =>
          row.kind === 'create' ? { ...row, target: `${row.target}0`, lane: `${row.lane}0` } : row;
        return real(ports, { ...contents, rows: contents.rows.map(rename) });
      },
    ),
    'the files of a sealed file are not stored': swap(
      'src/sync/sealed/open.ts',
      'openSealed',
      (real) => (ports, contents) => real(ports, { ...contents, media: [], chunks: [] }),
    ),
    'a delete that another device may send can be undone': swap(
      'src/sync/queue/outbox.ts',
      'undo',
      (real) => async (ports, op) => {
        await ports.db.outbox
          .where('op')
          .equals(op)
          .modify((row) => void delete row.sealedAt);
        return real(ports, op);
      },
    ),
  }),
  ...createBugs('refusals', {
    'a correction loses the edits queued behind it': swap(
      'src/sync/queue/outbox.ts',
      'renewWithEdits',
      (real) =>
        async (ports, row, ...rest) => {
          for (const later of await laneRows(ports.db, row.lane)) {
            if (later.seq > row.seq && later.kind === 'update' && isUnsent(later))
              await ports.db.outbox.delete(later.seq);
          }
          return real(ports, row, ...rest);
        },
    ),
    'discarding one change discards all': swap(
      'src/sync/queue/resolutions.ts',
      'discard',
      (real) => async (ports, op) => {
        await real(ports, op);
        await discardAll(ports.db);
      },
    ),
  }),
  ...createBugs('a portfolio', {
    'a media record’s metadata is not shown': swap('src/db/media-body.ts', 'bodyOf', () => (_type, body) => body),
  }),
  ...createBugs(
    'a portfolio',
    {
      'an empty list of videos of the basic API deletes the videos': (ports) =>
        interceptWire(ports, {
          onResponse: (answer, { path }) =>
            path.startsWith('/media/video') && answer.status === 200 ? { ...answer, body: [] } : answer,
        }),
    },
    { isBasic: true },
  ),
];
