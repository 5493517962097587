import type { Profile } from '#contract/records/profile.ts';
import type { AccountDb } from '#db/database.ts';
import { hasEffect, getPersonLane, type AcceptPatch, type DisconnectReason, type RequestPatch } from '#db/patches.ts';
import { CONNECTION, type PersonCard } from '#db/saved-and-connected.ts';
import type { OutboxRow } from '#db/rows.ts';
import { acceptConnection } from '../operations/accept-connection.ts';
import { disconnect as disconnectOperation } from '../operations/disconnect.ts';
import type { Operation } from '../operations/operation.ts';
import { requestConnection } from '../operations/request-connection.ts';
import { append, drop, laneRows, type OutboxPorts, getTables, UNDO_MS } from './outbox.ts';
import { isRefused, isSetAside, isUnsent } from './planner.ts';

/**
 * Intents of the user toward another person: connect, accept, disconnect. Each sets an absolute state. So the lane of a
 * person holds at most one unsent change, and an intent that cancels an unsent one sends nothing.
 */

/** A person, with what lists show while the connection exists only on this device. */
export interface Person {
  userId: string;
  name: string;
  card?: PersonCard;
}

/** Not 'connection': the row targets a person by user id, because the connection has no id yet. */
const PERSON = 'person';

/**
 * Requests a connection. A second request while one is queued returns the queued one.
 * @returns the queued change; `op` is null when the request only cancels a pending disconnect
 */
export async function connect(ports: OutboxPorts, person: Person, message?: string): Promise<{ op: string | null }> {
  const patch: RequestPatch = { ...(message !== undefined && { message }), ...getNameAndCard(person) };
  const cancelsDisconnect = ({ way }: { way?: DisconnectReason }) => message === undefined && way !== 'decline';
  return queueIntent(ports, person.userId, requestConnection, patch, cancelsDisconnect);
}

/** Accepts a person's connection request. @param connectionId the server's id of that request */
export async function accept(ports: OutboxPorts, person: Person, connectionId: string): Promise<{ op: string | null }> {
  const patch: AcceptPatch = { connection: connectionId, ...getNameAndCard(person) };
  return queueIntent(ports, person.userId, acceptConnection, patch, () => false);
}

const getNameAndCard = ({ name, card }: Person) => ({ name, ...(card && { card }) });

async function queueIntent<Patch extends RequestPatch | AcceptPatch>(
  ports: OutboxPorts,
  userId: string,
  operation: Operation<Patch>,
  patch: Patch,
  cancelsDisconnect: (patch: { way?: DisconnectReason }) => boolean,
): Promise<{ op: string | null }> {
  const { db, chance } = ports;
  const op = chance.uuid();
  // A request with a message is a new request and is queued behind a pending disconnect.
  const hasWords = 'message' in patch && patch.message !== undefined;
  return db.transaction('rw', getTables(db), async () => {
    let same: OutboxRow | undefined;
    for (const row of await laneRows(db, getPersonLane(userId))) {
      if (isSetAside(row)) await drop(ports, row, 'replaced');
      else if (hasEffect(row, 'delete') && isUnsent(row) && !hasWords) {
        // Dropping the disconnect keeps the connection. After a dropped decline, the call below accepts the request.
        await drop(ports, row, 'discarded');
        if (cancelsDisconnect(row.patch)) return { op: null };
      } else if (row.kind === operation.kind) same = row;
      else if (hasEffect(row, 'delete')) same = undefined;
    }
    if (same) return { op: same.op };
    await append(ports, operation, { op, type: PERSON, target: userId, patch });
    return { op };
  });
}

/**
 * Withdraws a request, declines one, ends a connection, or blocks a person. Drops the person's unsent changes.
 * Everything but a block can be undone for five seconds.
 * @param connectionId the server's id; null when the server has none or this device does not know it
 * @returns `op`: the change that can be undone, null when nothing is left to send; `mayBeThere`: our request may have
 *   been received before it is withdrawn
 */
export async function disconnect(
  ports: OutboxPorts,
  { userId, name }: Person,
  reason: DisconnectReason,
  connectionId: string | null,
): Promise<{ op: string | null; mayBeThere: boolean }> {
  const { db, chance, clock } = ports;
  const op = chance.uuid();
  const isBlock = reason === 'block';
  const slug = isBlock ? await forgetPerson(db, userId) : undefined;
  return db.transaction('rw', getTables(db), async () => {
    const lane = getPersonLane(userId);
    let mayBeThere = false;
    for (const row of await laneRows(db, lane)) {
      const queued = hasEffect(row, 'delete') ? row.patch.way : undefined;
      if (queued === 'block' || (queued === reason && !isSetAside(row)))
        return { op: row.op, mayBeThere: row.target === lane };
      // The withdrawn request was never sent. The connection that was ended before it stays ended.
      if (connectionId === null && !isBlock && endsConnection(row) && !isSetAside(row)) continue;
      if (isSetAside(row) || isUnsent(row)) await drop(ports, row, 'discarded');
      if (!isRefused(row) && !isUnsent(row)) mayBeThere ||= hasEffect(row, 'connect');
    }
    // A request whose response was lost may be on the server; it is withdrawn once its id is known. Otherwise there is
    // nothing to withdraw.
    if (connectionId === null && !isBlock && !mayBeThere) return { op: null, mayBeThere };
    const held = isBlock ? {} : { hold: true as const, notBefore: clock.now() + UNDO_MS };
    const target = connectionId ?? lane;
    const patch = { way: reason, userId, name, ...(slug !== undefined && { slug }) };
    await append(ports, disconnectOperation, { op, type: CONNECTION, target, patch, ...held });
    return { op, mayBeThere: mayBeThere && connectionId === null };
  });
}

/** Whether the row ends a connection that exists on the server. */
const endsConnection = (row: OutboxRow): boolean => hasEffect(row, 'delete') && row.target !== row.lane;

/**
 * Removes a blocked person's cached pages, search results and suggestions from this device.
 * @returns the slug of their pages, by which what stays here can still be told to be theirs
 */
async function forgetPerson(db: AccountDb, userId: string): Promise<string | undefined> {
  const visited = db.visited.filter(({ profile }) => String(profile.user_id) === userId);
  const seen = db.seen.filter(({ person }) => person.row.facts?.user_id === userId);
  const slug = ((await visited.first())?.profile as Profile | undefined)?.slug ?? (await seen.first())?.person.row.slug;
  await visited.delete();
  await seen.delete();
  await db.meta
    .where('k')
    .equals('suggestions')
    .modify((row) => {
      if ('people' in row) row.people = row.people.filter(({ user_id }) => String(user_id) !== userId);
    });
  return slug;
}
