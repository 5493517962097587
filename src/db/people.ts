import type { Connection, ProfileCard } from '#contract/records/people.ts';
import type { AccountDb } from './database.ts';
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
}

/** What the server says in its mirror, or, where it has none of these, in the profile that was opened. */
async function hasMirror(db: AccountDb): Promise<boolean> {
  return (await db.cursors.get('sync')) !== undefined;
}

async function lastOf(db: AccountDb, lane: string): Promise<OutboxRow | undefined> {
  return (await db.outbox.where('lane').equals(lane).sortBy('seq')).at(-1);
}

const stateOf = (row: OutboxRow | undefined): SaveState => (row ? saveState(row) : 'saved');

/** Whether somebody's profile is saved, and where that wish is. */
export async function savedStanding(db: AccountDb, profileId: string, told: boolean): Promise<Standing<boolean>> {
  const last = await lastOf(db, `saved_profile:${profileId}`);
  const known = await db.records.get(['saved_profile', profileId]);
  const is = last ? last.patch.saved === true : known !== undefined || (!(await hasMirror(db)) && told);
  return { is, state: stateOf(last) };
}

/** Where the person stands with another one, and the connection's id where there is one. */
export async function bondWith(
  db: AccountDb,
  userId: string,
  told: Told | null,
): Promise<Standing<Bond> & { connectionId: string | null }> {
  const last = await lastOf(db, `person:${userId}`);
  const mirrored = await connectionWith(db, userId);
  const known = mirrored ?? ((await hasMirror(db)) ? null : told);
  const connectionId = known?.id ?? null;
  const state = stateOf(last);
  if (known?.status === 'accepted') return { is: 'connected', state, connectionId };
  if (last?.kind === 'accept') return { is: 'connected', state, connectionId };
  if (last?.kind === 'connect') return { is: 'pending', state, connectionId };
  if (known === null) return { is: 'none', state, connectionId };
  return { is: known.direction === 'sent' ? 'pending' : 'asked', state, connectionId };
}

async function connectionWith(db: AccountDb, userId: string): Promise<Told | null> {
  const records = await db.records.where('[type+id]').between(['connection', ''], ['connection', '\uffff']).toArray();
  for (const { id, body } of records) {
    const { status, user_id, connected_user_id } = body as unknown as Connection;
    if (String(user_id) === userId) return { id, status: String(status), direction: 'received' };
    if (String(connected_user_id) === userId) return { id, status: String(status), direction: 'sent' };
  }
  return null;
}

/** A profile in the list of saved ones. */
export interface SavedItem extends Standing<boolean> {
  profile: ProfileCard;
}

/** Saved profiles, those saved last on top; what was just let go is left out. */
export async function savedProfiles(db: AccountDb): Promise<SavedItem[]> {
  const records = await db.records
    .where('[type+id]')
    .between(['saved_profile', ''], ['saved_profile', '\uffff'])
    .toArray();
  const rows = await db.outbox.filter((row) => row.kind === 'save').sortBy('seq');
  const items = new Map<string, SavedItem>();
  for (const { id, body } of records) {
    items.set(id, { profile: body as unknown as ProfileCard, is: true, state: 'saved' });
  }
  for (const row of rows) {
    items.set(row.target, {
      profile: items.get(row.target)?.profile ?? (row.patch.profile as ProfileCard),
      is: row.patch.saved === true,
      state: saveState(row),
    });
  }
  const at = (item: SavedItem) => String((item.profile as { saved_at?: unknown }).saved_at ?? '\uffff');
  return [...items.values()].filter((item) => item.is).sort((a, b) => (at(a) < at(b) ? 1 : at(a) > at(b) ? -1 : 0));
}
