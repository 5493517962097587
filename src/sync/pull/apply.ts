import { getEffect } from '#db/effects.ts';
import { canonicalId, LOCAL } from '#db/canonical.ts';
import type { AccountDb } from '#db/database.ts';
import { bodyOf } from '#db/media-body.ts';
import { CONVERSATION } from '#db/messages.ts';
import type { MirrorRecord, OutboxRow } from '#db/rows.ts';
import { forgetConversation, keepNewest } from './messages.ts';
import { clientIdOf } from '../operations/build-request.ts';
import { isFrozen } from '../queue/planner.ts';

/** Sorts after every id. */
export const LAST = '\uffff';

export const getVersion = (body: Record<string, unknown>) => (typeof body.version === 'number' ? body.version : null);

/** Unacknowledged creates whose record is among these, keyed by `client_id`. */
export async function unansweredCreates(
  db: AccountDb,
  bodies: readonly (Record<string, unknown> | null)[],
): Promise<ReadonlyMap<string, OutboxRow>> {
  const targets = bodies.flatMap((body) => (typeof body?.client_id === 'string' ? [LOCAL + body.client_id] : []));
  const rows = await db.outbox.where('target').anyOf(targets).toArray();
  return new Map(rows.flatMap((row) => (getEffect(row) === 'create' ? [[clientIdOf(row.target), row]] : [])));
}

/**
 * Maps a local id to the server's id of its record. If another local id already names the record (a second create in a
 * single-record list, or a repeated create), the new one becomes its alias. Call it inside a transaction over
 * `getTables`.
 * @returns the id under which this device knows the record
 */
export async function assignServerId(db: AccountDb, type: string, local: string, server: string): Promise<string> {
  if (!(await db.ids.get(local))) {
    const known = await canonicalId(db, type, server);
    await db.ids.put({ local, type, server, ...(known !== server && { alias: true as const }) });
    await joinLanes(db, type, known === server ? server : local, known === server ? local : known);
  }
  return canonicalId(db, type, local);
}

/** Moves the changes of one record into one lane, whichever id they were written under. */
async function joinLanes(db: AccountDb, type: string, from: string, to: string): Promise<void> {
  const rows = await db.outbox.where('lane').equals(`${type}:${from}`).toArray();
  // A row that is being sent stays in its lane, and so do the rows behind it.
  const behind = rows.filter((row) => getEffect(row) !== 'create');
  if (behind.some((row) => row.state === 'sending')) return;
  for (const row of behind) await db.outbox.put({ ...row, target: to, lane: `${type}:${to}` });
}

/** Stores the server's record unless the mirror (`known`) has a newer one. Returns the version of the given record. */
export async function putMirror(
  db: AccountDb,
  record: Omit<MirrorRecord, 'version'>,
  given?: { known: MirrorRecord | undefined },
): Promise<number | null> {
  const version = typeof record.body.version === 'number' ? record.body.version : null;
  const known = given ? given.known : await db.records.get([record.type, record.id]);
  if (!(known && known.version !== null && version !== null && known.version > version)) {
    // A response without a version leaves the known version as it is.
    await db.records.put({ ...record, version: version ?? known?.version ?? null });
  }
  return version;
}

export async function applyRecord(
  db: AccountDb,
  sent: MirrorRecord,
  creates: ReadonlyMap<string, OutboxRow>,
): Promise<void> {
  const record = { ...sent, body: bodyOf(sent.type, sent.body) };
  // The pull may bring our own new record before its response. Assign its id now, so that it does not look like another
  // record to screens and edits.
  const made = creates.get(String(record.body.client_id));
  if (made?.type === record.type) await assignServerId(db, record.type, made.target, record.id);
  const known = await db.records.get([record.type, record.id]);
  if (record.type === CONVERSATION) record.body = keepNewest(record.body, known?.body);
  // A seen notification stays seen until it occurs again: the server may not have known it when it built this page.
  if (record.type === 'notification' && record.body.created_at === known?.body.created_at)
    record.body = { ...record.body, read_at: record.body.read_at ?? known?.body.read_at };
  if (known && known.version !== null && record.version !== null && known.version > record.version) return;
  await db.records.put({ ...record, version: record.version ?? known?.version ?? null });
}

/** Whether a queued change targets this record. */
export async function isAimedAt(db: AccountDb, [type, id]: [string, string]): Promise<boolean> {
  const pairs = await db.ids.where('[type+server]').equals([type, id]).toArray();
  const names = [id, ...pairs.map(({ local }) => local)];
  const rows = await db.outbox.where('target').anyOf(names).toArray();
  return rows.some((row) => row.type === type && targetsRecord(row));
}

/**
 * Marks sent changes for a new read after their response, which may describe a record that this pull knows to be
 * deleted.
 * @param types the types of the deleted records; null for a full pull, which does not list deletions
 */
export async function invalidateInFlightAcks(db: AccountDb, types: ReadonlySet<string> | null): Promise<void> {
  if (types?.size === 0) return;
  const rows = await db.outbox
    .filter((row) => isFrozen(row) && row.recheck === undefined && (types === null || types.has(mirrorType(row))))
    .toArray();
  for (const row of rows) await db.outbox.put({ ...row, recheck: true });
}

/** The type of the record that a change's response contains. */
const mirrorType = (row: OutboxRow) => (row.type === 'person' ? 'connection' : row.type);

const targetsRecord = (row: OutboxRow) => getEffect(row) === 'update' || getEffect(row) === 'avatar';

export async function dropRecord(db: AccountDb, key: [string, string]): Promise<void> {
  if (key[0] === CONVERSATION) await forgetConversation(db, key[1]);
  if (!(await isAimedAt(db, key))) return db.records.delete(key);
  const record = await db.records.get(key);
  if (record) await db.records.put({ ...record, gone: true });
}
