import { ENGINE_READS } from '#contract/engine-calls.ts';
import { PEOPLE_CALLS } from '#contract/people-calls.ts';
import { SECTIONS } from '#contract/sections/index.ts';
import type { AccountDb } from '#db/database.ts';
import { CONNECTION } from '#db/saved-and-connected.ts';
import { parseRows, getLists } from '../lists.ts';
import type { Ports } from '../../ports.ts';
import type { PullResult } from '../../pull/result.ts';
import {
  invalidateInFlightAcks,
  dropRecord,
  LAST,
  applyRecord,
  unansweredCreates,
  getVersion,
} from '../../pull/apply.ts';
import { pullChats } from './pull-chats.ts';
import { isOvertaken, isStoredElsewhere, keepTag, readWithTag, type TaggedList } from './read-list.ts';

type Values = Record<string, unknown>;

/**
 * Pulls from a server without /sync: reads the lists that every server has, each skipped by its ETag when unchanged.
 */
export async function pullLists(db: AccountDb, ports: Pick<Ports, 'transport' | 'clock'>): Promise<PullResult> {
  const isOwn = (row: Values) => String(row.user_id) === db.userId;
  const profiles = await pullList(db, ports, {
    type: 'profile',
    parent: null,
    path: ENGINE_READS.profiles.path,
    rowsOf: (body) => parseRows('profiles', body, '')?.filter(isOwn) ?? null,
  });
  if (profiles !== 'done') return profiles;
  const ids = await keysOf(db, 'profile', null);
  for (const profileId of ids) {
    for (const { type, path, holds } of ['media', ...SECTIONS.map(({ key }) => key)].flatMap((key) =>
      getLists(key, profileId),
    )) {
      const rowsOf = (body: unknown) => parseRows(type, body, profileId);
      const list = await pullList(db, ports, { type, parent: profileId, path, holds, rowsOf });
      if (list !== 'done') return list;
    }
  }
  const result = await pullConnections(db, ports);
  return result === 'done' ? pullChats(db, ports) : result;
}

/** Pulls the connections from the three lists that every server has. */
async function pullConnections(db: AccountDb, ports: Pick<Ports, 'transport'>): Promise<PullResult> {
  const isPending = ({ status }: Values) => status === 'pending';
  const isSent = ({ user_id }: Values) => String(user_id) === db.userId;
  const lists = [
    { path: PEOPLE_CALLS.requestsReceived.path, holds: (body: Values) => isPending(body) && !isSent(body) },
    { path: PEOPLE_CALLS.requestsSent.path, holds: (body: Values) => isPending(body) && isSent(body) },
    { path: PEOPLE_CALLS.accepted.path, holds: (body: Values) => !isPending(body) },
  ];
  for (const { path, holds } of lists) {
    const rowsOf = async (body: unknown) => (Array.isArray(body) ? withConversations(db, body as Values[]) : null);
    const list = await pullList(db, ports, { type: CONNECTION, parent: null, path, holds, rowsOf });
    if (list !== 'done') return list;
  }
  return 'done';
}

/** Adds the known conversation id to connections whose list does not contain it. */
async function withConversations(db: AccountDb, rows: readonly Values[]): Promise<Values[]> {
  const known = await db.records.bulkGet(rows.map(({ id }): [string, string] => [CONNECTION, String(id)]));
  return rows.map((row, at) => ({
    ...row,
    conversation_id: row.conversation_id ?? known[at]?.body.conversation_id ?? null,
  }));
}

async function keysOf(
  db: AccountDb,
  type: string,
  parent: string | null,
  holds?: (body: Values) => boolean,
): Promise<string[]> {
  const records =
    parent === null
      ? db.records.where('[type+id]').between([type, ''], [type, LAST])
      : db.records.where('[parent+type]').equals([parent, type]);
  const held = holds ? records.filter(({ body }) => holds(body)) : records;
  return (await held.primaryKeys()).map(([, id]) => id);
}

interface ListSource {
  type: string;
  parent: string | null;
  path: string;
  /** Which records of the type the list contains; absent when it contains all of them. */
  holds?: ((body: Values) => boolean) | undefined;
  /** Parses the rows of a response; null when it is no list. */
  rowsOf: (body: unknown) => Values[] | null | Promise<Values[] | null>;
}

/** Maximum reads of a list that is outdated each time. After that, it is left to the next pull. */
const MAX_READS = 3;

async function pullList(db: AccountDb, ports: Pick<Ports, 'transport'>, listed: ListSource): Promise<PullResult> {
  for (let reads = 1; reads <= MAX_READS; reads += 1) {
    // A record that is missing in the list was deleted only if this device had it before the request.
    const before = await keysOf(db, listed.type, listed.parent, listed.holds);
    const list = await readWithTag(db, ports, listed.path);
    if (typeof list === 'string') return list;
    const rows = list.body === undefined ? null : await listed.rowsOf(list.body);
    if (rows === null || (await putList(db, { ...listed, before, rows }, list))) return 'done';
  }
  return 'done';
}

/** Stores a list. @returns false, without any change, when one of our own changes may have made the list outdated */
async function putList(
  db: AccountDb,
  { type, parent, before, rows }: Pick<ListSource, 'type' | 'parent'> & { before: string[]; rows: Values[] },
  list: TaggedList,
): Promise<boolean> {
  return db.transaction('rw', [db.records, db.cursors, db.outbox, db.ids, db.journal], async () => {
    if (await isStoredElsewhere(db, list)) return true;
    if (await isOvertaken(db, list)) return false;
    const creates = await unansweredCreates(db, rows);
    const seen = new Set(rows.map((row) => String(row.id)));
    await invalidateInFlightAcks(db, new Set([type]));
    for (const id of before) if (!seen.has(id)) await dropRecord(db, [type, id]);
    for (const row of rows)
      await applyRecord(db, { type, id: String(row.id), parent, body: row, version: getVersion(row) }, creates);
    await keepTag(db, list);
    return true;
  });
}
