import { getEffect } from './effects.ts';
import type { MediaCard } from '#contract/records/media.ts';
import type { Connection, ProfileCard } from '#contract/records/people.ts';
import type { AccountDb } from './database.ts';
import { listRecords } from './mirror.ts';
import { saveState } from './fold.ts';
import type { OutboxRow } from './rows.ts';
import type { SaveState } from './views.ts';

/** Where one stands with somebody. `asked`: they wait for an answer of ours. `pending`: we wait for theirs. */
export type Bond = 'none' | 'pending' | 'asked' | 'connected';

export interface Standing<T> {
  is: T;
  state: SaveState;
}

interface Told {
  id: string;
  status: string;
  direction: 'sent' | 'received';
  conversation?: string | null;
}

/** What the server says in its mirror, or, where it has none of these, in the profile that was opened. */
async function hasMirror(db: AccountDb): Promise<boolean> {
  return (await db.cursors.get('sync')) !== undefined;
}

async function lastOf(db: AccountDb, lane: string): Promise<OutboxRow | undefined> {
  return (await db.outbox.where('lane').equals(lane).sortBy('seq')).at(-1);
}

const stateOf = (row: OutboxRow | undefined): SaveState => (row ? saveState(row) : 'saved');

/** Of what the server says of two people, and of the wish to have no more to do with each other. */
export const CONNECTION = 'connection';

/** What people save, by the type of its records. */
export interface SavedCards {
  saved_profile: ProfileCard;
  saved_media: MediaCard;
}
export type SavedType = keyof SavedCards;
export const SAVED_MEDIA = 'saved_media';
const savedLane = (type: SavedType, id: string): string => `${type}:${id}`;

/** Whether a profile or a medium is saved, and where that wish is. @param id the server's */
export async function savedStanding(
  db: AccountDb,
  type: SavedType,
  id: string,
  told: boolean,
): Promise<Standing<boolean>> {
  const last = await lastOf(db, savedLane(type, id));
  const known = await db.records.get([type, id]);
  const is = last ? last.patch.saved === true : known !== undefined || (!(await hasMirror(db)) && told);
  return { is, state: stateOf(last) };
}

/**
 * Of all of one type at once: what is saved, and where each wish that has not arrived yet is. `told`: what the server said
 * with the record itself, which counts where there is no mirror.
 */
export async function savedMarks(
  db: AccountDb,
  type: SavedType,
): Promise<(id: string, told: boolean) => Standing<boolean>> {
  const known = new Set(
    (await db.records.where('[type+id]').between([type, ''], [type, '\uffff']).primaryKeys()).map(([, id]) => id),
  );
  const rows = await db.outbox.where('lane').startsWith(savedLane(type, '')).sortBy('seq');
  const last = new Map(rows.map((row) => [row.target, row]));
  const isMirrored = await hasMirror(db);
  return (id, told) => {
    const row = last.get(id);
    const is = row ? row.patch.saved === true : known.has(id) || (!isMirrored && told);
    return { is, state: stateOf(row) };
  };
}

/** How somebody is shown in a list while only this device knows of what is between the two. */
export type PersonCard = Pick<Connection, 'title' | 'address' | 'profile_photo' | 'slug' | 'profile_type'>;

/** Where one stands with somebody, and where the server has them, the ids of the connection and of where they write. */
export type Tied = Standing<Bond> & { connectionId: string | null; conversationId: string | null };

/** What was said here of somebody over what the server says. @param rows of their lane, in `seq` order */
export function bondOf(told: Told | null, rows: readonly OutboxRow[]): Tied {
  const last = rows.at(-1);
  const state = stateOf(last);
  // One that was refused has not parted anybody.
  const isParted = rows.some((row) => row.type === CONNECTION && row.state !== 'attention');
  const known = isParted ? null : told;
  const ids = { connectionId: known?.id ?? null, conversationId: known?.conversation ?? null };
  if (last?.type === CONNECTION && isParted) return { is: 'none', state, ...ids };
  if (known?.status === 'accepted') return { is: 'connected', state, ...ids };
  if (last && getEffect(last) === 'accepts') return { is: 'connected', state, ...ids };
  if (last && getEffect(last) === 'requests') return { is: 'pending', state, ...ids };
  if (known === null) return { is: 'none', state, ...ids };
  return { is: known.direction === 'sent' ? 'pending' : 'asked', state, ...ids };
}

/** Where the person stands with another one. */
export async function bondWith(db: AccountDb, userId: string, told: Told | null): Promise<Tied> {
  const rows = await db.outbox.where('lane').equals(`person:${userId}`).sortBy('seq');
  const mirrored = await connectionWith(db, userId);
  return bondOf(mirrored ?? ((await hasMirror(db)) ? null : told), rows);
}

async function connectionWith(db: AccountDb, userId: string): Promise<Told | null> {
  for (const { id, body } of await listRecords(db, CONNECTION)) {
    const { status, user_id, connected_user_id, conversation_id } = body;
    const told = { id, status: String(status), conversation: conversation_id ?? null };
    if (String(user_id) === userId) return { ...told, direction: 'received' };
    if (String(connected_user_id) === userId) return { ...told, direction: 'sent' };
  }
  return null;
}

/** One in a list of what is saved. */
export interface SavedItem<T> extends Standing<boolean> {
  card: T;
}

/** What is saved of one type, saved last on top; what was just let go is left out. */
export async function savedItems<T extends SavedType>(db: AccountDb, type: T): Promise<SavedItem<SavedCards[T]>[]> {
  const records = await listRecords<SavedType>(db, type);
  const rows = await db.outbox.where('lane').startsWith(savedLane(type, '')).sortBy('seq');
  const items = new Map<string, SavedItem<SavedCards[T]>>();
  for (const { id, body } of records) {
    items.set(id, { card: body as SavedCards[T], is: true, state: 'saved' });
  }
  for (const row of rows) {
    items.set(row.target, {
      card: items.get(row.target)?.card ?? (row.patch.card as SavedCards[T]),
      is: row.patch.saved === true,
      state: saveState(row),
    });
  }
  const at = ({ card }: SavedItem<SavedCards[T]>) => String((card as { saved_at?: unknown }).saved_at ?? '\uffff');
  return [...items.values()].filter((item) => item.is).sort((a, b) => (at(a) < at(b) ? 1 : at(a) > at(b) ? -1 : 0));
}
