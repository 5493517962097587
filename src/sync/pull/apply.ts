import { getEffect } from '#db/effects.ts';
import { canonicalId, LOCAL } from '#db/canonical.ts';
import type { AccountDb } from '#db/database.ts';
import { bodyOf } from '#db/media-body.ts';
import { CONVERSATION } from '#db/messages.ts';
import type { MirrorRecord, OutboxRow } from '#db/rows.ts';
import { forgetConversation, keepNewest } from './messages.ts';
import { clientIdOf } from '../operations/build-request.ts';

/** Sorts after every id. */
export const LAST = '\uffff';

export const getVersion = (body: Record<string, unknown>) => (typeof body.version === 'number' ? body.version : null);

/** Creates still without an answer whose record is among these, by the client_id under which it comes. */
export async function unansweredCreates(
  db: AccountDb,
  bodies: readonly (Record<string, unknown> | null)[],
): Promise<ReadonlyMap<string, OutboxRow>> {
  const targets = bodies.flatMap((body) => (typeof body?.client_id === 'string' ? [LOCAL + body.client_id] : []));
  const rows = await db.outbox.where('target').anyOf(targets).toArray();
  return new Map(rows.flatMap((row) => (getEffect(row) === 'create' ? [[clientIdOf(row.target), row]] : [])));
}

/**
 * Notes which record the server made of a local id. A record that another local id stands for keeps that one: a second
 * row of a list that holds one, or a create that met an earlier self, leads to it from here on.
 * @returns the id under which the record is known here. Inside a transaction over `getTables`.
 */
export async function assignServerId(db: AccountDb, type: string, local: string, server: string): Promise<string> {
  if (!(await db.ids.get(local))) {
    const known = await canonicalId(db, type, server);
    await db.ids.put({ local, type, server, ...(known !== server && { alias: true as const }) });
    await joinLanes(db, type, known === server ? server : local, known === server ? local : known);
  }
  return canonicalId(db, type, local);
}

/** Changes of one record stand in one lane, whatever it was called when they were written. */
async function joinLanes(db: AccountDb, type: string, from: string, to: string): Promise<void> {
  const rows = await db.outbox.where('lane').equals(`${type}:${from}`).toArray();
  // What is on its way ends where it stands, with what waits behind it.
  const behind = rows.filter((row) => getEffect(row) !== 'create');
  if (behind.some((row) => row.state === 'sending')) return;
  for (const row of behind) await db.outbox.put({ ...row, target: to, lane: `${type}:${to}` });
}

/** Puts what the server said unless something newer is there already (`known`); answers the version said. */
export async function putMirror(
  db: AccountDb,
  record: Omit<MirrorRecord, 'version'>,
  given?: { known: MirrorRecord | undefined },
): Promise<number | null> {
  const version = typeof record.body.version === 'number' ? record.body.version : null;
  const known = given ? given.known : await db.records.get([record.type, record.id]);
  if (!(known && known.version !== null && version !== null && known.version > version)) {
    // An answer without one tells nothing of the version.
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
  // One record, one identity: the screen and the next edit must not take it for somebody else's.
  const made = creates.get(String(record.body.client_id));
  if (made?.type === record.type) await assignServerId(db, record.type, made.target, record.id);
  const known = await db.records.get([record.type, record.id]);
  if (record.type === CONVERSATION) record.body = keepNewest(record.body, known?.body);
  // What was seen stays seen until it happens again: this page may have been asked for before the server was told.
  if (record.type === 'notification' && record.body.created_at === known?.body.created_at)
    record.body = { ...record.body, read_at: record.body.read_at ?? known?.body.read_at };
  if (known && known.version !== null && record.version !== null && known.version > record.version) return;
  await db.records.put({ ...record, version: record.version ?? known?.version ?? null });
}

/** Whether a change of ours is about this record. */
async function isAimedAt(db: AccountDb, [type, id]: [string, string]): Promise<boolean> {
  const pairs = await db.ids.where('[type+server]').equals([type, id]).toArray();
  const names = [id, ...pairs.map(({ local }) => local)];
  const rows = await db.outbox.where('target').anyOf(names).toArray();
  return rows.some((row) => row.type === type && targetsRecord(row));
}

/**
 * Changes on their way whose answer, when it comes, may tell of a record that this pull already knows to be deleted.
 * `types`: of what was deleted; null where a full pull leaves deleted ones out.
 */
export async function invalidateInFlightAcks(db: AccountDb, types: ReadonlySet<string> | null): Promise<void> {
  if (types?.size === 0) return;
  const rows = await db.outbox
    .filter((row) => row.sentOnce && row.recheck === undefined && (types === null || types.has(mirrorType(row))))
    .toArray();
  for (const row of rows) await db.outbox.put({ ...row, recheck: true });
}

/** The type of the record that a change's answer brings. */
const mirrorType = (row: OutboxRow) => (row.type === 'person' ? 'connection' : row.type);

const targetsRecord = (row: OutboxRow) => getEffect(row) === 'update' || getEffect(row) === 'avatar';

export async function dropRecord(db: AccountDb, key: [string, string]): Promise<void> {
  if (key[0] === CONVERSATION) await forgetConversation(db, key[1]);
  if (!(await isAimedAt(db, key))) return db.records.delete(key);
  const record = await db.records.get(key);
  if (record) await db.records.put({ ...record, gone: true });
}
