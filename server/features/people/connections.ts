import type { FastifyInstance } from 'fastify';
import * as z from 'zod/mini';
import { CALLS } from '#contract/calls.ts';
import { blockRecord, connectionRecord, requestConnectionBody } from '#contract/records/people.ts';
import { relationTo } from '#server/access/standing.ts';
import type { Db } from '#server/db/connect.ts';
import { created, ok, type Answer } from '#server/http/answer.ts';
import type { Caller } from '#server/http/caller.ts';
import { forbidden, invalid, notFound, refused } from '#server/http/errors.ts';
import { requireId } from '#server/http/ids.ts';
import { LIMIT } from '#server/http/limiter.ts';
import { account, readRoute, writeRoute, type GuardInput } from '#server/http/route.ts';
import { changed, said } from '#server/http/schemas.ts';
import {
  acceptRequest,
  addBlock,
  addRequest,
  blocksOf,
  connectionBetween,
  connectionsByIds,
  hasBlocked,
  isOnTheBoard,
  isPerson,
  lockConnection,
  lockPair,
  presentConnections,
  removeBlock,
  removeConnection,
  type ConnectionRow,
} from './store.ts';

const byPerson = z.object({ userId: z.string() });
const byId = z.object({ id: z.string() });

/** Another person. @throws 404 where the text names nobody, 422 where it names the caller */
function otherPerson({ caller, params }: GuardInput<Caller, { userId: string }>): Promise<number> {
  const userId = requireId(params.userId, 'person');
  if (userId === caller.userId) throw refused('That is you');
  return Promise.resolve(userId);
}

/** A connection of the caller's, held until the commit. @throws 404 */
async function ownConnection({ db, caller, params }: GuardInput<Caller, { id: string }>): Promise<ConnectionRow> {
  const row = await lockConnection(db, caller.userId, requireId(params.id, 'connection'));
  if (row === null) throw notFound('connection');
  return row;
}

async function answerWith(
  db: Db,
  caller: Caller,
  row: ConnectionRow,
  answer: typeof ok | typeof created = ok,
): Promise<Answer> {
  const [data] = await presentConnections(db, caller.userId, [row]);
  const sent = row.senderId === caller.userId ? 'Connection request sent' : 'This person has asked you';
  return answer({ message: row.status === 'accepted' ? 'You are connected' : sent, data });
}

function requestRoute(app: FastifyInstance): void {
  writeRoute(app, {
    endpoint: CALLS.requestConnection,
    summary: 'Asks somebody to connect; somebody who has asked already is accepted',
    access: account(otherPerson),
    params: byPerson,
    body: requestConnectionBody,
    answers: { 200: changed(connectionRecord), 201: changed(connectionRecord) },
    handler: async ({ body, caller, subject: userId, db, now, changes }) => {
      await lockPair(db, caller.userId, userId);
      const { standing } = await relationTo(db, caller, userId);
      if (standing === 'blocked') throw notFound('person');
      const row = await connectionBetween(db, caller.userId, userId);
      if (row === null) {
        if (!(await isOnTheBoard(db, userId))) throw notFound('person');
        app.deps.limiter.take(LIMIT.connectionRequests, String(caller.userId));
        const added = await addRequest(db, changes, {
          senderId: caller.userId,
          receiverId: userId,
          message: body.message ?? null,
          clientId: body.client_id ?? null,
          createdAt: now,
        });
        if (added === null) throw invalid({ client_id: ['This id stands on another request'] });
        return answerWith(db, caller, added, created);
      }
      if (row.status === 'accepted' || row.senderId === caller.userId) return answerWith(db, caller, row);
      const accepted = await acceptRequest(db, changes, row, now);
      return answerWith(db, caller, accepted);
    },
  });
}

function answerRoutes(app: FastifyInstance): void {
  writeRoute(app, {
    endpoint: CALLS.acceptConnection,
    summary: 'Says yes to a request; for who was asked',
    access: account(ownConnection),
    params: byId,
    answers: { 200: changed(connectionRecord) },
    handler: async ({ caller, subject, db, now, changes }) => {
      if (subject.receiverId !== caller.userId) throw forbidden('The other one has to accept');
      if (subject.status === 'accepted') return answerWith(db, caller, subject);
      const row = await acceptRequest(db, changes, subject, now);
      return answerWith(db, caller, row);
    },
  });

  writeRoute(app, {
    endpoint: CALLS.declineConnection,
    summary: 'Says no to a request; for who was asked',
    access: account(ownConnection),
    params: byId,
    answers: { 200: said },
    handler: async ({ caller, subject, db, changes }) => {
      if (subject.receiverId !== caller.userId) throw forbidden('The other one has to answer');
      if (subject.status === 'accepted') throw refused('You are connected already');
      await removeConnection(db, changes, subject);
      return ok({ message: 'Request declined' });
    },
  });

  writeRoute(app, {
    endpoint: CALLS.endConnection,
    summary: 'Ends a connection or takes a request back',
    access: account(ownConnection),
    params: byId,
    answers: { 200: said },
    handler: async ({ subject, db, changes }) => {
      await removeConnection(db, changes, subject);
      return ok({ message: subject.status === 'accepted' ? 'You are no longer connected' : 'Request taken back' });
    },
  });
}

function blockRoutes(app: FastifyInstance): void {
  readRoute(app, {
    endpoint: CALLS.blocks,
    summary: 'Whom the caller has blocked',
    access: account(),
    answers: { 200: z.array(blockRecord) },
    handler: async ({ caller, db }) => ok(await blocksOf(db, caller.userId)),
  });

  writeRoute(app, {
    endpoint: CALLS.block,
    summary: 'Ends what is between two people and hides each from the other',
    access: account(otherPerson),
    params: byPerson,
    answers: { 200: said },
    handler: async ({ caller, subject: userId, db, now, changes }) => {
      await lockPair(db, caller.userId, userId);
      if (!(await hasBlocked(db, caller.userId, userId))) {
        const { standing } = await relationTo(db, caller, userId);
        if (standing === 'blocked' || !(await isPerson(db, userId))) throw notFound('person');
        await addBlock(db, changes, caller.userId, userId, now);
      }
      return ok({ message: 'Blocked' });
    },
  });

  writeRoute(app, {
    endpoint: CALLS.unblock,
    summary: 'Lifts a block; what it ended stays ended',
    access: account(otherPerson),
    params: byPerson,
    answers: { 200: said },
    handler: async ({ caller, subject: userId, db }) => {
      await lockPair(db, caller.userId, userId);
      if (!(await removeBlock(db, caller.userId, userId))) throw notFound('block');
      return ok({ message: 'No longer blocked' });
    },
  });
}

/** Asking, answering, ending, blocking. */
export function connectionRoutes(app: FastifyInstance): void {
  app.mirror.set('connection', async (db, ids, userId) =>
    presentConnections(db, userId, await connectionsByIds(db, userId, ids.map(Number))),
  );
  requestRoute(app);
  answerRoutes(app);
  blockRoutes(app);
}
