import { ENGINE_CALLS } from '#contract/engine-calls.ts';
import { PEOPLE_CALLS } from '#contract/people-calls.ts';
import { SECTIONS } from '#contract/sections/index.ts';
import type { AccountDb } from '#db/database.ts';
import { CONNECTION } from '#db/people.ts';
import { asRows, listsOf } from '../lists.ts';
import type { Ports } from '../ports.ts';
import type { Pulled } from '../pulled.ts';
import { distrustAnswers, dropRecord, LAST, putNewer, unansweredCreates, versionOf } from '../mirror.ts';
import { pullChats } from './pull-chats.ts';
import { isOvertaken, keepTag, readWithTag, type Tagged } from './tagged.ts';

type Values = Record<string, unknown>;

/** For a server without /sync: the lists that every server of the contract has, each skipped by its ETag when unchanged. */
export async function pullLists(db: AccountDb, ports: Pick<Ports, 'transport' | 'clock'>): Promise<Pulled> {
  const known = await keysOf(db, 'profile', null);
  const profiles = await readWithTag(db, ports, ENGINE_CALLS.profiles.path);
  if (typeof profiles === 'string') return profiles;
  const all = profiles.body === undefined ? null : asRows('profiles', profiles.body, '');
  if (all) {
    const own = all.filter((row) => String(row.user_id) === db.userId);
    await putList(db, { type: 'profile', parent: null, before: known, rows: own }, profiles);
  }
  const ids = await keysOf(db, 'profile', null);
  for (const profileId of ids) {
    for (const { type, path, holds } of ['media', ...SECTIONS.map(({ key }) => key)].flatMap((key) =>
      listsOf(key, profileId),
    )) {
      const before = await keysOf(db, type, profileId, holds);
      const list = await readWithTag(db, ports, path);
      if (typeof list === 'string') return list;
      const rows = list.body === undefined ? null : asRows(type, list.body, profileId);
      if (rows) await putList(db, { type, parent: profileId, before, rows }, list);
    }
  }
  const ties = await pullTies(db, ports);
  return ties === 'done' ? pullChats(db, ports) : ties;
}

/** Who knows whom, from the three lists that every server of the contract has. */
async function pullTies(db: AccountDb, ports: Pick<Ports, 'transport'>): Promise<Pulled> {
  const isPending = ({ status }: Values) => status === 'pending';
  const isSent = ({ user_id }: Values) => String(user_id) === db.userId;
  const lists = [
    { path: PEOPLE_CALLS.requestsReceived.path, holds: (body: Values) => isPending(body) && !isSent(body) },
    { path: PEOPLE_CALLS.requestsSent.path, holds: (body: Values) => isPending(body) && isSent(body) },
    { path: PEOPLE_CALLS.accepted.path, holds: (body: Values) => !isPending(body) },
  ];
  for (const { path, holds } of lists) {
    const before = await keysOf(db, CONNECTION, null, holds);
    const list = await readWithTag(db, ports, path);
    if (typeof list === 'string') return list;
    const rows = Array.isArray(list.body) ? await withConversations(db, list.body as Values[]) : null;
    if (rows) await putList(db, { type: CONNECTION, parent: null, before, rows }, list);
  }
  return 'done';
}

/** Connections as they came, each with the conversation that its own call has told of where these lists do not. */
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
  holds?: (body: Record<string, unknown>) => boolean,
): Promise<string[]> {
  const records =
    parent === null
      ? db.records.where('[type+id]').between([type, ''], [type, LAST])
      : db.records.where('[parent+type]').equals([parent, type]);
  const held = holds ? records.filter(({ body }) => holds(body)) : records;
  return (await held.primaryKeys()).map(([, id]) => id);
}

interface Listed {
  type: string;
  parent: string | null;
  /** Ids kept before the list was asked for: only of these does absence mean deletion. */
  before: readonly string[];
  rows: readonly Record<string, unknown>[];
}

async function putList(db: AccountDb, { type, parent, before, rows }: Listed, list: Tagged): Promise<void> {
  await db.transaction('rw', [db.records, db.cursors, db.outbox, db.ids], async () => {
    if (await isOvertaken(db, list)) return;
    const creates = await unansweredCreates(db, rows);
    const seen = new Set(rows.map((row) => String(row.id)));
    await distrustAnswers(db, new Set([type]));
    for (const id of before) if (!seen.has(id)) await dropRecord(db, [type, id]);
    for (const row of rows)
      await putNewer(db, { type, id: String(row.id), parent, body: row, version: versionOf(row) }, creates);
    await keepTag(db, list);
  });
}
