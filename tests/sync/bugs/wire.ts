import type { AccountDb } from '#db/database.ts';
import type { WireAnswer, WireRequest } from '#net/wire.ts';
import type { OutboxRow } from '#db/rows.ts';
import type { PlanInput } from '#sync/queue/planner.ts';
import type { EnginePorts } from '#sync/engine-ports.ts';

/** Wraps the transport to change requests or responses. */
export function interceptWire(
  ports: EnginePorts,
  {
    onRequest,
    onResponse,
  }: {
    onRequest?: (request: WireRequest) => WireRequest;
    onResponse?: (answer: WireAnswer, request: WireRequest) => WireAnswer;
  },
): EnginePorts {
  const { transport } = ports;
  return {
    ...ports,
    transport: {
      async send(given, options) {
        const request = onRequest ? onRequest(given) : given;
        const answer = await transport.send(request, options);
        return onResponse ? onResponse(answer, request) : answer;
      },
    },
  };
}

/** Returns the JSON body of a request, or undefined. */
export const jsonOf = ({ body }: WireRequest) =>
  body?.kind === 'json' ? (body.value as Record<string, unknown> | undefined) : undefined;

/** Shows the planner a changed copy of each row. */
export const withChangedRows =
  (change: (row: OutboxRow) => OutboxRow) =>
  (real: (input: PlanInput) => OutboxRow[]) =>
  (input: PlanInput): OutboxRow[] =>
    real({ ...input, rows: input.rows.map(change) }).map((row) => input.rows.find(({ seq }) => seq === row.seq)!);

/** Returns the store with some methods of one table replaced. */
export function withChangedTable<N extends 'cursors' | 'meta'>(
  db: AccountDb,
  table: N,
  change: (real: AccountDb[N]) => Partial<Record<keyof AccountDb[N], (...args: never[]) => unknown>>,
): AccountDb {
  const changed = change(db[table]) as Record<string | symbol, unknown>;
  const other = new Proxy(db[table], { get: (real, name) => changed[name] ?? (Reflect.get(real, name) as unknown) });
  return new Proxy(db, { get: (real, name) => (name === table ? other : (Reflect.get(real, name) as unknown)) });
}
