import type { AccountDb } from '#db/database.ts';
import { CONVERSATION, messagesBetween } from '#db/messages.ts';
import type { WireAnswer, WireRequest } from '#net/wire.ts';
import { markRead } from '#sync/pull/messages.ts';
import { type Bug, swap } from './active.ts';
import { jsonOf, interceptWire, withChangedRows } from './wire.ts';

const newestHere = async (db: AccountDb, id: string) => (await messagesBetween(db, id, 0, Infinity)).at(-1)?.seq ?? 0;

/** Returns the request with another JSON body. */
const saying = (request: WireRequest, value: unknown): WireRequest => ({ ...request, body: { kind: 'json', value } });

const isSend = ({ path }: WireRequest) => path === '/chat/send';

/** Bugs in messages, receipts and stars with the full API. */
export const CHAT_BUGS: readonly Bug[] = [
  {
    name: 'a message is sent without idempotency key and client id',
    ports: (ports) =>
      interceptWire(ports, {
        onRequest(request) {
          if (!isSend(request)) return request;
          const { client_id: _client, ...value } = jsonOf(request) ?? {};
          const { 'idempotency-key': _key, ...headers } = request.headers;
          return { ...saying(request, value), headers };
        },
      }),
  },
  {
    name: 'messages do not wait for each other',
    swaps: [
      swap(
        'src/sync/queue/planner.ts',
        'nextOps',
        withChangedRows((row) => ({ ...row, lane: `${row.lane}#${row.seq}` })),
      ),
    ],
  },
  {
    name: 'some messages count as known',
    swaps: [
      swap(
        'src/sync/pull/messages.ts',
        'upsertMessages',
        (real) => (ports, all) =>
          real(
            ports,
            all.filter(({ seq }) => seq % 7),
          ),
      ),
    ],
  },
  {
    name: 'a read position counts as sent whatever the response',
    swaps: [
      swap(
        'src/sync/pull/history.ts',
        'reportReadCursors',
        (real) =>
          (db, { transport }) =>
            real(db, {
              transport: {
                async send(request, options) {
                  await transport.send(request, options);
                  return { status: 200, header: () => null, body: { message: 'Noted' }, redirected: false };
                },
              },
            }),
      ),
    ],
  },
  {
    name: 'a star is sent inverted',
    ports: (ports) =>
      interceptWire(ports, {
        onRequest: (request) => ({
          ...request,
          path: request.path.replace(/\/(un)?star$/, (_, un: string | undefined) => (un ? '/star' : '/unstar')),
        }),
      }),
  },
  {
    name: 'messages of a full pull are not stored',
    ports: (ports) =>
      interceptWire(ports, {
        onResponse(answer, { path }) {
          if (path !== '/sync' || !('body' in answer) || typeof answer.body !== 'object') return answer;
          const page = answer.body as { records?: { type: string }[] };
          return { ...answer, body: { ...page, records: page.records?.filter(({ type }) => type !== 'message') } };
        },
      }),
  },
  {
    name: 'a message is sent without its photo',
    ports: (ports) =>
      interceptWire(ports, {
        onRequest(request) {
          if (!isSend(request)) return request;
          const { upload_id: _upload, ...value } = jsonOf(request) ?? {};
          return saying(request, value);
        },
      }),
  },
  {
    name: 'a photo stays on the device after its message',
    swaps: [swap('src/sync/queue/drop-files.ts', 'dropFiles', () => () => Promise.resolve())],
  },
  {
    name: 'an older last message replaces a newer one',
    swaps: [
      swap('src/sync/pull/messages.ts', 'upsertMessages', (real) => async (ports, all) => {
        await real(ports, all);
        const last = all.at(-1);
        if (!last) return;
        const record = await ports.db.records.get([CONVERSATION, last.conversation_id]);
        if (record) await ports.db.records.put({ ...record, body: { ...record.body, last_message: last } });
      }),
    ],
  },
  {
    name: 'receipts go back when an older page arrives',
    swaps: [swap('src/sync/pull/messages.ts', 'keepNewest', () => (body) => body)],
  },
  {
    name: 'a live message counts as read',
    swaps: [
      swap('src/sync/pull/messages.ts', 'receiveMessage', (real) => async (ports, message) => {
        const isMissing = await real(ports, message);
        await markRead(ports.db, message.conversation_id, message.seq);
        return isMissing;
      }),
    ],
  },
  {
    name: 'a delivered message counts as read',
    swaps: [
      swap(
        'src/sync/pull/messages.ts',
        'receiveReceipt',
        (real) => (db, receipt) => real(db, { ...receipt, read: receipt.delivered }),
      ),
    ],
  },
  {
    name: 'the next message counts as read, too',
    swaps: [swap('src/sync/pull/messages.ts', 'markRead', (real) => (db, id, seq) => real(db, id, seq + 1))],
  },
  {
    name: 'a repeated text counts as a double tap',
    swaps: [
      swap('src/sync/queue/messages.ts', 'sendMessage', (real) => async (ports, to, fields, photo) => {
        const rows = await ports.db.outbox.toArray();
        const same = rows.find(({ kind, patch }) => kind === 'send' && patch.message === fields.message);
        return same ? { id: same.target, op: same.op } : real(ports, to, fields, photo);
      }),
    ],
  },
];

/** Bugs in messages with the basic API. */
export const BASIC_API_CHAT_BUGS: readonly Bug[] = [
  {
    name: 'a message with a lost response is sent again without an existence check',
    swaps: [
      swap(
        'src/sync/operations/index.ts',
        'needsProbe',
        () =>
          ({ kind }) =>
            kind === 'create',
      ),
    ],
  },
  {
    name: 'a message with the same text matches',
    ports: (ports) => ({
      ...ports,
      async loadConflictTools() {
        const tools = await ports.loadConflictTools();
        if (tools === null) return null;
        const { probeMessage } = tools;
        return {
          ...tools,
          probeMessage: async (db, look, row, read) => {
            const found = await probeMessage(db, look, row, read);
            if (found !== 'not there') return found;
            const here = await messagesBetween(db, String(row.parent), 0, Infinity);
            const same = here.find((each) => each.sender_id === db.userId && each.message === row.patch.message);
            if (!same) return found;
            const { seq: _seq, ...record } = same;
            return { do: 'done', record, existed: false };
          },
        };
      },
    }),
  },
  {
    name: 'a message that a list brought first is stored twice',
    swaps: [
      swap('src/sync/operations/sent-message.ts', 'sentMessage', (real) => async (db, row, record) => ({
        ...(await real(db, row, record)),
        seq: (await newestHere(db, String(row.parent))) + 1,
      })),
    ],
  },
  {
    name: 'a message replaces the newest one',
    swaps: [
      swap('src/sync/operations/sent-message.ts', 'sentMessage', (real) => async (db, row, record) => ({
        ...(await real(db, row, record)),
        seq: Math.max(1, await newestHere(db, String(row.parent))),
      })),
    ],
  },
  {
    name: 'an outdated list is read',
    ports(ports) {
      const before = new Map<string, WireAnswer>();
      return interceptWire(ports, {
        onResponse(answer, { path, method }) {
          if (method !== 'GET' || !path.startsWith('/chat/') || answer.status !== 200) return answer;
          const last = before.get(path) ?? answer;
          before.set(path, answer);
          return last;
        },
      });
    },
  },
  {
    name: 'a list is stored one position too far',
    swaps: [
      swap(
        'src/sync/server/basic/whole-chat.ts',
        'parseWholeChat',
        (real) => (body) => real(body)?.map((message) => ({ ...message, seq: message.seq + 1 })) ?? null,
      ),
    ],
  },
];
