import type { AccountDb } from '#db/database.ts';
import type { WireAnswer, WireRequest } from '#net/wire.ts';
import type { OutboxRow } from '#db/rows.ts';
import type { PlanInput } from '#sync/queue/planner.ts';
import type { EnginePorts } from '#sync/engine-ports.ts';

/** Requests or answers that pass through something else. */
export function onWire(
  ports: EnginePorts,
  {
    ask,
    hear,
  }: { ask?: (request: WireRequest) => WireRequest; hear?: (answer: WireAnswer, request: WireRequest) => WireAnswer },
): EnginePorts {
  const { transport } = ports;
  return {
    ...ports,
    transport: {
      async send(given, options) {
        const request = ask ? ask(given) : given;
        const answer = await transport.send(request, options);
        return hear ? hear(answer, request) : answer;
      },
    },
  };
}

/** What a request says in JSON; undefined where it says nothing so. */
export const jsonOf = ({ body }: WireRequest) =>
  body?.kind === 'json' ? (body.value as Record<string, unknown> | undefined) : undefined;

/** The planner sees each row as another. */
export const seenAs =
  (change: (row: OutboxRow) => OutboxRow) =>
  (real: (input: PlanInput) => OutboxRow[]) =>
  (input: PlanInput): OutboxRow[] =>
    real({ ...input, rows: input.rows.map(change) }).map((row) => input.rows.find(({ seq }) => seq === row.seq)!);

/** The store with another way into one of its tables. */
export function seenThrough<N extends 'cursors' | 'meta'>(
  db: AccountDb,
  table: N,
  change: (real: AccountDb[N]) => Partial<Record<keyof AccountDb[N], (...args: never[]) => unknown>>,
): AccountDb {
  const changed = change(db[table]) as Record<string | symbol, unknown>;
  const other = new Proxy(db[table], { get: (real, name) => changed[name] ?? (Reflect.get(real, name) as unknown) });
  return new Proxy(db, { get: (real, name) => (name === table ? other : (Reflect.get(real, name) as unknown)) });
}
