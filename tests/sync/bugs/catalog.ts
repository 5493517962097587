import type { OutboxRow } from '#db/rows.ts';
import { LIMITS } from '#contract/limits.ts';
import type { WireAnswer } from '#net/wire.ts';
import { discardAll } from '#sync/cures.ts';
import * as outbox from '#sync/outbox.ts';
import { drop, laneRows } from '#sync/outbox.ts';
import { countSignIns } from '#sync/pauses.ts';
import { isRefused, isUnsent } from '#sync/planner.ts';
import type { Ports } from '#sync/ports.ts';
import { guarded, StorageTrouble } from '#sync/trouble.ts';
import { type Bug, swap } from './active.ts';
import { jsonOf, onWire, seenAs, seenThrough } from './wire.ts';

/** Timers of some lengths never end. */
const withoutTimers = (ports: Ports, isLost: (ms: number) => boolean): Ports => ({
  ...ports,
  clock: { ...ports.clock, after: (ms, call) => (isLost(ms) ? () => undefined : ports.clock.after(ms, call)) },
});

const isPage = (answer: WireAnswer) => 'status' in answer && 'body' in answer && typeof answer.body !== 'object';

/** The ways in which such engines lose or double work: one bug for each class of `sync` and more. */
export const BUGS: readonly Bug[] = [
  {
    name: 'a: a lost answer makes the next try another change',
    swaps: [
      swap('src/sync/requests.ts', 'requestOf', (real) => async (db, row, ...rest) => {
        const request = await real(db, row, ...rest);
        if (!request) return null;
        const { client_id: _client, ...value } = jsonOf(request) ?? {};
        const body = request.body?.kind === 'json' ? { body: { kind: 'json' as const, value } } : {};
        return { ...request, ...body, headers: { ...request.headers, 'idempotency-key': row.attempt! } };
      }),
    ],
  },
  {
    name: 'b: a change leaves the queue before it is sent',
    swaps: [
      swap('src/sync/claim.ts', 'claim', (real) => async (context, want) => {
        const claimed = await real(context, want);
        for (const { row } of claimed) await context.db.outbox.delete(row.seq);
        return claimed;
      }),
    ],
  },
  {
    name: 'c: a refused change is dropped in silence',
    swaps: [swap('src/sync/park.ts', 'need', () => (context, row) => drop(context, row, 'discarded'))],
  },
  {
    name: 'c: a page of the Wi-Fi is taken for success',
    theme: 'a Wi-Fi with a sign-in page',
    swaps: [
      swap(
        'src/sync/classify.ts',
        'classify',
        (real) => (asked, answer, features) =>
          asked.kind === 'update' && answer.status === 200 && isPage(answer)
            ? { do: 'done', record: { id: '1' }, existed: false }
            : real(asked, answer, features),
      ),
    ],
  },
  {
    name: 'd: nothing wakes the queue until the next edit',
    ports: (ports) => withoutTimers(ports, (ms) => ms >= 500),
  },
  {
    name: 'e: the clock decides the order',
    theme: 'a clock out of order',
    swaps: [
      swap(
        'src/sync/planner.ts',
        'nextOps',
        (real) => (input) => real({ ...input, rows: [...input.rows].sort((a, b) => a.createdAt - b.createdAt) }),
      ),
    ],
  },
  {
    name: 'f: a local id ends up in an address',
    swaps: [
      swap(
        'src/sync/requests.ts',
        'requestOf',
        (real) => (db, row, resolve, features) =>
          real(db, row, (id) => (id === row.target ? id : resolve(id)), features),
      ),
    ],
  },
  {
    name: 'g: the acknowledgement takes two transactions',
    swaps: [
      swap('src/sync/acknowledge.ts', 'acknowledge', (real) => async (context, row, ...rest) => {
        const { db, clock } = context;
        await real(context, row, ...rest);
        const pair = await db.ids.get(row.target);
        if (!pair || row.kind !== 'create') return;
        await db.ids.delete(row.target);
        clock.after(0, () => void db.ids.put(pair));
      }),
    ],
  },
  {
    name: 'h: what has waited long is thrown away',
    theme: 'a bad connection',
    swaps: [
      swap('src/sync/claim.ts', 'claim', (real) => async (context, want) => {
        for (const row of await context.db.outbox.toArray()) {
          if (row.state !== 'sending' && context.clock.now() - row.createdAt > 60_000)
            await drop(context, row, 'discarded');
        }
        return real(context, want);
      }),
    ],
  },
  {
    name: 'i: a save that the storage refused is called saved',
    theme: 'a failing disk',
    swaps: [
      swap('src/sync/engine.ts', 'createEngine', (real) => (db, ports) => {
        const engine = real(db, ports);
        const update: typeof engine.update = (...args) =>
          engine.update(...args).catch((error: unknown) => {
            if (error instanceof StorageTrouble) return { op: null };
            throw error;
          });
        return { ...engine, update };
      }),
    ],
  },
  {
    name: 'j: what another tab wrote before it died is not noticed',
    theme: 'pages come and go',
    ports: (ports) => withoutTimers(ports, (ms) => ms >= 300_000),
  },
  {
    name: 'k: one queue for everything',
    swaps: [
      swap(
        'src/sync/planner.ts',
        'nextOps',
        seenAs((row) => (row.kind === 'upload' ? row : { ...row, lane: 'all' })),
      ),
    ],
  },
  {
    name: 'l: an answer that cannot be kept stops the queue, each time',
    theme: 'a failing disk',
    swaps: [swap('src/sync/trouble.ts', 'isOfStorage', () => () => true)],
  },
  {
    name: 'm: a save that is repeated mints another id and key',
    theme: 'a failing disk',
    swaps: [
      swap('src/sync/engine.ts', 'createEngine', (real) => (db, ports) => {
        const engine = real(db, ports);
        const create: typeof engine.create = async (...args) => {
          const made = await guarded(db, () => outbox.create({ ...ports, db }, ...args));
          engine.poke('enqueue');
          return made;
        };
        return { ...engine, create };
      }),
    ],
  },
  {
    name: 'n: a sign-in page with status 401 asks the person to sign in',
    theme: 'a Wi-Fi with a sign-in page',
    swaps: [
      swap(
        'src/sync/classify.ts',
        'classify',
        (real) => (asked, answer, features) =>
          answer.status === 401
            ? { do: 'sign-in', error: { status: 401, message: '' } }
            : real(asked, answer, features),
      ),
    ],
  },
  {
    name: 'n: a sign-in page with status 404 tells that a record is gone',
    theme: 'a Wi-Fi with a sign-in page',
    swaps: [
      swap(
        'src/sync/classify.ts',
        'classify',
        (real) => (asked, answer, features) =>
          asked.kind === 'delete' && answer.status === 404
            ? { do: 'done', record: {}, existed: true }
            : real(asked, answer, features),
      ),
    ],
  },
  {
    name: 'n: a sign-in page with status 503 makes the account wait for an hour',
    theme: 'a Wi-Fi with a sign-in page',
    swaps: [
      swap(
        'src/sync/classify.ts',
        'classify',
        (real) => (asked, answer, features) =>
          answer.status === 503 && isPage(answer)
            ? { do: 'quiet', ms: 3_600_000, error: { status: 503, message: '' } }
            : real(asked, answer, features),
      ),
    ],
  },
  {
    name: 'o: the store that takes the place of a deleted one is counted for it',
    theme: 'a failing disk',
    swaps: [
      swap('src/session/store-watch.ts', 'watchStore', (real) => (db, born, ...rest) => {
        const row = { k: 'born', at: born };
        real(
          seenThrough(db, 'meta', () => ({ get: () => Promise.resolve(row) })),
          born,
          ...rest,
        );
      }),
    ],
  },
  {
    name: 'o: nobody is told of what went with the store',
    theme: 'a failing disk',
    swaps: [swap('src/session/canary.ts', 'noteLoss', () => () => undefined)],
  },
  {
    name: 'p: Undo takes back what has left',
    theme: 'second thoughts',
    swaps: [
      swap('src/sync/outbox.ts', 'undo', (real) => async (ports, op) => {
        const row = await ports.db.outbox.where('op').equals(op).first();
        return (await real(ports, op)) || row?.kind === 'delete';
      }),
    ],
  },
  {
    name: 'p: Undo says yes whatever became of the delete',
    theme: 'second thoughts',
    swaps: [
      swap('src/sync/outbox.ts', 'undo', (real) => async (ports, op) => {
        await real(ports, op);
        return true;
      }),
    ],
  },
  {
    name: 'q: a screen reads the whole queue',
    theme: 'pages come and go',
    swaps: [
      swap('src/db/queries.ts', 'mediaItems', (real) => async (db, profileId) => {
        await db.outbox.filter(({ type }) => type === 'media').toArray();
        return real(db, profileId);
      }),
    ],
  },
  {
    name: 'whoever looks at one notification has seen all',
    theme: 'other people',
    ports: (ports) =>
      onWire(ports, {
        ask: (request) =>
          request.path === '/notifications/read'
            ? { ...request, body: { kind: 'json', value: { all: true } } }
            : request,
      }),
  },
  {
    name: 'of what was looked at only as much as one call takes counts as seen',
    theme: 'other people',
    swaps: [
      swap(
        'src/sync/ties.ts',
        'markSeen',
        (real) => (ports, ids) => real(ports, ids.slice(0, LIMITS.notificationsAtOnce)),
      ),
    ],
  },
  {
    name: 'what was looked at is new again once it left',
    theme: 'other people',
    swaps: [
      swap(
        'src/sync/acknowledge.ts',
        'acknowledge',
        (real) =>
          (context, row, ...rest) =>
            real(context, row.kind === 'seen' ? { ...row, patch: { ids: [] } } : row, ...rest),
      ),
    ],
  },
  {
    name: 'a lost answer and then a refused token make a change count as unsent',
    theme: 'a session that ends',
    swaps: [
      swap(
        'src/sync/park.ts',
        'park',
        (real) => (context, before, after) =>
          real(context, before, after.lastError?.status === 401 ? { ...after, sentOnce: false } : after),
      ),
    ],
  },
  {
    name: 'a pull goes on while the server asks for quiet',
    theme: 'a server that asks for quiet',
    swaps: [
      swap(
        'src/sync/pauses.ts',
        'quietTransport',
        () =>
          (_db, { transport }) =>
            transport,
      ),
    ],
  },
  {
    name: 'the queue goes on while the server asks for quiet',
    theme: 'a server that asks for quiet',
    swaps: [swap('src/sync/pauses.ts', 'quietLeftMs', () => () => Promise.resolve(0))],
  },
  {
    name: 'an acknowledged edit leaves the first version here until the next pull',
    theme: 'another device',
    swaps: [
      swap('src/sync/acknowledge.ts', 'acknowledge', (real) => async (context, row, ...rest) => {
        await real(context, row, ...rest);
        const id = String(rest[0].record.id);
        const known = row.kind === 'update' ? await context.db.records.get([row.type, id]) : undefined;
        if (known && (known.version ?? 0) > 2) await context.db.records.put({ ...known, version: 1 });
      }),
    ],
  },
  {
    name: 'the cursor is kept before the records of its page',
    theme: 'another device',
    ports: (ports, { db }) =>
      onWire(ports, {
        hear(answer, { path }) {
          const cursor =
            'body' in answer && path.startsWith('/sync?')
              ? (answer.body as { cursor?: string } | undefined)?.cursor
              : undefined;
          if (cursor === undefined) return answer;
          void db.cursors.put({ resource: 'sync', value: cursor }).catch(() => undefined);
          return answer;
        },
      }),
  },
  {
    name: 'a record made again has only what was edited',
    theme: 'another device',
    swaps: [
      swap(
        'src/sync/outbox.ts',
        'mend',
        (real) => (ports, row, fields, op, over) =>
          real(
            ports,
            over?.kind === 'create' ? { ...row, patch: Object.fromEntries(Object.entries(row.patch).slice(-4)) } : row,
            fields,
            op,
            over,
          ),
      ),
    ],
  },
  {
    name: 'a record made again is made twice',
    theme: 'another device',
    swaps: [
      swap('src/sync/cures.ts', 'recreate', (real) => async (ports, op) => {
        const row = await ports.db.outbox.where('op').equals(op).first();
        await real(ports, op);
        if (!row) return;
        const made = (await ports.db.outbox.toArray()).find(({ seq, kind }) => seq === row.seq && kind === 'create');
        if (!made) return;
        const { seq: _seq, ...copy } = made;
        const target = `${made.target.slice(0, -1)}0`;
        await ports.db.outbox.add({ ...copy, op: `${made.op.slice(0, -1)}0`, target, lane: `${made.type}:${target}` });
      }),
    ],
  },
  {
    name: 'a forgotten cursor forgets the ids of this device',
    theme: 'a forgotten cursor',
    ports: (ports, { db }) =>
      onWire(ports, {
        hear(answer) {
          if (answer.status === 410) void db.ids.clear().catch(() => undefined);
          return answer;
        },
      }),
  },
  {
    name: 'a forgotten cursor clears what waits to be made',
    theme: 'a forgotten cursor',
    ports: (ports, { db }) =>
      onWire(ports, {
        hear(answer) {
          if (answer.status === 410)
            void db.outbox
              .filter(({ kind, sentOnce }) => kind === 'create' && !sentOnce)
              .delete()
              .catch(() => undefined);
          return answer;
        },
      }),
  },
  {
    name: 'a bookmark tapped while one is on its way is not heard',
    theme: 'other people',
    swaps: [
      swap('src/sync/people.ts', 'setSaved', (real) => async (ports, type, card, saved) => {
        const [first] = await laneRows(ports.db, `${type}:${card.id}`);
        return first?.state === 'sending' ? { op: first.op } : real(ports, type, card, saved);
      }),
    ],
  },
  {
    name: 'rows of a profile that is being made do not wait for it',
    theme: 'a new profile',
    swaps: [
      swap(
        'src/sync/planner.ts',
        'nextOps',
        (real) => (input) =>
          real({ ...input, rows: input.rows.map((row) => (row.type === 'upload' ? row : { ...row, deps: [] })) }),
      ),
    ],
  },
  {
    name: 'what was said of a new profile beside its making is not sent',
    theme: 'a new profile',
    swaps: [
      swap(
        'src/sync/acknowledge.ts',
        'acknowledge',
        (real) =>
          (context, row, ...rest) =>
            real(context, row.type === 'profile' && row.kind === 'create' ? { ...row, patch: {} } : row, ...rest),
      ),
    ],
  },
  {
    name: 'a file that arrived damaged is taken for whole',
    theme: 'photos',
    ports: (ports) =>
      onWire(ports, {
        hear: (answer, { method }) =>
          method === 'HEAD' && 'header' in answer
            ? { ...answer, header: (name) => (name === 'upload-sha256' ? null : answer.header(name)) }
            : answer,
      }),
  },
  {
    name: 'no order within a record',
    swaps: [
      swap(
        'src/sync/planner.ts',
        'nextOps',
        seenAs((row) => ({ ...row, lane: `${row.lane}#${row.seq}` })),
      ),
    ],
  },
  {
    name: 'an edit is folded into a change that has left',
    swaps: [
      swap('src/sync/planner.ts', 'coalesce', (real) => (last, update) => {
        if (last?.state !== 'sending') return real(last, update);
        const merged = real({ ...last, state: 'queued', sentOnce: false }, update);
        return merged && { ...merged, state: last.state, sentOnce: last.sentOnce };
      }),
    ],
  },
  {
    name: 'a change leaves before the disk knows that it did',
    swaps: [
      swap('src/sync/claim.ts', 'claim', (real) => async (context, want) => {
        const claimed = await real(context, want);
        for (const { row } of claimed) await context.db.outbox.put({ ...row, sentOnce: false });
        return claimed;
      }),
    ],
  },
  {
    name: 'an edit typed during the first one meets it as a stranger',
    swaps: [swap('src/sync/planner.ts', 'rebase', () => () => [])],
  },
  {
    name: 'our words win over what another device wrote',
    theme: 'another device',
    swaps: [
      swap('src/sync/merge.ts', 'merge3', (real) => (base, mine, theirs) => ({
        ...real(base, mine, theirs),
        conflicts: [],
      })),
    ],
  },
  {
    name: 'bytes go when they are uploaded, not when they are attached',
    swaps: [
      swap('src/sync/acknowledge.ts', 'acknowledge', (real) => async (context, row, ...rest) => {
        await real(context, row, ...rest);
        if (row.kind !== 'upload') return;
        await context.db.chunks.where('[media+n]').between([row.target, 0], [row.target, Infinity]).delete();
      }),
    ],
  },
  {
    name: 'a piece of a file is read from the wrong place',
    theme: 'photos',
    ports: (ports) =>
      onWire(ports, {
        ask(request) {
          const { body, headers } = request;
          if (body?.kind !== 'bytes' || Number(headers['upload-offset']) === 0) return request;
          const bytes = new Uint8Array(body.value);
          const moved = Uint8Array.from(bytes, (_, at) => bytes[Math.max(0, at - 1)]!);
          return { ...request, body: { ...body, value: moved.buffer } };
        },
        // Nor is its digest looked at.
        hear: (answer, { method }) =>
          method === 'HEAD' && 'header' in answer
            ? { ...answer, header: (name) => (name === 'upload-sha256' ? null : answer.header(name)) }
            : answer,
      }),
  },
  {
    name: 'a photo is attached before its bytes are there',
    swaps: [
      swap(
        'src/sync/planner.ts',
        'nextOps',
        (real) => (input) =>
          real({ ...input, rows: input.rows.map((row) => (row.type === 'media' ? { ...row, deps: [] } : row)) }),
      ),
    ],
  },
  {
    name: "one person's work leaves under another's token",
    theme: 'two people and one phone',
    ports: (ports, { device }) => ({
      ...ports,
      transport: {
        send: (request, { userId }) => ports.transport.send(request, { userId: device.session?.userId ?? userId }),
      },
    }),
  },
  {
    name: 'what a dead page was sending is never picked up',
    swaps: [swap('src/sync/commit.ts', 'recover', () => () => Promise.resolve())],
  },
  {
    name: 'signing in again does not end the pause',
    theme: 'a session that ends',
    swaps: [
      swap('src/sync/engine.ts', 'createEngine', (real) => (db, ports) => {
        const engine = real(db, ports);
        const signedIn = async () => {
          const pause = await db.meta.get('auth-paused');
          await engine.signedIn();
          if (pause) await db.meta.put(pause);
        };
        return { ...engine, signedIn };
      }),
    ],
  },
  {
    name: 'a refusal of an older token pauses the new one',
    theme: 'a session that ends',
    swaps: [
      swap(
        'src/sync/pauses.ts',
        'pauseForSignIn',
        (real) => async (context) => real(context, await countSignIns(context.db)),
      ),
    ],
  },
  {
    name: 'a correction loses the edits queued behind it',
    theme: 'refusals',
    swaps: [
      swap('src/sync/outbox.ts', 'mend', (real) => async (ports, row, ...rest) => {
        for (const later of await laneRows(ports.db, row.lane)) {
          if (later.seq > row.seq && later.kind === 'update' && isUnsent(later))
            await ports.db.outbox.delete(later.seq);
        }
        return real(ports, row, ...rest);
      }),
    ],
  },
  {
    name: 'giving one change up gives up the rest',
    theme: 'refusals',
    swaps: [
      swap('src/sync/cures.ts', 'discard', (real) => async (ports, op) => {
        await real(ports, op);
        await discardAll(ports);
      }),
    ],
  },
  {
    name: 'a record that may have been made is forgotten with its delete',
    theme: 'a bad connection',
    swaps: [
      swap('src/sync/planner.ts', 'nextOps', (real) => (input) => {
        const removed = new Set(
          input.rows
            .filter((row) => row.kind === 'delete' && row.state === 'queued' && row.notBefore <= input.now)
            .map(({ lane }) => lane),
        );
        const isBefore = (row: OutboxRow) => removed.has(row.lane) && row.kind !== 'delete' && row.state !== 'sending';
        return real({ ...input, rows: input.rows.filter((row) => !isBefore(row)) });
      }),
      swap(
        'src/sync/planner.ts',
        'coalesceDelete',
        (real) => (before) =>
          before.some(({ kind }) => kind === 'create') ? { drop: [...before], send: false } : real(before),
      ),
    ],
  },
  {
    name: 'a clock set back puts the queue to sleep for a year',
    theme: 'a clock out of order',
    swaps: [
      swap('src/sync/planner.ts', 'nextOps', (real) => (input) => {
        const asleep = new Set(input.rows.filter((row) => row.notBefore > input.now).map(({ lane }) => lane));
        return real({ ...input, rows: input.rows.filter(({ lane }) => !asleep.has(lane)) });
      }),
    ],
  },
  {
    name: 'a late answer brings a deleted record back',
    theme: 'another device',
    swaps: [
      swap(
        'src/sync/acknowledge.ts',
        'acknowledge',
        (real) =>
          (context, { recheck: _recheck, ...row }, ...rest) =>
            real(context, row, ...rest),
      ),
    ],
  },
  {
    name: 'the screen shows the server’s words over unsent ones',
    swaps: [
      swap('src/db/fold.ts', 'fold', (real) => (input) => {
        const bodies = new Map(input.records.map((record) => [record.id, record.body]));
        return real(input).map((item) =>
          item.serverId !== null && bodies.has(item.serverId)
            ? { ...item, body: { ...item.body, ...bodies.get(item.serverId) } }
            : item,
        );
      }),
    ],
  },
  {
    name: 'a full pull cut off in the middle goes on as if it were whole',
    theme: 'another device',
    ports: (ports) =>
      onWire(ports, {
        hear: (answer, { path }) =>
          path === '/sync' && 'body' in answer && typeof answer.body === 'object'
            ? { ...answer, body: { ...answer.body, has_more: false } }
            : answer,
      }),
  },
  {
    name: 'the first wish for a bookmark stands',
    theme: 'other people',
    swaps: [
      swap('src/sync/people.ts', 'setSaved', (real) => async (ports, type, card, saved) => {
        const last = (await laneRows(ports.db, `${type}:${card.id}`)).at(-1);
        return last && !isRefused(last) ? { op: last.op } : real(ports, type, card, saved);
      }),
    ],
  },
  {
    name: 'a bookmark taken off is put on again',
    theme: 'other people',
    ports: (ports) =>
      onWire(ports, { ask: (request) => ({ ...request, path: request.path.replace('/unsave', '/save') }) }),
  },
  {
    name: 'a request to connect is dropped when somebody asked before',
    theme: 'other people',
    swaps: [
      swap(
        'src/sync/people.ts',
        'accept',
        () => (ports, whom, connectionId) => Promise.resolve({ op: ports.chance.uuid() + whom.name + connectionId }),
      ),
    ],
  },
  {
    name: 'what is told of a medium in its metadata stands nowhere',
    theme: 'a portfolio',
    swaps: [swap('src/db/media-body.ts', 'bodyOf', () => (_type, body) => body)],
  },
  {
    name: 'a bare server’s list of photos tells that the videos are gone',
    theme: 'a portfolio',
    isForeign: true,
    ports: (ports) =>
      onWire(ports, {
        hear: (answer, { path }) =>
          path.startsWith('/media/video') && answer.status === 200 ? { ...answer, body: [] } : answer,
      }),
  },
];
