import { getEffect } from './effects.ts';
import type { MediaCard } from '#contract/records/media.ts';
import type { Connection, ProfileCard } from '#contract/records/people.ts';
import type { AccountDb } from './database.ts';
import { listRecords } from './mirror.ts';
import { getSaveState } from './apply-pending.ts';
import type { OutboxRow } from './rows.ts';
import type { SaveState } from './views.ts';

/** The connection to a person. `asked`: they requested it. `pending`: the user requested it. */
export type ConnectionState = 'none' | 'pending' | 'asked' | 'connected';

export interface Pending<T> {
  value: T;
  syncState: SaveState;
}

interface KnownConnection {
  id: string;
  status: string;
  direction: 'sent' | 'received';
  conversation?: string | null;
}

/** Whether the mirror has synced these records. If not, the data of the opened profile page counts. */
async function hasMirror(db: AccountDb): Promise<boolean> {
  return (await db.cursors.get('sync')) !== undefined;
}

async function findLastRow(db: AccountDb, lane: string): Promise<OutboxRow | undefined> {
  return (await db.outbox.where('lane').equals(lane).sortBy('seq')).at(-1);
}

const getSyncState = (row: OutboxRow | undefined): SaveState => (row ? getSaveState(row) : 'saved');

/** The type of connection records in the mirror and of disconnect rows in the outbox. */
export const CONNECTION = 'connection';

/** What users can save, by record type. */
export interface SavedCards {
  saved_profile: ProfileCard;
  saved_media: MediaCard;
}
export type SavedType = keyof SavedCards;
export const SAVED_MEDIA = 'saved_media';
const getSavedLane = (type: SavedType, id: string): string => `${type}:${id}`;

/**
 * Whether a profile or a media item is saved, with the sync state of that intent.
 * @param id the server's id
 * @param told what the server said with the item itself, which counts if the mirror has not synced
 */
export async function readSaved(db: AccountDb, type: SavedType, id: string, told: boolean): Promise<Pending<boolean>> {
  const last = await findLastRow(db, getSavedLane(type, id));
  const known = await db.records.get([type, id]);
  const value = last ? last.patch.saved === true : known !== undefined || (!(await hasMirror(db)) && told);
  return { value, syncState: getSyncState(last) };
}

/**
 * Reads what is saved of one type, with the pending intents. Returns a function that does for one item what `readSaved`
 * does.
 */
export async function readAllSaved(
  db: AccountDb,
  type: SavedType,
): Promise<(id: string, told: boolean) => Pending<boolean>> {
  const known = new Set(
    (await db.records.where('[type+id]').between([type, ''], [type, '\uffff']).primaryKeys()).map(([, id]) => id),
  );
  const rows = await db.outbox.where('lane').startsWith(getSavedLane(type, '')).sortBy('seq');
  const last = new Map(rows.map((row) => [row.target, row]));
  const isMirrored = await hasMirror(db);
  return (id, told) => {
    const row = last.get(id);
    const value = row ? row.patch.saved === true : known.has(id) || (!isMirrored && told);
    return { value, syncState: getSyncState(row) };
  };
}

/** What lists show of a person while the connection exists only on this device. */
export type PersonCard = Pick<Connection, 'title' | 'address' | 'profile_photo' | 'slug' | 'profile_type'>;

/**
 * The connection to a person, with the server ids of the connection and of its conversation; null when there are none.
 */
export type ConnectionStatus = Pending<ConnectionState> & {
  connectionId: string | null;
  conversationId: string | null;
};

/**
 * Applies the pending intents toward a person to the server's state.
 * @param rows the rows of their lane, in `seq` order
 */
export function getConnectionState(told: KnownConnection | null, rows: readonly OutboxRow[]): ConnectionStatus {
  const last = rows.at(-1);
  const syncState = getSyncState(last);
  // A refused disconnect has no effect.
  const isParted = rows.some((row) => row.type === CONNECTION && row.state !== 'attention');
  const known = isParted ? null : told;
  const ids = { connectionId: known?.id ?? null, conversationId: known?.conversation ?? null };
  if (last?.type === CONNECTION && isParted) return { value: 'none', syncState, ...ids };
  if (known?.status === 'accepted') return { value: 'connected', syncState, ...ids };
  if (last && getEffect(last) === 'accept') return { value: 'connected', syncState, ...ids };
  if (last && getEffect(last) === 'connect') return { value: 'pending', syncState, ...ids };
  if (known === null) return { value: 'none', syncState, ...ids };
  return { value: known.direction === 'sent' ? 'pending' : 'asked', syncState, ...ids };
}

/**
 * The user's connection to a person.
 * @param told the connection in the opened profile page, used if the mirror has not synced
 */
export async function readConnectionState(
  db: AccountDb,
  userId: string,
  told: KnownConnection | null,
): Promise<ConnectionStatus> {
  const rows = await db.outbox.where('lane').equals(`person:${userId}`).sortBy('seq');
  const mirrored = await connectionWith(db, userId);
  return getConnectionState(mirrored ?? ((await hasMirror(db)) ? null : told), rows);
}

async function connectionWith(db: AccountDb, userId: string): Promise<KnownConnection | null> {
  for (const { id, body } of await listRecords(db, CONNECTION)) {
    const { status, user_id, connected_user_id, conversation_id } = body;
    const told = { id, status: String(status), conversation: conversation_id ?? null };
    if (String(user_id) === userId) return { ...told, direction: 'received' };
    if (String(connected_user_id) === userId) return { ...told, direction: 'sent' };
  }
  return null;
}

/** An item in the list of saved items. */
export interface SavedItem<T> extends Pending<boolean> {
  card: T;
}

/** The saved items of one type, most recently saved first, without those that were just removed. */
export async function listSaved<T extends SavedType>(db: AccountDb, type: T): Promise<SavedItem<SavedCards[T]>[]> {
  const records = await listRecords<SavedType>(db, type);
  const rows = await db.outbox.where('lane').startsWith(getSavedLane(type, '')).sortBy('seq');
  const items = new Map<string, SavedItem<SavedCards[T]>>();
  for (const { id, body } of records) {
    items.set(id, { card: body as SavedCards[T], value: true, syncState: 'saved' });
  }
  for (const row of rows) {
    items.set(row.target, {
      card: items.get(row.target)?.card ?? (row.patch.card as SavedCards[T]),
      value: row.patch.saved === true,
      syncState: getSaveState(row),
    });
  }
  const at = ({ card }: SavedItem<SavedCards[T]>) => String((card as { saved_at?: unknown }).saved_at ?? '\uffff');
  return [...items.values()].filter((item) => item.value).sort((a, b) => (at(a) < at(b) ? 1 : at(a) > at(b) ? -1 : 0));
}
