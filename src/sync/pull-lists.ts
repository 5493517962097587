import { ENGINE_CALLS } from '#contract/engine-calls.ts';
import { PEOPLE_CALLS } from '#contract/people-calls.ts';
import { SECTIONS } from '#contract/sections/index.ts';
import type { AccountDb } from '#db/database.ts';
import { CONNECTION } from '#db/people.ts';
import { asRows, listsOf } from './lists.ts';
import type { Ports } from './ports.ts';
import type { Pulled } from './pulled.ts';
import { distrustAnswers, dropRecord, LAST, putNewer, targetsOf, unansweredCreates, versionOf } from './mirror.ts';
import { jsonRequest } from './requests.ts';

type Values = Record<string, unknown>;

/** For a server without /sync: the lists that every server of the contract has, each skipped by its ETag when unchanged. */
export async function pullLists(db: AccountDb, ports: Pick<Ports, 'transport'>): Promise<Pulled> {
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
