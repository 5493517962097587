import type { FastifyInstance } from 'fastify';
import * as z from 'zod/mini';
import { PEOPLE_CALLS } from '#contract/people-calls.ts';
import { connectionRecord } from '#contract/records/people.ts';
import type { Endpoint } from '#contract/section.ts';
import { ok } from '#server/platform/http/response.ts';
import { requiredAccount, readRoute } from '#server/platform/http/route.ts';
import { listConnections, presentConnections, type ConnectionList } from './store.ts';

/** Received requests, sent requests and accepted connections, newest first. */
export function connectionListRoutes(app: FastifyInstance): void {
  const list = (endpoint: Endpoint, summary: string, share: ConnectionList) =>
    readRoute(app, {
      endpoint,
      summary,
      access: requiredAccount(),
      responses: { 200: z.array(connectionRecord) },
      handler: async ({ caller, db }) =>
        ok(await presentConnections(db, caller.userId, await listConnections(db, caller.userId, share))),
    });
  list(PEOPLE_CALLS.requestsReceived, 'Connection requests the caller received', 'received');
  list(PEOPLE_CALLS.requestsSent, 'Connection requests the caller sent', 'sent');
  list(PEOPLE_CALLS.accepted, 'The caller’s connections', 'accepted');
}
