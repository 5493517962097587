import { sectionOf } from '#contract/sections/index.ts';
import { bondWith, savedStanding } from '#db/people.ts';
import { ownProfiles, mediaItems, sectionItems } from '#db/queries.ts';
import type { IdPair, MirrorRecord, OutboxRow } from '#db/rows.ts';
import type { Item } from '#db/views.ts';
import type { Device, Run } from './device.ts';
import { fail } from './oracle/violation.ts';

type Body = Record<string, unknown>;

/** Sections that people of the simulation write: one of each shape. */
export const WRITTEN = ['experience', 'skill', 'about_me', 'attribute'];

const PROFILE_TEXTS = ['stage_name', 'title', 'location'];

/** Fields of a type that a screen shows and a person can write. */
export function fieldsOf(type: string): string[] {
  if (type === 'profile') return PROFILE_TEXTS;
  return type === 'media' ? ['name', 'category_type', 'keywords'] : Object.keys(sectionOf(type)!.fields);
}

/** What the app shows, asked as the app asks. */
export async function shown(run: Run, type: string, profileId: string): Promise<Item[]> {
  if (type === 'profile') return (await ownProfiles(run.db)).filter((item) => item.serverId === profileId);
  if (type === 'media') return mediaItems(run.db, profileId);
  return sectionItems(run.db, sectionOf(type)!, profileId);
}

const picked = (body: Body, fields: readonly string[]) => JSON.stringify(fields.map((field) => body[field] ?? null));

/** What must be shown: outbox rows in order over the mirror, from the bytes on disk. Item by canonical id. */
export function expected(device: Device, userId: string, type: string, profileId: string): Map<string, string> {
  const database = device.dbName(userId);
  const fields = fieldsOf(type);
  if (type === 'attribute') return expectedSet(device, database, type, profileId);
  const home = type === 'about_me' ? 'profile' : type;
  const local = new Map(
    device.disk
      .rows<IdPair>(database, 'ids')
      .filter((pair) => pair.type === home)
      .map((pair) => [pair.server, pair.local]),
  );
  const rows = device.disk
    .rows<OutboxRow>(database, 'outbox')
    .filter(
      (row) =>
        row.type === home && row.kind !== 'avatar' && (home === 'profile' ? row.target : row.parent) === profileId,
    )
    .sort((a, b) => a.seq - b.seq);
  const bodies = new Map<string, Body>();
  for (const record of device.disk.rows<MirrorRecord>(database, 'records')) {
    if (record.type !== type || (home === 'profile' ? record.id : record.parent) !== profileId) continue;
    const id = local.get(record.id) ?? record.id;
    if (record.gone && !rows.some((row) => row.target === id)) continue;
    bodies.set(id, record.body);
  }
  for (const row of rows) {
    if (type === 'about_me' && !('description' in row.patch)) continue;
    const before = bodies.get(row.target);
    if (row.kind === 'delete') {
      if (row.state !== 'attention') bodies.delete(row.target);
      else if (!before) bodies.set(row.target, row.base);
    } else bodies.set(row.target, { ...(before ?? row.base), ...row.patch });
  }
  return new Map([...bodies].map(([id, body]) => [id, picked(body, fields)]));
}

/** The same for a set: one item of all its rows, under the profile's id. */
function expectedSet(device: Device, database: string, type: string, profileId: string): Map<string, string> {
  const records = device.disk.rows<MirrorRecord>(database, 'records');
  const bodies = records.filter((one) => one.type === type && one.parent === profileId && !one.gone);
  const rows = device.disk.rows<OutboxRow>(database, 'outbox').filter((row) => row.type === type);
  const own = rows.filter((row) => row.target === profileId).sort((a, b) => a.seq - b.seq);
  if (bodies.length === 0 && own.length === 0) return new Map();
  let body: Body = bodies.length > 0 ? Object.fromEntries(bodies.map(attributeOf)) : { ...own[0]!.base };
  for (const row of own) body = { ...body, ...row.patch };
  return new Map([[profileId, picked(body, fieldsOf(type))]]);
}

const attributeOf = ({ body }: MirrorRecord) => [String(body.attribute_key), body.attribute_value] as const;

/** Throws a plain text where a page shows something else than the fold of its disk. */
async function lookAt(run: Run, type: string, profileId: string): Promise<void> {
  const { device, userId } = run;
  const before = expected(device, userId, type, profileId);
  const items = await shown(run, type, profileId);
  const after = expected(device, userId, type, profileId);
  const seen = new Map(items.map((item) => [item.id, picked(item.body, fieldsOf(type))]));
  if (!same(seen, before) && !same(seen, after)) {
    fail(
      '10 overlay',
      `${run.label} shows ${type} ${JSON.stringify([...seen])}, its disk says ${JSON.stringify([...after])}`,
    );
  }
}

/** Everything the app shows of its person. */
export async function lookAtAll(run: Run): Promise<void> {
  const { neighbours, profileIds } = run.device.world;
  for (const { profileId } of neighbours[run.userId] ?? []) await lookAtSaved(run, profileId);
  for (const profileId of profileIds[run.userId] ?? []) {
    for (const type of [...WRITTEN, 'media', 'profile']) await lookAt(run, type, profileId);
  }
}

/** At the very end: every page shows the server's rows, field by field. */
export async function compareWithServer(run: Run, type: string, profileId: string): Promise<void> {
  const { world } = run.device;
  const home = type === 'about_me' ? 'profile' : type;
  const fields = fieldsOf(type);
  const truth = new Map(world.server.store.rowsOf(home, profileId).map((row) => [row.id, picked(row.body, fields)]));
  const items = await shown(run, type, profileId);
  const seen = new Map(items.map((item) => [String(item.serverId), picked(item.body, fields)]));
  if (type === 'about_me' && seen.size === 0 && picked({}, fields) === truth.get(profileId)) return;
  if (!same(seen, truth)) {
    fail(
      '3 fold',
      `${run.label} shows ${type} ${JSON.stringify([...seen])}, the server has ${JSON.stringify([...truth])}`,
    );
  }
}

/** What the last waiting wish says, else what the mirror on disk does: whether a profile is saved. */
function expectedSaved({ device, userId }: Run, profileId: string): boolean {
  const database = device.dbName(userId);
  const last = device.disk
    .rows<OutboxRow>(database, 'outbox')
    .sort((a, b) => a.seq - b.seq)
    .findLast((row) => row.kind === 'save' && row.target === profileId);
  if (last) return last.patch.saved === true;
  return device.disk
    .rows<MirrorRecord>(database, 'records')
    .some((one) => one.type === 'saved_profile' && one.id === profileId);
}

/** Throws where a bookmark shows something else than the fold of the disk. */
async function lookAtSaved(run: Run, profileId: string): Promise<void> {
  const before = expectedSaved(run, profileId);
  const { is } = await savedStanding(run.db, 'saved_profile', profileId, false);
  const after = expectedSaved(run, profileId);
  if (is !== before && is !== after) {
    fail('10 overlay', `${run.label} shows ${profileId} saved: ${is}, its disk says ${after}`);
  }
}

/** At the very end: every page shows bookmarks and connections as the server has them. */
export async function compareStanding(run: Run, whom: { userId: string; profileId: string }): Promise<void> {
  const { store } = run.device.world.server;
  const isSaved = store.row('saved_profile', whom.profileId) !== undefined;
  const saved = await savedStanding(run.db, 'saved_profile', whom.profileId, false);
  if (saved.is !== isSaved) {
    fail('3 fold', `${run.label} shows ${whom.profileId} saved: ${saved.is}, the server says ${isSaved}`);
  }
  const connection = [...store.rows.values()].find(
    ({ type, userId, body }) =>
      type === 'connection' &&
      userId === run.userId &&
      [body['user_id'], body['connected_user_id']].includes(whom.userId),
  );
  const { is } = await bondWith(run.db, whom.userId, null);
  const mustBe = !connection
    ? 'none'
    : connection.body['status'] === 'accepted'
      ? 'connected'
      : connection.body['user_id'] === run.userId
        ? 'pending'
        : 'asked';
  if (is !== mustBe) fail('3 fold', `${run.label} shows ${whom.userId} as ${is}, the server as ${mustBe}`);
}

function same(a: ReadonlyMap<string, string>, b: ReadonlyMap<string, string>): boolean {
  return a.size === b.size && [...a].every(([key, value]) => b.get(key) === value);
}
