import { getEffect } from './effects.ts';
import type { Section } from '#contract/section.ts';
import { canonicalId, serverId } from './canonical.ts';
import type { AccountDb } from './database.ts';
import { applyPending, getRowsOfHome, getSaveState, sortItems } from './apply-pending.ts';
import type { IdPair, MediaFile, MirrorRecord, OutboxRow } from './rows.ts';
import { wholeSet } from './sets.ts';
import type { Item, SaveState } from './views.ts';

/** Live queries of the screens: the mirror with the pending changes over it. They write nothing. */

/** A portfolio item, with its file while this device still stores it. */
export interface MediaItem extends Item {
  file?: MediaFile;
}

export interface PickedAvatar {
  file: MediaFile;
  state: SaveState;
  op: string;
}

export const pairsOf = (db: AccountDb, type: string) =>
  db.ids.where('[type+server]').between([type, ''], [type, '\uffff']).toArray();

const bySeq = (a: OutboxRow, b: OutboxRow) => a.seq - b.seq;

/** Changes of a profile's records: of one type, or of all types but media. @param owners the profile's ids */
async function rowsUnder(db: AccountDb, owners: Iterable<string | null>, type?: string): Promise<OutboxRow[]> {
  const found = [...new Set(owners)].flatMap((owner) => {
    if (owner === null) return [];
    const rows = db.outbox.where('[parent+type]');
    if (type !== undefined) return [rows.equals([owner, type]).toArray()];
    return SECTION_TYPES.map(([from, to]) => rows.between([owner, from], [owner, to], false, false).toArray());
  });
  return (await Promise.all(found)).flat().sort(bySeq);
}

/**
 * Key ranges of every type under a profile but media, which may be hundreds, and messages. Messages are excluded
 * because a conversation may have the same id as a profile, and thousands of messages.
 */
const SECTION_TYPES = [
  ['', 'media'],
  ['media', 'message'],
  ['message', '\uffff'],
];

/** Changes of profiles themselves, without photos, which have their own lane. */
const profileRows = (db: AccountDb) => db.outbox.where('lane').startsWith('profile:').sortBy('seq');

async function childrenOf(db: AccountDb, type: string, profileId: string): Promise<Item[]> {
  const owner = await canonicalId(db, 'profile', profileId);
  const known = await serverId(db, owner);
  const [records, rows, pairs] = await Promise.all([
    known === null ? [] : db.records.where('[parent+type]').equals([known, type]).toArray(),
    rowsUnder(db, [owner, known], type),
    pairsOf(db, type),
  ]);
  return applyPending({ type, records, rows, pairs });
}

/** The user's own profiles: Home first, then newest first. Home is the oldest profile unless the user chose another. */
export async function ownProfiles(db: AccountDb): Promise<Item[]> {
  const [records, rows, pairs] = await Promise.all([
    db.records.where('[type+id]').between(['profile', ''], ['profile', '\uffff']).toArray(),
    profileRows(db),
    pairsOf(db, 'profile'),
  ]);
  const all = sortItems(null, applyPending({ type: 'profile', records, rows: getRowsOfHome(rows, 'profile'), pairs }));
  if (all.length < 2) return all;
  const choice = await db.meta.get('home');
  const home = all.find(({ id }) => choice?.k === 'home' && id === choice.profile) ?? all.at(-1)!;
  return [home, ...all.filter((item) => item !== home)];
}

/** The data of all sections of a profile, read once. */
interface SectionRows {
  owner: string;
  /** The server's id of the profile; null while the server does not have it. */
  known: string | null;
  rows: readonly OutboxRow[];
  /** Mirror records, by type. */
  records: ReadonlyMap<string, readonly MirrorRecord[]>;
  /** Local ids, by type. */
  pairs: ReadonlyMap<string, readonly IdPair[]>;
}

/**
 * The items of several sections, sorted for display, by section key, from one transaction. A single-value section or a
 * set has at most one item, whose id is the profile's.
 */
export async function sectionsItems(
  db: AccountDb,
  sections: readonly Section[],
  profileId: string,
): Promise<ReadonlyMap<string, Item[]>> {
  const reading = await db.transaction('r', [db.records, db.outbox, db.ids], async () =>
    readFor(db, sections, profileId),
  );
  return new Map(sections.map((section) => [section.key, itemsOf(section, reading)]));
}

function byType<T extends { type: string }>(all: readonly T[]): Map<string, T[]> {
  const found = new Map<string, T[]>();
  for (const each of all) {
    const same = found.get(each.type);
    if (same) same.push(each);
    else found.set(each.type, [each]);
  }
  return found;
}

async function readFor(db: AccountDb, sections: readonly Section[], profileId: string): Promise<SectionRows> {
  const owner = await canonicalId(db, 'profile', profileId);
  const known = await serverId(db, owner);
  // In one go, because the transaction ends when nothing is requested from the store.
  const [own, under, pairs] = await Promise.all([
    db.outbox.where('lane').equals(`profile:${owner}`).toArray(),
    rowsUnder(db, [owner, known], sections.length === 1 ? sections[0]!.key : undefined),
    db.ids.toArray(),
  ]);
  const rows = [...own, ...under].sort(bySeq);
  const records = known === null ? [] : await recordsOf(db, sections, known);
  return {
    owner,
    known,
    rows,
    records: byType(records),
    pairs: byType(pairs),
  };
}

/** The mirror records of these sections. @param profileId the server's id */
async function recordsOf(db: AccountDb, sections: readonly Section[], profileId: string): Promise<MirrorRecord[]> {
  const under = db.records.where('[parent+type]');
  const lists = sections.filter(({ cardinality }) => cardinality !== 'one');
  const values = sections.filter(({ cardinality }) => cardinality === 'one');
  const ofLists =
    lists.length === 1
      ? [under.equals([profileId, lists[0]!.key])]
      : SECTION_TYPES.map(([from, to]) => under.between([profileId, from], [profileId, to], false, false));
  const found = await Promise.all([
    ...(lists.length === 0 ? [] : ofLists.map((rows) => rows.toArray())),
    db.records.bulkGet(values.map(({ key }): [string, string] => [key, profileId])),
  ]);
  return found.flat().filter((record) => record !== undefined);
}

function itemsOf(section: Section, { owner, known, rows, records, pairs }: SectionRows): Item[] {
  const { key, cardinality } = section;
  const ofType = rows.filter(
    (row) => row.type === (cardinality === 'one' ? 'profile' : key) && getEffect(row) !== 'avatar',
  );
  const said = records.get(key) ?? [];
  if (cardinality === 'many') {
    const mine = ofType.filter((row) => row.parent === owner || row.parent === known);
    return sortItems(section, applyPending({ type: key, records: [...said], rows: mine, pairs: pairs.get(key) ?? [] }));
  }
  const mine = (cardinality === 'one' ? getRowsOfHome(ofType, key) : ofType).filter((row) => row.target === owner);
  const whole = cardinality === 'one' ? [...said] : wholeOf(key, said);
  const items = applyPending({ type: key, records: whole, rows: mine, pairs: pairs.get('profile') ?? [] });
  if (cardinality === 'one') return items;
  // A set that only this device has gets the defaults of its form: a switch left off is a No, as on the server later.
  return items.map((item) => ({ ...item, body: { ...section.set?.valuesOf([]), ...item.body } }));
}

/** The rows of a set as one record that contains them all; an empty list when there are none. */
function wholeOf(type: string, records: readonly MirrorRecord[]): MirrorRecord[] {
  const rows = records.filter(({ gone }) => !gone);
  const [first] = rows;
  if (!first?.parent) return [];
  const bodies = rows.map(({ body }) => body);
  return [{ type, id: first.parent, parent: first.parent, ...wholeSet(type, bodies) }];
}

/**
 * A profile's media of every kind: first those without a position, newest first, then the rest in the owner's order.
 */
export async function mediaItems(db: AccountDb, profileId: string): Promise<MediaItem[]> {
  const items = await childrenOf(db, 'media', profileId);
  const files = new Map<string, MediaFile>();
  const owner = await canonicalId(db, 'profile', profileId);
  for (const row of await rowsUnder(db, [owner, await serverId(db, owner)], 'media')) {
    for (const file of await db.media.bulkGet(row.deps)) if (file) files.set(row.target, file);
  }
  const position = (item: Item) => (typeof item.body.position === 'number' ? item.body.position : -Infinity);
  const sorted = sortItems(null, items).sort((a, b) => order(position(a), position(b)));
  return Promise.all(
    sorted.map(async (item) => {
      const file =
        files.get(item.id) ??
        (item.serverId ? await db.media.where('serverId').equals(item.serverId).first() : undefined);
      // A waiting item has the state of its upload. One whose fields need attention keeps its own state.
      const isWaiting = item.state === 'phone' && file !== undefined;
      const upload = isWaiting ? await db.outbox.where('lane').equals(`upload:${file.id}`).first() : undefined;
      return { ...item, ...(upload && { state: getSaveState(upload) }), ...(file && { file }) };
    }),
  );
}

const order = (a: number, b: number) => (a === b ? 0 : a - b);

/** A profile photo picked on this device that the server does not have yet. */
export async function avatarOf(db: AccountDb, profileId: string): Promise<PickedAvatar | null> {
  const owner = await canonicalId(db, 'profile', profileId);
  const row = (await db.outbox.where('lane').equals(`avatar:${owner}`).sortBy('seq')).at(-1);
  if (row === undefined) return null;
  const uploads = await db.outbox
    .where('lane')
    .anyOf(row.deps.map((id) => `upload:${id}`))
    .toArray();
  const [change] = groupChanges([...uploads, row]);
  const file = (await db.media.bulkGet(row.deps)).find((each) => each !== undefined);
  return change && file ? { file, state: change.state, op: getDecidingRow(change).op } : null;
}

/** The profile photo: the one picked on this device and the URL of the stored one, from one transaction. */
export async function portraitOf(db: AccountDb, profileId: string) {
  return db.transaction('r', [db.records, db.outbox, db.ids, db.media], async () => {
    const picked = await avatarOf(db, profileId);
    // The mirror record is enough, because no edit of a profile contains its photo.
    const known = await serverId(db, await canonicalId(db, 'profile', profileId));
    const stored = known === null ? null : (await db.records.get(['profile', known]))?.body.profile_photo;
    return { picked, stored: typeof stored === 'string' ? stored : null };
  });
}

export interface ChangeWithUpload {
  row: OutboxRow;
  /** One of its uploads: one that needs attention, if there is any. */
  upload: OutboxRow | undefined;
  state: Exclude<SaveState, 'saved'>;
  blocked: boolean;
}

/** The row that decides the state of a change: its upload if that needs attention, else the row itself. */
export const getDecidingRow = ({ row, upload }: ChangeWithUpload): OutboxRow =>
  upload?.state === 'attention' ? upload : row;

/** Groups rows into changes: an upload and the row that attaches it are one change. */
export function groupChanges(all: readonly OutboxRow[]): ChangeWithUpload[] {
  const uploads = new Map(all.filter((row) => getEffect(row) === 'upload').map((row) => [row.target, row]));
  const attached = new Set(all.flatMap((row) => (getEffect(row) === 'upload' ? [] : row.deps)));
  const stuck = new Set(all.filter((row) => row.state === 'attention').flatMap((row) => [row.lane, row.target]));
  return all
    .filter((row) => getEffect(row) !== 'upload' || !attached.has(row.target))
    .map((row) => {
      const own = row.deps.flatMap((dep) => uploads.get(dep) ?? []);
      const upload = own.find((each) => each.state === 'attention') ?? own[0];
      const states = upload ? [getSaveState(row), getSaveState(upload)] : [getSaveState(row)];
      const state = states.includes('needs') ? 'needs' : states.includes('sending') ? 'sending' : 'phone';
      const blocked = state !== 'needs' && (stuck.has(row.lane) || row.deps.some((dep) => stuck.has(dep)));
      return { row, upload, state, blocked };
    });
}

/** Longer than a suspended account takes to ask again. */
const ASKING_MS = 30_000;

/** Whether sending waits for the person to sign in, or for the end of a suspension. */
export async function readHold(db: AccountDb, now = Date.now()) {
  const suspended = await db.meta.get('suspended');
  return {
    signInNeeded: (await db.meta.get('auth-paused')) !== undefined,
    isSuspended: suspended?.k === 'suspended' && now < suspended.until + ASKING_MS,
  };
}

/** Whether changes are being sent, and whether sending waits for the person. Costs the same however many changes wait. */
export async function readSendingState(db: AccountDb) {
  return db.transaction('r', db.outbox, db.meta, async () => ({
    isSending:
      (await db.outbox.where('[state+notBefore]').between(['sending', -Infinity], ['sending', Infinity]).count()) > 0,
    ...(await readHold(db)),
    hasLost: (await db.meta.get('lost')) !== undefined,
  }));
}
