import type { AccountDb } from '#db/database.ts';
import { CONNECTION, type PersonCard, type SavedCards, type SavedType } from '#db/people.ts';
import type { OutboxRow } from '#db/rows.ts';
import { isRefused, isUnsent } from './planner.ts';
import { CONVERSATION } from '#db/messages.ts';
import { append, drop, laneRows, type OutboxPorts, tablesOf } from './outbox.ts';

/**
 * What a person wants of somebody else: to have their profile at hand, to know them. Absolute wishes about one profile or
 * one person, so a lane holds at most one that has not left, and a wish that takes back an unsent one sends nothing.
 */

/** Whom a wish is about, as the lists show them while only this device knows. */
export interface Whom {
  userId: string;
  name: string;
  card?: PersonCard;
}

/** Not 'connection': the row is about a person, by their id, before there is a connection with an id of its own. */
export const PERSON = 'person';
export const personLane = (userId: string): string => `${PERSON}:${userId}`;

/** Saves a profile or a medium, or lets it go; the last wish wins. Null where nothing is left to send. */
export function setSaved<T extends SavedType>(
  ports: OutboxPorts,
  type: T,
  card: SavedCards[T],
  saved: boolean,
): Promise<{ op: string | null }> {
  return mark(ports, type, card, saved);
}

/** Stars a conversation or takes the star away; the last wish wins. */
export function setStarred(
  ports: OutboxPorts,
  conversation: { id: string; name: string },
  starred: boolean,
): Promise<{ op: string | null }> {
  return mark(ports, CONVERSATION, conversation, starred);
}

async function mark(
  ports: OutboxPorts,
  type: string,
  card: { id: string },
  saved: boolean,
): Promise<{ op: string | null }> {
  const { db, chance } = ports;
  const op = chance.uuid();
  return db.transaction('rw', tablesOf(db), async () => {
    const target = card.id;
    const lane = `${type}:${target}`;
    const rows = await laneRows(db, lane);
    let last = rows.at(-1);
    if (last?.patch.saved === saved && !isRefused(last)) return { op: last.op };
    // What was refused, or has not left, is no wish any more.
    while (last && (isUnsent(last) || isRefused(last))) {
      // As the server has it by now: another device may have said so since the wish was written.
      const wasAlready = isUnsent(last) && rows.length === 1 && (await isMarked(db, type, target)) === saved;
      await drop(ports, last, wasAlready ? 'discarded' : 'replaced');
      rows.pop();
      if (wasAlready) return { op: null };
      // One before it that says the same may have been done long ago, and another device may have said otherwise since.
      last = rows.at(-1);
    }
    const patch = { saved, card };
    const base = { saved: await isMarked(db, type, target) };
    await append(ports, { op, kind: 'save', type, target, parent: null, lane, patch, base });
    return { op };
  });
}

/** Whether the server has it so, as far as this device knows. */
async function isMarked(db: AccountDb, type: string, id: string): Promise<boolean> {
  const record = await db.records.get([type, id]);
  return type === CONVERSATION ? record?.body.starred === true : record !== undefined;
}

/** Asks somebody to connect. Once is enough: a second wish while one waits is the same. Null where nothing is left to send. */
export async function connect(ports: OutboxPorts, whom: Whom, message?: string): Promise<{ op: string | null }> {
  return wish(ports, whom, 'connect', message === undefined ? {} : { message });
}

/** Says yes to somebody who asked. */
export async function accept(ports: OutboxPorts, whom: Whom, connectionId: string): Promise<{ op: string | null }> {
  return wish(ports, whom, 'accept', { connection: connectionId });
}

async function wish(
  ports: OutboxPorts,
  whom: Whom,
  kind: 'connect' | 'accept',
  fields: Record<string, string>,
): Promise<{ op: string | null }> {
  const { db, chance } = ports;
  const op = chance.uuid();
  return db.transaction('rw', tablesOf(db), async () => {
    const lane = personLane(whom.userId);
    let same: OutboxRow | undefined;
    for (const row of await laneRows(db, lane)) {
      if (isRefused(row)) await drop(ports, row, 'replaced');
      else if (row.type === CONNECTION && isUnsent(row) && fields.message === undefined) {
        // Not parted after all. What was declined is now accepted, by whichever of the two calls. With words of its own a
        // request is a new one, and goes behind.
        await drop(ports, row, 'discarded');
        if (kind === 'connect' && row.patch.way !== 'decline') return { op: null };
      } else if (row.kind === kind) same = row;
      else if (row.type === CONNECTION) same = undefined;
    }
    if (same) return { op: same.op };
    const patch = { ...fields, name: whom.name, ...(whom.card && { card: whom.card }) };
    await append(ports, { op, kind, type: PERSON, target: whom.userId, parent: null, lane, patch });
    return { op };
  });
}
