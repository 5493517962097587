import type { AccountDb } from '#db/database.ts';
import { hasEffect, getPersonLane, type AcceptPatch, type DisconnectReason, type RequestPatch } from '#db/patches.ts';
import { CONNECTION, type PersonCard } from '#db/saved-and-connected.ts';
import type { OutboxRow } from '#db/rows.ts';
import { acceptConnection } from '../operations/accept-connection.ts';
import { disconnect as disconnectOperation } from '../operations/disconnect.ts';
import type { Operation } from '../operations/operation.ts';
import { requestConnection } from '../operations/request-connection.ts';
import { append, drop, laneRows, type OutboxPorts, getTables, UNDO_MS } from './outbox.ts';
import { isRefused, isUnsent } from './planner.ts';

/**
 * What a person wants of another one: to connect, to accept, to disconnect. Each is absolute, so the lane of a person holds
 * at most one change that has not left, and one that takes back an unsent one sends nothing.
 */

/** A person, as lists show them while only this device knows of the connection. */
export interface Person {
  userId: string;
  name: string;
  card?: PersonCard;
}

/** Not 'connection': the row is about a person, by their id, before there is a connection with an id of its own. */
const PERSON = 'person';

/**
 * Asks a person to connect. A second request while one waits is the same request.
 * @returns the queued change; `op` is null where the request only cancels a pending disconnect
 */
export async function connect(ports: OutboxPorts, person: Person, message?: string): Promise<{ op: string | null }> {
  const patch: RequestPatch = { ...(message !== undefined && { message }), ...getNameAndCard(person) };
  const cancelsDisconnect = ({ way }: { way?: DisconnectReason }) => message === undefined && way !== 'decline';
  return queueIntent(ports, person.userId, requestConnection, patch, cancelsDisconnect);
}

/** Accepts the request of a person. @param connectionId the server's id of that request */
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
  // A request with words of its own is a new one, and goes behind a disconnect.
  const hasWords = 'message' in patch && patch.message !== undefined;
  return db.transaction('rw', getTables(db), async () => {
    let same: OutboxRow | undefined;
    for (const row of await laneRows(db, getPersonLane(userId))) {
      if (isRefused(row)) await drop(ports, row, 'replaced');
      else if (hasEffect(row, 'delete') && isUnsent(row) && !hasWords) {
        // They stay connected after all. A declined request is accepted instead, by whichever of the two calls.
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
 * Withdraws a request, declines one, ends a connection, or blocks a person. It takes along what waits for the person and has
 * not left. Everything but a block can be undone for five seconds.
 * @param connectionId the server's; null where it has none, or this device does not know it
 * @returns the change that can be undone, null where nothing is left to send; `mayBeThere`: a request of ours may have
 *   reached them before it is withdrawn
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
  if (isBlock) await forgetPerson(db, userId);
  return db.transaction('rw', getTables(db), async () => {
    const lane = getPersonLane(userId);
    let mayBeThere = false;
    for (const row of await laneRows(db, lane)) {
      const queued = hasEffect(row, 'delete') ? row.patch.way : undefined;
      if (queued === 'block' || (queued === reason && !isRefused(row)))
        return { op: row.op, mayBeThere: row.target === lane };
      // The request that is withdrawn never left; the connection that was ended before it stays ended.
      if (connectionId === null && !isBlock && endsConnection(row) && !isRefused(row)) continue;
      if (isRefused(row) || isUnsent(row)) await drop(ports, row, 'discarded');
      else mayBeThere ||= hasEffect(row, 'connect');
    }
    // A request whose answer was lost may be there: it is withdrawn once it has an id. Otherwise there is nothing to withdraw.
    if (connectionId === null && !isBlock && !mayBeThere) return { op: null, mayBeThere };
    const held = isBlock ? {} : { hold: true as const, notBefore: clock.now() + UNDO_MS };
    const target = connectionId ?? lane;
    const patch = { way: reason, userId, name };
    await append(ports, disconnectOperation, { op, type: CONNECTION, target, patch, ...held });
    return { op, mayBeThere: mayBeThere && connectionId === null };
  });
}

/** Whether it ends a connection that the server knows. */
const endsConnection = (row: OutboxRow): boolean => hasEffect(row, 'delete') && row.target !== row.lane;

/** Blocking a person removes their cached pages, search results and suggestions from this device. */
async function forgetPerson(db: AccountDb, userId: string): Promise<void> {
  await db.visited.filter(({ profile }) => String(profile.user_id) === userId).delete();
  await db.seen.filter(({ person }) => person.row.facts?.user_id === userId).delete();
  await db.meta
    .where('k')
    .equals('suggestions')
    .modify((row) => {
      if ('people' in row) row.people = row.people.filter(({ user_id }) => String(user_id) !== userId);
    });
}
