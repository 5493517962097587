import type { FastifyInstance } from 'fastify';
import * as z from 'zod/mini';
import { CALLS } from '#contract/calls.ts';
import { blockRecord, connectionRecord, requestConnectionBody } from '#contract/records/people.ts';
import { getRelation } from '#server/platform/access/viewer-role.ts';
import { canBeWrittenBy } from '#server/platform/access/minors.ts';
import { requireMayReach } from '#server/platform/access/withholding.ts';
import type { Db } from '#server/platform/db/connect.ts';
import { lockPair } from '#server/platform/db/lock-pair.ts';
import { created, ok, type RouteResponse } from '#server/platform/http/response.ts';
import type { Caller } from '#server/platform/http/caller.ts';
import { forbidden, invalid, notFound, unprocessable } from '#server/platform/http/errors.ts';
import { requireId } from '#server/platform/http/ids.ts';
import { getContactWeight, LIMIT } from '#server/platform/http/limits.ts';
import { requiredAccount, readRoute, writeRoute, type GuardInput } from '#server/platform/http/route.ts';
import { withRecord, messageOnly } from '#server/platform/http/schemas.ts';
import {
  acceptRequest,
  addBlock,
  addRequest,
  listBlocks,
  findConnectionBetween,
  findConnectionsByIds,
  hasBlocked,
  hasShownProfile,
  personExists,
  lockConnection,
  presentConnections,
  removeBlock,
  removeConnection,
  type ConnectionRow,
} from './store.ts';

const byPerson = z.object({ userId: z.string() });
const byId = z.object({ id: z.string() });

/** Parses the id of another person. @throws 404 if there is no such person, 422 if it is the caller */
function parseOtherPerson({ caller, params }: GuardInput<Caller, { userId: string }>): Promise<number> {
  const userId = requireId(params.userId, 'person');
  if (userId === caller.userId) throw unprocessable('This is you');
  return Promise.resolve(userId);
}

/** Locks a connection of the caller until the commit. @throws 404 */
async function lockOwnConnection({ db, caller, params }: GuardInput<Caller, { id: string }>): Promise<ConnectionRow> {
  const row = await lockConnection(db, caller.userId, requireId(params.id, 'connection'));
  if (row === null) throw notFound('connection');
  return row;
}

async function toConnectionResponse(
  db: Db,
  caller: Caller,
  row: ConnectionRow,
  answer: typeof ok | typeof created = ok,
): Promise<RouteResponse> {
  const [data] = await presentConnections(db, caller.userId, [row]);
  const sent =
    row.senderId === caller.userId
      ? 'Connection request sent'
      : 'This person has already asked you. Accept their request instead';
  return answer({ message: row.status === 'accepted' ? 'You’re connected' : sent, data });
}

function requestRoute(app: FastifyInstance): void {
  writeRoute(app, {
    endpoint: CALLS.requestConnection,
    summary: 'Sends a connection request, or accepts the one that person has sent',
    access: requiredAccount(parseOtherPerson),
    params: byPerson,
    body: requestConnectionBody,
    responses: { 200: withRecord(connectionRecord), 201: withRecord(connectionRecord) },
    handler: async ({ body, caller, subject: userId, db, now, changes }) => {
      await lockPair(db, caller.userId, userId);
      const { viewerRole } = await getRelation(db, caller, userId);
      if (viewerRole === 'blocked') throw notFound('person');
      const row = await findConnectionBetween(db, caller.userId, userId);
      if (row === null) {
        const isReachable = (await hasShownProfile(db, userId)) && (await canBeWrittenBy(db, userId, viewerRole));
        if (!isReachable) throw notFound('person');
        await requireMayReach(db, caller);
        const points = getContactWeight(caller, now);
        await app.deps.sharedLimiter.take(LIMIT.connectionRequests, String(caller.userId), points);
        const added = await addRequest(db, changes, {
          senderId: caller.userId,
          receiverId: userId,
          message: body.message ?? null,
          clientId: body.client_id ?? null,
          createdAt: now,
        });
        if (added === null) throw invalid({ client_id: ['This id already belongs to another request'] });
        return toConnectionResponse(db, caller, added, created);
      }
      if (row.status === 'accepted' || row.senderId === caller.userId) return toConnectionResponse(db, caller, row);
      const accepted = await acceptRequest(db, changes, row, now);
      return toConnectionResponse(db, caller, accepted);
    },
  });
}

function answerRoutes(app: FastifyInstance): void {
  writeRoute(app, {
    endpoint: CALLS.acceptConnection,
    summary: 'Accepts a request; only for the person who was asked',
    access: requiredAccount(lockOwnConnection),
    params: byId,
    responses: { 200: withRecord(connectionRecord) },
    handler: async ({ caller, subject, db, now, changes }) => {
      if (subject.receiverId !== caller.userId) throw forbidden('Only the other person can accept this request');
      if (subject.status === 'accepted') return toConnectionResponse(db, caller, subject);
      const row = await acceptRequest(db, changes, subject, now);
      return toConnectionResponse(db, caller, row);
    },
  });

  writeRoute(app, {
    endpoint: CALLS.declineConnection,
    summary: 'Declines a request; only for the person who was asked',
    access: requiredAccount(lockOwnConnection),
    params: byId,
    responses: { 200: messageOnly },
    handler: async ({ caller, subject, db, changes }) => {
      if (subject.receiverId !== caller.userId) throw forbidden('Only the other person can decline this request');
      if (subject.status === 'accepted') throw unprocessable('You’re already connected');
      await removeConnection(db, changes, subject);
      return ok({ message: 'Request declined' });
    },
  });

  writeRoute(app, {
    endpoint: CALLS.endConnection,
    summary: 'Ends a connection or withdraws a request',
    access: requiredAccount(lockOwnConnection),
    params: byId,
    responses: { 200: messageOnly },
    handler: async ({ subject, db, changes }) => {
      await removeConnection(db, changes, subject);
      return ok({ message: subject.status === 'accepted' ? 'You’re no longer connected' : 'Request withdrawn' });
    },
  });
}

function blockRoutes(app: FastifyInstance): void {
  readRoute(app, {
    endpoint: CALLS.blocks,
    summary: 'People the caller has blocked',
    access: requiredAccount(),
    responses: { 200: z.array(blockRecord) },
    handler: async ({ caller, db }) => ok(await listBlocks(db, caller.userId)),
  });

  writeRoute(app, {
    endpoint: CALLS.block,
    summary: 'Blocks a person: ends the connection and hides each from the other',
    access: requiredAccount(parseOtherPerson),
    params: byPerson,
    responses: { 200: messageOnly },
    handler: async ({ caller, subject: userId, db, now, changes }) => {
      await lockPair(db, caller.userId, userId);
      if (!(await hasBlocked(db, caller.userId, userId))) {
        const { viewerRole } = await getRelation(db, caller, userId);
        if (viewerRole === 'blocked' || !(await personExists(db, userId))) throw notFound('person');
        await addBlock(db, changes, caller.userId, userId, now);
      }
      return ok({ message: 'Blocked' });
    },
  });

  writeRoute(app, {
    endpoint: CALLS.unblock,
    summary: 'Unblocks a person; an ended connection does not come back',
    access: requiredAccount(parseOtherPerson),
    params: byPerson,
    responses: { 200: messageOnly },
    handler: async ({ caller, subject: userId, db, changes }) => {
      await lockPair(db, caller.userId, userId);
      if (!(await removeBlock(db, changes, caller.userId, userId))) throw notFound('block');
      return ok({ message: 'Unblocked' });
    },
  });
}

/** Requesting, accepting, declining and ending connections, and blocking. */
export function connectionRoutes(app: FastifyInstance): void {
  app.mirror.set('connection', async (db, ids, userId) =>
    presentConnections(db, userId, await findConnectionsByIds(db, userId, ids.map(Number))),
  );
  requestRoute(app);
  answerRoutes(app);
  blockRoutes(app);
}
