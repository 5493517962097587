import type { OutboxRow } from '#db/rows.ts';
import type { CommitContext, EnginePorts } from '../engine-ports.ts';
import { acknowledge } from './acknowledge.ts';
import { claim, type Claimed } from './claim.ts';
import type { Outcome } from './outcome.ts';
import { appendUpload, getTables, writeJournal } from '../queue/outbox.ts';
import { markNeedsAttention, changeState } from './attention.ts';
import { startRateLimit, pauseForSignIn } from './rate-limit.ts';

export interface SendResult {
  row: OutboxRow;
  verdict: Outcome;
  /** Number of sign-ins when the row was claimed. */
  signIns: number;
}

const SUSPECT_AFTER = 8;
const RESEND_LIMIT = 3;

/** Back-off with full jitter, ms: random between 0 and a bound that doubles with each try, up to 5 min. @param tries 1 after the first: 4 s */
export function getBackoffMs(tries: number, random: () => number): number {
  return Math.round(random() * Math.min(300_000, 2000 * 2 ** Math.min(tries, 10)));
}

/**
 * Applies the results of several slots and claims the next rows, in one transaction. An acknowledgement is therefore
 * atomic: server copy, id, released files, rebased rows and the deleted row are one commit.
 */
export async function commitBatch(
  context: CommitContext,
  results: readonly SendResult[],
  freeSlots: { json: number; upload: number },
): Promise<Claimed[]> {
  const { db } = context;
  return db.transaction('rw', getTables(db), async () => {
    for (const each of results) await applyResult(context, each);
    return freeSlots.json + freeSlots.upload > 0 ? claim(context, freeSlots) : [];
  });
}

/**
 * Requeues rows that a dead context left in the state `sending`. Their outcome is unknown, so they are sent again under
 * the same key, or after an existence check. A worker leaves those that only a page can finish: one may be about to.
 */
export async function recover(
  context: Pick<CommitContext, 'db' | 'server' | 'clock'> & Pick<EnginePorts, 'isWorker'>,
): Promise<void> {
  const { db, server, isWorker } = context;
  await db.transaction('rw', getTables(db), async () => {
    const sending = db.outbox.where('[state+notBefore]').between(['sending', -Infinity], ['sending', Infinity]);
    for (const row of await sending.toArray()) {
      if (isWorker && row.forPage) continue;
      const mustProbe = row.checking === true || server.needsProbe(row);
      const { attempt: _attempt, checking: _checking, ...kept } = row;
      await writeJournal(context, row, mustProbe ? 'verify' : 'queued');
      await db.outbox.put({ ...kept, state: mustProbe ? 'verify' : 'queued' });
    }
  });
}

async function applyResult(context: CommitContext, { row: sent, verdict, signIns }: SendResult): Promise<void> {
  const { db, clock, chance, server } = context;
  // A rate limit or sign-out applies even if another context has the row by now.
  if (verdict.do === 'rate-limited') await startRateLimit(context, verdict.ms, verdict.isSuspended);
  if (verdict.do === 'sign-in') await pauseForSignIn(context, signIns);
  const row = await db.outbox.get(sent.seq);
  // Another context took the row over, or the user discarded it: ignore this response.
  if (row === undefined || row.op !== sent.op || row.attempt !== sent.attempt) return;
  const { attempt: _attempt, checking: _checking, ...idle } = row;
  switch (verdict.do) {
    case 'done':
      return acknowledge(context, row, verdict);
    case 'again': {
      const serverErrors = verdict.isServerError ? row.trouble + 1 : 0;
      const isSuspect = serverErrors >= SUSPECT_AFTER && context.othersSucceed(row.op);
      // An existence check that failed is repeated.
      const mustProbe = row.checking === true || (verdict.unknown && server.needsProbe(row));
      const wait = verdict.afterMs ?? getBackoffMs(row.tries, () => chance.random());
      if (isSuspect) return markNeedsAttention(context, { ...row, trouble: serverErrors }, 'suspect', verdict.error);
      const { reason: _reason, ...moving } = idle;
      return changeState(context, row, {
        ...moving,
        trouble: serverErrors,
        lastError: verdict.error,
        state: mustProbe ? 'verify' : 'queued',
        notBefore: clock.now() + wait,
        ...(verdict.forPage && { forPage: true }),
      });
    }
    case 'rate-limited':
    case 'sign-in':
      return changeState(context, row, {
        ...idle,
        state: row.checking ? 'verify' : 'queued',
        lastError: verdict.error,
      });
    case 'merge':
      return verdict.mergeTheirs(context, row, verdict.theirs ?? {}, verdict.error.message);
    case 'bytes-gone': {
      const resent = (row.resent ?? 0) + 1;
      if (resent > RESEND_LIMIT) return markNeedsAttention(context, row, 'invalid', verdict.error);
      for (const dep of row.deps) {
        const file = await db.media.get(dep);
        if (file === undefined) continue;
        await db.media.put({ ...file, state: 'ready', offset: 0 });
        const lane = `upload:${dep}`;
        if ((await db.outbox.where('lane').equals(lane).count()) > 0) continue;
        await appendUpload(context, context.chance.uuid(), dep);
      }
      return changeState(context, row, { ...idle, state: 'queued', resent, lastError: verdict.error });
    }
    case 'needs':
      return markNeedsAttention(context, row, verdict.reason, verdict.error);
  }
}
