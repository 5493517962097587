import { ENGINE_CALLS } from '#contract/engine-calls.ts';
import type { SyncPage } from '#contract/records/sync.ts';
import { PEOPLE_CALLS } from '#contract/people-calls.ts';
import { SECTIONS } from '#contract/sections/index.ts';
import type { AccountDb } from '#db/database.ts';
import { bodyOf } from '#db/media-body.ts';
import { CONNECTION } from '#db/people.ts';
import { CONVERSATION } from '#db/messages.ts';
import type { Features, MirrorRecord, OutboxRow } from '#db/rows.ts';
import { asRows, listsOf } from './lists.ts';
import type { Ports } from './ports.ts';
import { clientIdOf, jsonRequest } from './requests.ts';

import { forgetConversation, messageOf, putMessages, withNewest } from './chat.ts';
import { tablesOf } from './outbox.ts';

export type Pulled = 'done' | 'unreachable' | 'sign in';
type PullPorts = Pick<Ports, 'transport' | 'clock'>;

/** Sorts after every id. */
const LAST = '\uffff';
type Values = Record<string, unknown>;
const TYPES = new Set([
  'profile',
  'media',
  'saved_profile',
  'saved_media',
  CONNECTION,
  CONVERSATION,
  'notification',
  ...SECTIONS.map((section) => section.key),
]);

/**
 * Brings the mirror up to the server. Touches no outbox row: what the person typed stays over whatever comes. A record
 * deleted elsewhere that a change of ours still targets is kept, marked, until that change is settled.
 */
export async function pull(db: AccountDb, ports: PullPorts, features: Features): Promise<Pulled> {
  return features.sync ? pullChanges(db, ports) : pullLists(db, ports);
}

async function pullChanges(db: AccountDb, ports: PullPorts, isFresh = false): Promise<Pulled> {
  const first = (await db.cursors.get('sync'))?.value ?? null;
  let cursor = first;
  // A full pull ends by dropping what was here before it and did not come again. Its cursor is kept only then: one cut
  // off in the middle starts over, or what was deleted meanwhile would stay for good.
  const before = cursor === null ? await db.records.toCollection().primaryKeys() : [];
  const seen = new Set<string>();
  let more = true;
  while (more) {
    const path =
      cursor === null ? ENGINE_CALLS.sync.path : `${ENGINE_CALLS.sync.path}?cursor=${encodeURIComponent(cursor)}`;
    const answer = await ports.transport.send(jsonRequest('GET', path), { userId: db.userId });
    if ('reason' in answer) return answer.reason === 'signed out' ? 'sign in' : 'unreachable';
    if (answer.status === 401 || answer.status === 419) return 'sign in';
    if (answer.status === 410 && cursor !== null && !isFresh) {
      await db.cursors.delete('sync');
      return pullChanges(db, ports, true);
    }
    const page = answer.status === 200 && !answer.redirected ? asPage(answer.body) : null;
    if (page === null) return 'unreachable';
    const asked: string | null = cursor;
    const stored = await db.transaction('rw', tablesOf(db), async () => {
      // Another tab pulled meanwhile: its cursor and copies may be newer than this page.
      if (((await db.cursors.get('sync'))?.value ?? null) !== (first === null ? null : asked)) return false;
      const targets = await targetsOf(db);
      const creates = await unansweredCreates(db);
      for (const record of page.records) {
        seen.add(`${record.type} ${record.id}`);
        if (!TYPES.has(record.type)) continue;
        const { type, id, parent, body } = record;
        if (body === null) await dropRecord(db, [type, id], targets);
        else await putNewer(db, { type, id, parent, body, version: versionOf(body) }, creates);
      }
      const messages = page.records.map(({ type, body }) => (type === 'message' ? messageOf(body) : null));
      await putMessages(
        { db, clock: ports.clock },
        messages.filter((message) => message !== null),
      );
      const gone = page.records.filter((record) => record.body === null);
      await distrustAnswers(db, asked === null ? null : new Set(gone.map((record) => record.type)));
      if (first === null && page.has_more) return true;
      for (const [type, id] of before) if (!seen.has(`${type} ${id}`)) await dropRecord(db, [type, id], targets);
      // An answer that came meanwhile may tell of a record deleted since, and deleted ones are left out here.
      if (first === null && (await hasUnseen(db, before, seen))) return 'unsure';
      await db.cursors.put({ resource: 'sync', value: page.cursor });
      return true;
    });
    // Once more at once, then at the next cause: without a cursor it will be whole again.
    if (stored === 'unsure' && !isFresh) return pullChanges(db, ports, true);
    if (stored !== true) return 'done';
    cursor = page.cursor;
    more = page.has_more;
  }
  return 'done';
}

/** Whether records stand here that were neither there before a full pull nor came with it. */
async function hasUnseen(
  db: AccountDb,
  before: readonly [string, string][],
  seen: ReadonlySet<string>,
): Promise<boolean> {
  const known = new Set(before.map(([type, id]) => `${type} ${id}`));
  const keys = await db.records.toCollection().primaryKeys();
  return keys.some(([type, id]) => !known.has(`${type} ${id}`) && !seen.has(`${type} ${id}`));
}

function asPage(body: unknown): SyncPage | null {
  const page = body as Partial<SyncPage> | undefined;
  return page && Array.isArray(page.records) && typeof page.cursor === 'string' ? (page as SyncPage) : null;
}

const versionOf = (body: Record<string, unknown>) => (typeof body.version === 'number' ? body.version : null);

/** Creates still without an answer, by the client_id under which a pull may bring their record first. */
async function unansweredCreates(db: AccountDb): Promise<ReadonlyMap<string, OutboxRow>> {
  const rows = await db.outbox.filter((row) => row.kind === 'create').toArray();
  return new Map(rows.map((row) => [clientIdOf(row.target), row]));
}

async function putNewer(db: AccountDb, sent: MirrorRecord, creates: ReadonlyMap<string, OutboxRow>): Promise<void> {
  const record = { ...sent, body: bodyOf(sent.type, sent.body) };
  // One record, one identity: the screen and the next edit must not take it for somebody else's.
  const made = creates.get(String(record.body.client_id));
  if (made?.type === record.type) await db.ids.put({ local: made.target, type: record.type, server: record.id });
  const known = await db.records.get([record.type, record.id]);
  if (record.type === CONVERSATION) record.body = withNewest(record.body, known?.body);
  if (known && known.version !== null && record.version !== null && known.version > record.version) return;
  await db.records.put(record);
}

/** Server ids that changes of ours aim at, as 'type id'. */
async function targetsOf(db: AccountDb): Promise<Set<string>> {
  const rows = await db.outbox.toArray();
  const ids = new Map(
    (await db.ids.bulkGet(rows.map((row) => row.target))).flatMap((pair) => (pair ? [[pair.local, pair.server]] : [])),
  );
  return new Set(rows.filter(aims).map((row) => `${row.type} ${ids.get(row.target) ?? row.target}`));
}

/**
 * Changes on their way whose answer, when it comes, may tell of a record that this pull already knows to be deleted.
 * `types`: of what was deleted; null where a full pull leaves deleted ones out.
 */
async function distrustAnswers(db: AccountDb, types: ReadonlySet<string> | null): Promise<void> {
  if (types?.size === 0) return;
  const rows = await db.outbox
    .filter((row) => row.sentOnce && row.recheck === undefined && (types === null || types.has(mirrorType(row))))
    .toArray();
  for (const row of rows) await db.outbox.put({ ...row, recheck: true });
}

/** The type of the record that a change's answer brings. */
const mirrorType = (row: OutboxRow) => (row.type === 'person' ? 'connection' : row.type);

const aims = (row: OutboxRow) => row.kind === 'update' || row.kind === 'avatar';

async function dropRecord(db: AccountDb, key: [string, string], targets: ReadonlySet<string>): Promise<void> {
  if (key[0] === CONVERSATION) await forgetConversation(db, key[1]);
  if (!targets.has(`${key[0]} ${key[1]}`)) return db.records.delete(key);
  const record = await db.records.get(key);
  if (record) await db.records.put({ ...record, gone: true });
}

/** For a server without /sync: the lists that every server of the contract has, each skipped by its ETag when unchanged. */
async function pullLists(db: AccountDb, ports: Pick<Ports, 'transport'>): Promise<Pulled> {
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
  return pullTies(db, ports);
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
    const rows = Array.isArray(list.body) ? (list.body as Values[]) : null;
    if (rows) await putList(db, { type: CONNECTION, parent: null, before, rows }, list);
  }
  return 'done';
}

interface Tagged {
  path: string;
  tag: string | null;
  /** Undefined when nothing changed. */
  body: unknown;
}

async function readWithTag(
  db: AccountDb,
  ports: Pick<Ports, 'transport'>,
  path: string,
): Promise<Tagged | Exclude<Pulled, 'done'>> {
  const request = jsonRequest('GET', path);
  const known = (await db.cursors.get(path))?.value;
  if (known !== undefined) request.headers['if-none-match'] = known;
  const answer = await ports.transport.send(request, { userId: db.userId });
  if ('reason' in answer) return answer.reason === 'signed out' ? 'sign in' : 'unreachable';
  if (answer.status === 401 || answer.status === 419) return 'sign in';
  if (answer.status === 304) return { path, tag: known ?? null, body: undefined };
  // A server without this list, or a profile gone meanwhile: the others are read all the same.
  if (answer.status === 404 && !answer.redirected) return { path, tag: null, body: undefined };
  if (answer.status !== 200 || answer.redirected || typeof answer.body !== 'object') return 'unreachable';
  return { path, tag: answer.header('etag'), body: answer.body };
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

async function putList(db: AccountDb, { type, parent, before, rows }: Listed, { path, tag }: Tagged): Promise<void> {
  await db.transaction('rw', [db.records, db.cursors, db.outbox, db.ids], async () => {
    const targets = await targetsOf(db);
    const creates = await unansweredCreates(db);
    const seen = new Set(rows.map((row) => String(row.id)));
    await distrustAnswers(db, new Set([type]));
    for (const id of before) if (!seen.has(id)) await dropRecord(db, [type, id], targets);
    for (const row of rows)
      await putNewer(db, { type, id: String(row.id), parent, body: row, version: versionOf(row) }, creates);
    if (tag === null) await db.cursors.delete(path);
    else await db.cursors.put({ resource: path, value: tag });
  });
}
