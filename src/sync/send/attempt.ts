import type { AccountDb } from '#db/database.ts';
import { getEffect } from '#db/effects.ts';
import type { OutboxRow } from '#db/rows.ts';
import type { WireAnswer } from '#net/wire.ts';
import type { ConflictTools, EnginePorts, SendContext, ServerIds } from '../engine-ports.ts';
import { getOperation } from '../operations/index.ts';
import type { Claimed } from './claim.ts';
import { classify } from './classify.ts';
import { limitTransport } from './rate-limit.ts';
import { buildRowRequest } from './build-row-request.ts';
import type { Outcome } from './outcome.ts';
import { FOR_PAGE, NOT_REACHED, NOT_SENT, type Verdict } from './verdict.ts';

/** Makes one attempt to send a claimed row, and loads the code that a merge needs. Takes what `attempt` takes. */
export async function attemptRow(...given: Parameters<typeof attempt>): Promise<Outcome> {
  const verdict = await attempt(...given);
  if (verdict.do !== 'merge') return verdict;
  const tools = await loadTools(given[0].ports);
  return 'do' in tools ? tools : { ...verdict, mergeTheirs: tools.mergeTheirs };
}

/**
 * Makes one attempt to send a claimed row. On a server without idempotency keys, it first checks for an earlier
 * attempt. Then it sends the request and classifies the response. Throws when this version of the app cannot send the
 * row.
 * @param mayLeave called right before the request; false stops it
 */
async function attempt(context: SendContext, claimed: Claimed, mayLeave: () => Promise<boolean>): Promise<Verdict> {
  const { db, ports, server } = context;
  const { row } = claimed;
  const resolve = (id: string) => {
    const known = claimed.ids.get(id);
    if (known === undefined) throw new Error(`${row.kind} ${row.type} names ${id}, which the server does not know`);
    return known;
  };
  const serverIds = () => ({ target: resolve(row.target), parent: row.parent === null ? null : resolve(row.parent) });
  if (row.checking) {
    const found = await probe(context, row, row.parent === null ? null : resolve(row.parent));
    if (found !== 'not there') return found;
  }
  if (getOperation(row).slot === 'upload') return sendFile(context, row);
  const checked = await server.checkBeforeSend({ ...context, ports: limitRate(db, ports) }, row, serverIds);
  if (checked !== null) return checked;
  const request = await buildRowRequest(db, row, resolve, server);
  if (request === null) {
    return { do: 'needs', reason: 'unknown-op', error: { status: 0, message: 'Update the app to send this' } };
  }
  // Lets the server tell how far this device's clock is off.
  Object.assign(request.headers, context.headers, { 'x-device-time': String(ports.clock.now()) });
  if (!(await mayLeave())) return NOT_SENT;
  const verdict = classify(row, await ports.transport.send(request, { userId: db.userId }), server);
  if (verdict.do !== 'merge') return verdict;
  if (getEffect(row) === 'create') {
    const isTold = request.headers['if-none-match'] !== undefined && verdict.theirs?.id != null;
    return isTold ? verdict : { do: 'needs', reason: 'invalid', error: verdict.error };
  }
  return fetchForMerge(context, row, serverIds(), verdict);
}

async function sendFile(context: SendContext, row: OutboxRow): Promise<Verdict> {
  const file = await context.db.media.get(row.target);
  if (file?.direct !== undefined) {
    const tools = await loadTools(context.ports);
    return 'do' in tools ? tools : tools.sendDirectly(context, row, file);
  }
  if (file !== undefined) return context.server.sendFile(context, row, file);
  return { do: 'needs', reason: 'gone', error: { status: 0, message: 'The file is no longer on this device' } };
}

/** Checks whether an earlier attempt reached the server. */
async function probe(context: SendContext, row: OutboxRow, parent: string | null): Promise<Verdict | 'not there'> {
  const { db, ports, server } = context;
  const tools = await loadTools(ports);
  if ('do' in tools) return tools;
  const limited = limitRate(db, ports);
  const read = (answer: WireAnswer) => classify(row, answer, server);
  if (getEffect(row) === 'send') return tools.probeMessage(db, limited, row, read);
  return tools.probeCreate(db, limited, row, parent, read);
}

/** Fetches the server's current copy of a record that another device changed first. */
async function fetchForMerge(
  { db, ports, server }: SendContext,
  row: OutboxRow,
  ids: ServerIds,
  verdict: Extract<Verdict, { do: 'merge' }>,
): Promise<Verdict> {
  const tools = await loadTools(ports);
  if ('do' in tools) return tools;
  const fetched = await tools.fetchTheirs(db, limitRate(db, ports), row, ids, verdict.theirs);
  if ('failed' in fetched) return classify(row, fetched.failed, server);
  if (fetched.theirs === null) return { do: 'needs', reason: 'gone', error: verdict.error };
  // The record did not change, so a merge and immediate resend would get the same response again and again.
  const hasMoved = (fetched.theirs.version ?? null) !== row.baseVersion;
  const { error } = verdict;
  // It is refused for what became of it: a request that was withdrawn takes no changes.
  if (!hasMoved && error.status === 409) return { do: 'needs', reason: 'invalid', error };
  if (!hasMoved) return { do: 'again', error, isServerError: true, unknown: false };
  return { ...verdict, theirs: fetched.theirs };
}

/** Makes reads outside the queue respect the server's rate limit. */
const limitRate = (db: AccountDb, ports: EnginePorts): EnginePorts => ({
  ...ports,
  transport: limitTransport(db, ports),
});

/** The tools, or what becomes of the row without them: a worker leaves it to a page, and a page that cannot load them tries again. */
const loadTools = (ports: EnginePorts): Promise<ConflictTools | Extract<Verdict, { do: 'again' }>> =>
  ports.loadConflictTools().then(
    (tools) => tools ?? FOR_PAGE,
    () => NOT_REACHED,
  );
