import { getEffect } from '#db/effects.ts';
import { sectionOf } from '#contract/sections/index.ts';
import { serverId } from '#db/canonical.ts';
import type { AccountDb } from '#db/database.ts';
import type { OutboxRow } from '#db/rows.ts';
import type { CommitContext } from '../engine-ports.ts';
import { upsertMessages } from '../pull/messages.ts';
import { pick } from '../conflict/merge.ts';
import { assignServerId, putMirror } from '../pull/apply.ts';
import { getOperation } from '../operations/index.ts';
import { updateRecord } from '../operations/update-record.ts';
import { type AckContext, NO_VERSION, type Success, type Values } from '../operations/operation.ts';
import { append, drop, laneRows, writeJournal } from '../queue/outbox.ts';
import { follows, isFrozen, rebase, withGivenUp } from '../queue/planner.ts';

/**
 * Acknowledges a row. Stores the server's copy and the id, releases the files, rebases the rows behind and deletes the
 * row, all in the caller's transaction.
 */
export async function acknowledge(
  context: CommitContext,
  row: OutboxRow,
  { record, existed, serverMessage }: Success & { serverMessage?: string },
): Promise<void> {
  const { db } = context;
  const acknowledged = await getOperation(row).acknowledge(row, { record, existed }, ackContextOf(context));
  if (acknowledged === 'ended') return;
  const { version, lane = row.lane } = acknowledged;
  for (const each of rebase(row, version, await laneRows(db, lane))) await db.outbox.put(each);
  const unversioned = await findUnversioned(db, row, record);
  // The response to a repeat describes the first attempt. A deleted record stays deleted.
  const mayBeOutdated = unversioned !== undefined && row.tries > 1 && getEffect(row) !== 'delete';
  // The response may be older than the pulls since: read everything again.
  if (row.recheck || mayBeOutdated) await db.cursors.clear();
  const isRecord = getEffect(row) === 'create' || getEffect(row) === 'update';
  await writeJournal(context, row, 'done', {
    ...(isRecord && { under: record }),
    ...(serverMessage && { said: serverMessage }),
    ...(unversioned && { unversioned }),
  });
  await db.outbox.delete(row.seq);
}

async function findUnversioned(db: AccountDb, row: OutboxRow, record: Values): Promise<[string, string] | undefined> {
  const [type, target] = getOperation(row).unversionedRecord?.(row) ?? [];
  if (type === undefined) return undefined;
  const id = target == null ? record.id : await serverId(db, target);
  return id == null ? undefined : [type, String(id)];
}

function ackContextOf(context: CommitContext): AckContext {
  const { db, clock } = context;
  return {
    db,
    now: clock.now(),
    putMirror: (record, known) => putMirror(db, record, known && { known }),
    putMade: (row, record) => putMade(db, row, record),
    rebaseOnNothing: (row, lane) => rebaseOnNothing(db, row, lane),
    queueUpdate: (row, patch, base, version) => queueUpdate(context, row, patch, base, version),
    laneRows: (lane) => laneRows(db, lane),
    releaseFiles: (row, recordId) => releaseFiles(context, row, recordId),
    putMessages: (messages) => upsertMessages(context, messages),
  };
}

/** Stores the record that a create made or found. Returns its id and lane on this device from now on. */
export async function putMade(
  db: AccountDb,
  row: OutboxRow,
  record: Values,
): Promise<{ target: string; lane: string; version: number | null }> {
  const id = String(record.id);
  const parent = record.profile_id != null ? String(record.profile_id) : row.parent && (await serverId(db, row.parent));
  const version = await putMirror(db, { type: row.type, id, parent: parent ?? null, body: record });
  const target = await assignServerId(db, row.type, row.target, id);
  return { target, lane: `${row.type}:${target}`, version };
}

/**
 * Rebases the changes behind a create whose record turned out to be another device's. They have seen the create's
 * values, but nothing of that record. Call it inside a transaction over `getTables`.
 */
export async function rebaseOnNothing(db: AccountDb, made: OutboxRow, lane: string): Promise<void> {
  for (const row of await laneRows(db, lane)) {
    if (row.seq <= made.seq || row.sentOnce) continue;
    // An edit has no version if a pull brought the record after its first field was written.
    const isUnread = row.baseVersion === NO_VERSION && follows(row, made);
    if (row.baseVersion === null || isUnread) await db.outbox.put(basedOnNothing(row, made));
  }
}

/** A change behind a create as one that has seen the create's values, but no version of the record. */
export function basedOnNothing<Row extends Omit<OutboxRow, 'seq'>>(row: Row, made: OutboxRow): Row {
  const fields = Object.keys(sectionOf(made.type)?.fields ?? {});
  // A delete has seen every field, including the empty ones.
  const seen = pick(
    { ...nothingIn(fields), ...made.patch },
    getEffect(row) === 'delete' ? fields : Object.keys(row.patch),
  );
  return { ...row, base: { ...seen, ...row.base }, baseVersion: NO_VERSION };
}

/** The initial values of these fields: null for each. */
export const nothingIn = (fields: readonly string[]): Values =>
  Object.fromEntries(fields.map((field) => [field, null]));

/** Queues an update right behind the row, or merges it into the unsent update that is already there. */
async function queueUpdate(
  context: CommitContext,
  row: OutboxRow,
  patch: Values,
  base: Values,
  version: number | null,
): Promise<void> {
  const all = (await laneRows(context.db, row.lane)).filter(({ seq }) => seq > row.seq);
  const behind = all.filter((each) => follows(each, row));
  // Another device may send the values that are overwritten here, from a sealed file.
  for (const [n, each] of behind.entries()) {
    const overwritten = pick(patch, Object.keys(each.patch));
    if (getEffect(each) !== 'update' || Object.keys(overwritten).length === 0) continue;
    behind[n] = withGivenUp(each, [overwritten]);
    await context.db.outbox.put(behind[n]);
  }
  const [first] = behind;
  const open = first && getEffect(first) === 'update' && !isFrozen(first) ? first : null;
  // The update goes to the end of the lane, but must not overwrite what the user wrote after it.
  const isLater = (field: string) => behind.some((each) => each !== open && field in each.patch);
  patch = pick(
    patch,
    Object.keys(patch).filter((field) => !isLater(field)),
  );
  if (Object.keys(patch).length === 0) return;
  if (open) {
    await context.db.outbox.put({ ...open, patch: { ...patch, ...open.patch }, base: { ...open.base, ...base } });
    return;
  }
  // It comes to stand behind changes from a sealed file whose values it does not know.
  const isAmongOthers = all.length > behind.length;
  const { type, target, parent, lane, openedAt = isAmongOthers ? 0 : undefined } = row;
  const origin = openedAt === undefined ? {} : { openedAt };
  const op = context.chance.uuid();
  await append(context, updateRecord, { op, type, target, parent, lane, patch, base, baseVersion: version, ...origin });
}

/** Deletes files that no other row uses. Of one that became the medium `recordId`, the thumbnail stays. */
async function releaseFiles(context: CommitContext, row: OutboxRow, recordId: string | null): Promise<void> {
  const { db } = context;
  for (const dep of row.deps) {
    const file = await db.media.get(dep);
    if (file === undefined) continue;
    const users = await db.outbox
      .where('deps')
      .equals(dep)
      .filter((other) => other.seq !== row.seq)
      .count();
    if (users > 0) continue;
    // A server that accepts the file in a form may have it before the upload row was sent.
    for (const upload of await laneRows(db, `upload:${dep}`)) await drop(context, upload, 'done');
    await db.chunks.where('[media+n]').between([dep, 0], [dep, Infinity]).delete();
    if (recordId === null) await db.media.delete(dep);
    else await db.media.put({ ...file, state: 'kept', serverId: recordId });
  }
}
