import { sectionOf } from '#contract/sections/index.ts';
import { AccountDb } from '#db/database.ts';
import { listNotifications } from '#db/network.ts';
import { readConnectionState, readSaved } from '#db/saved-and-connected.ts';
import { mediaItems, ownProfiles, sectionsItems } from '#db/queries.ts';
import type { IdPair, MirrorRecord, OutboxRow } from '#db/rows.ts';
import type { Item } from '#db/views.ts';
import { OutboxReads } from '../../../support/outbox-reads.ts';
import type { Device, Run } from '../device.ts';
import { fail } from './violation.ts';
import { TEXTS, WRITTEN_SECTIONS } from '../person/texts.ts';

type Body = Record<string, unknown>;

/** Returns the fields of a type that a screen shows and a person can write. */
function fieldsOf(type: string): string[] {
  const section = sectionOf(type);
  return section ? Object.keys(section.fields) : TEXTS[type]!;
}

/** Queries a profile's items by type as the app does. */
async function shown(db: AccountDb, profileId: string): Promise<ReadonlyMap<string, Item[]>> {
  const profiles = await ownProfiles(db);
  return new Map([
    ...(await sectionsItems(db, WRITTEN_SECTIONS, profileId)),
    ['media', await mediaItems(db, profileId)],
    ['profile', profiles.filter((item) => item.serverId === profileId || item.id === profileId)],
  ]);
}

const picked = (body: Body, fields: readonly string[]) => JSON.stringify(fields.map((field) => body[field] ?? null));

/** The stored rows of one person, read once for all comparisons. */
class Disk {
  readonly records: readonly MirrorRecord[];
  readonly rows: readonly OutboxRow[];
  readonly #pairs: readonly IdPair[];

  constructor(device: Device, userId: string) {
    const database = device.dbName(userId);
    this.records = device.disk.rows<MirrorRecord>(database, 'records');
    this.rows = device.disk.rows<OutboxRow>(database, 'outbox').sort((a, b) => a.seq - b.seq);
    this.#pairs = device.disk.rows<IdPair>(database, 'ids');
  }

  /** Returns local ids by server id. Of two local ids of one record one is an alias; ids from a sealed file always are. */
  localsOf(type: string): ReadonlyMap<string, string> {
    const own = this.#pairs.filter((pair) => pair.type === type && !pair.alias);
    return new Map(own.map((pair) => [pair.server, pair.local]));
  }

  serverIdOf(id: string): string {
    return this.#pairs.find(({ local }) => local === id)?.server ?? id;
  }
}

/** Returns the expected items by canonical id: outbox rows in order applied to the mirror, read from disk. */
function expectedOn(disk: Disk, type: string, givenId: string): Map<string, string> {
  const profileId = disk.serverIdOf(givenId);
  const ownerId = disk.localsOf('profile').get(profileId) ?? profileId;
  const fields = fieldsOf(type);
  if (sectionOf(type)?.cardinality === 'set') return expectedSet(disk, type, profileId, ownerId);
  const home = type === 'about_me' ? 'profile' : type;
  const local = disk.localsOf(home);
  const isOurs = (id: string | null) => id === profileId || id === ownerId;
  const rows = disk.rows.filter(
    (row) => row.type === home && row.kind !== 'avatar' && isOurs(home === 'profile' ? row.target : row.parent),
  );
  const bodies = new Map<string, Body>();
  for (const record of disk.records) {
    if (record.type !== type || (home === 'profile' ? record.id : record.parent) !== profileId) continue;
    const id = local.get(record.id) ?? record.id;
    if (record.gone && !rows.some((row) => row.target === id)) continue;
    bodies.set(id, record.body);
  }
  const deleted = new Set<string>();
  for (const row of rows) {
    if (type === 'about_me' && !('description' in row.patch)) continue;
    const before = bodies.get(row.target);
    // A sealed file brought the create of a record that was deleted here before.
    if (row.kind === 'create' && deleted.has(row.target)) continue;
    if (row.kind === 'delete') {
      if (row.state !== 'attention') {
        bodies.delete(row.target);
        deleted.add(row.target);
      } else if (!before) bodies.set(row.target, row.base);
    } else bodies.set(row.target, { ...(before ?? row.base), ...row.patch });
  }
  return new Map([...bodies].map(([id, body]) => [id, picked(body, fields)]));
}

/** Returns the expected items of a set: one item of all its rows under the profile's id. */
function expectedSet(disk: Disk, type: string, profileId: string, ownerId: string): Map<string, string> {
  const bodies = disk.records.filter((one) => one.type === type && one.parent === profileId && !one.gone);
  const own = disk.rows.filter((row) => row.type === type && (row.target === profileId || row.target === ownerId));
  if (bodies.length === 0 && own.length === 0) return new Map();
  let body: Body = bodies.length > 0 ? Object.fromEntries(bodies.map(attributeOf)) : { ...own[0]!.base };
  for (const row of own) body = { ...body, ...row.patch };
  return new Map([[ownerId, picked(body, fieldsOf(type))]]);
}

const attributeOf = ({ body }: MirrorRecord) => [String(body.attribute_key), body.attribute_value] as const;

/** Fails if a page shows something else than the optimistic overlay of its disk. */
async function checkProfileScreen(run: Run, profileId: string): Promise<void> {
  const { device, userId } = run;
  let after = new Disk(device, userId);
  let before: Disk;
  let all: Awaited<ReturnType<typeof shown>>;
  // If several changes came during the read, it may show a state between the two that are compared.
  do {
    before = after;
    all = await shown(run.db, profileId);
    after = new Disk(device, userId);
  } while (after.rows.length > before.rows.length + 1);
  for (const [type, items] of all) {
    const seen = new Map(items.map((item) => [item.id, picked(item.body, fieldsOf(type))]));
    const then = expectedOn(after, type, profileId);
    if (same(seen, then) || same(seen, expectedOn(before, type, profileId))) continue;
    fail(
      '10 overlay',
      `${run.label} shows ${type} ${JSON.stringify([...seen])}, its disk says ${JSON.stringify([...then])}`,
    );
  }
}

/** Checks all screens about the person. */
export async function checkScreens(run: Run): Promise<void> {
  const { neighbors, profileIds } = run.device.simulation;
  for (const { profileId } of neighbors[run.userId] ?? []) await checkSaved(run, profileId);
  const made = run.device.outbox(run.userId).filter(({ kind, type }) => kind === 'create' && type === 'profile');
  const waiting = made.map(({ target }) => target);
  for (const profileId of [...(profileIds[run.userId] ?? []), ...waiting]) {
    await checkProfileScreen(run, profileId);
    await checkCost(run, profileId);
  }
  await checkNewNotifications(run);
}

/** How often a screen may read each change of its own data, and how many other reads are allowed. */
const READS_OF_OWN = 6;
const READS_BESIDES = 10;

/** Fails if changes of another profile slow a screen down. Uses a separate connection to count only its own reads. */
async function checkCost(run: Run, profileId: string): Promise<void> {
  const { crowdedProfileId } = run.device.simulation;
  const disk = new Disk(run.device, run.userId);
  if (crowdedProfileId === null || disk.serverIdOf(crowdedProfileId) === disk.serverIdOf(profileId)) return;
  const elsewhere = disk.rows.filter(({ parent }) => parent === crowdedProfileId).length;
  const bound = READS_OF_OWN * (disk.rows.length - elsewhere) + READS_BESIDES;
  if (elsewhere < bound) return;
  const db = new AccountDb(run.db.name, run.userId, run.storage.options());
  const reads = new OutboxReads();
  reads.watch(db);
  try {
    const count = await reads.of(() => shown(db, profileId));
    run.device.simulation.hit('cost of a screen');
    if (count > bound) {
      fail(
        '28 bounded reads',
        `${run.label} reads ${count} of ${disk.rows.length} changes, ${elsewhere} of another profile`,
      );
    }
  } finally {
    db.close();
  }
}

/** Returns the new notifications: neither read on the server nor seen on this device. */
function getNewNotifications(run: Run): string {
  const { records, rows } = new Disk(run.device, run.userId);
  const times = rows.flatMap(({ kind, patch }) =>
    kind === 'seen' ? [(patch.created_at ?? {}) as Record<string, string>] : [],
  );
  const fresh = records.filter(
    ({ type, body, id }) =>
      type === 'notification' && body.read_at === null && !times.some((seen) => seen[id] === body.created_at),
  );
  return inOrder(fresh.map(({ id }) => id));
}

async function checkNewNotifications(run: Run): Promise<void> {
  const before = getNewNotifications(run);
  const seen = await getShownNotifications(run);
  const after = getNewNotifications(run);
  if (seen !== before && seen !== after) fail('10 overlay', `${run.label} shows ${seen} as new, its disk ${after}`);
  // A notification seen on a device must not become new again there.
  const { intents } = run.device.simulation.intentLog;
  const own = intents.filter(({ device, userId }) => device === run.device && userId === run.userId);
  const known = own.flatMap(({ state, notifications = [] }) => (state === 'accepted' ? notifications : []));
  const { records } = new Disk(run.device, run.userId);
  const getTime = (id: string) => records.find((one) => one.type === 'notification' && one.id === id)?.body.created_at;
  const again = seen.split(', ').find((id) => known.some((one) => one.id === id && one.created_at === getTime(id)));
  if (again !== undefined) fail('27 truthful', `${run.label} shows notification ${again} as new once more`);
}

const getShownNotifications = async ({ db }: Run) =>
  inOrder((await listNotifications(db)).filter(({ isNew }) => isNew).map(({ news }) => news.id));

const inOrder = (ids: readonly string[]) => [...ids].sort().join(', ');

/** Fails if at the end a page does not show the server's rows, field by field. */
export async function compareWithServer(run: Run, profileId: string): Promise<void> {
  const { store } = run.device.simulation.server;
  for (const [type, items] of await shown(run.db, profileId)) {
    const fields = fieldsOf(type);
    const home = type === 'about_me' ? 'profile' : type;
    const truth = new Map(store.rowsOf(home, profileId).map((row) => [row.id, picked(row.body, fields)]));
    const seen = new Map(items.map((item) => [String(item.serverId), picked(item.body, fields)]));
    if (type === 'about_me' && seen.size === 0 && picked({}, fields) === truth.get(profileId)) continue;
    if (same(seen, truth)) continue;
    fail(
      '3 convergence',
      `${run.label} shows ${type} ${JSON.stringify([...seen])}, the server has ${JSON.stringify([...truth])}`,
    );
  }
}

/** Tells whether a profile is saved according to the last pending intent, or else to the mirror on disk. */
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

/** Fails if a bookmark shows something else than the optimistic overlay of the disk. */
async function checkSaved(run: Run, profileId: string): Promise<void> {
  const before = expectedSaved(run, profileId);
  const { value: is } = await readSaved(run.db, 'saved_profile', profileId, false);
  const after = expectedSaved(run, profileId);
  if (is !== before && is !== after) {
    fail('10 overlay', `${run.label} shows ${profileId} saved: ${is}, its disk says ${after}`);
  }
}

/** Fails if at the end a page shows other notifications as new than the server. */
export async function compareNotifications(run: Run): Promise<void> {
  const rows = [...run.device.simulation.server.store.rows.values()].filter(({ userId }) => userId === run.userId);
  const fresh = rows.filter(({ type, body }) => type === 'notification' && body['read_at'] === null);
  const truth = inOrder(fresh.map(({ id }) => id));
  const seen = await getShownNotifications(run);
  if (seen !== truth) fail('3 convergence', `${run.label} shows ${seen} as new, the server ${truth}`);
}

/** Fails if at the end a page shows bookmarks or connections other than the server's. */
export async function compareRelations(run: Run, person: { userId: string; profileId: string }): Promise<void> {
  const { store } = run.device.simulation.server;
  const isSaved = store.row('saved_profile', person.profileId) !== undefined;
  const saved = await readSaved(run.db, 'saved_profile', person.profileId, false);
  if (saved.value !== isSaved) {
    fail('3 convergence', `${run.label} shows ${person.profileId} saved: ${saved.value}, the server says ${isSaved}`);
  }
  const connection = [...store.rows.values()].find(
    ({ type, userId, body }) =>
      type === 'connection' &&
      userId === run.userId &&
      [body['user_id'], body['connected_user_id']].includes(person.userId),
  );
  const { value: is } = await readConnectionState(run.db, person.userId, null);
  const mustBe = !connection
    ? 'none'
    : connection.body['status'] === 'accepted'
      ? 'connected'
      : connection.body['user_id'] === run.userId
        ? 'pending'
        : 'asked';
  if (is !== mustBe) fail('3 convergence', `${run.label} shows ${person.userId} as ${is}, the server as ${mustBe}`);
}

function same(a: ReadonlyMap<string, string>, b: ReadonlyMap<string, string>): boolean {
  return a.size === b.size && [...a].every(([key, value]) => b.get(key) === value);
}
