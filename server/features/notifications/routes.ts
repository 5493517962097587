import type { FastifyInstance } from 'fastify';
import * as z from 'zod/mini';
import { CALLS } from '#contract/calls.ts';
import { PEOPLE_CALLS } from '#contract/people-calls.ts';
import { notificationRecord, readNotificationsBody } from '#contract/records/notifications.ts';
import { ok } from '#server/platform/http/response.ts';
import { invalid } from '#server/platform/http/errors.ts';
import { parseId } from '#server/platform/http/ids.ts';
import { encodeCursor, pageQuery, decodeCursor } from '#server/platform/http/paging.ts';
import { requiredAccount, readRoute, writeRoute } from '#server/platform/http/route.ts';
import { messageOnly } from '#server/platform/http/schemas.ts';
import { markRead, listNotifications, presentNotifications } from './store.ts';

const place = z.object({ at: z.iso.datetime(), id: z.int() });

/** Notifications about actions of other people. */
export function notificationRoutes(app: FastifyInstance): void {
  app.mirror.set('notification', async (db, ids, userId) =>
    presentNotifications(db, await listNotifications(db, userId, { ids: ids.map(Number) })),
  );

  readRoute(app, {
    endpoint: PEOPLE_CALLS.notifications,
    summary: 'The caller’s notifications, newest first',
    access: requiredAccount(),
    query: pageQuery,
    responses: { 200: z.array(notificationRecord) },
    handler: async ({ caller, db, request, query: { cursor, limit } }) => {
      const from = await decodeCursor(place, cursor, { db, request });
      const after = from && { at: new Date(from.at), id: from.id };
      const page = await listNotifications(db, caller.userId, { after, limit });
      const last = page.length === limit ? page.at(-1) : undefined;
      const next = last && { at: last.createdAt.toISOString(), id: last.id };
      return ok(
        await presentNotifications(db, page),
        next && { 'x-next-cursor': await encodeCursor({ db, request }, next) },
      );
    },
  });

  writeRoute(app, {
    endpoint: CALLS.readNotifications,
    summary: 'Marks these notifications, or all of them, as seen',
    access: requiredAccount(),
    isOpenToSuspended: true,
    body: readNotificationsBody,
    responses: { 200: messageOnly },
    handler: async ({ caller, body: { ids, created_at: seen = {}, all }, db, now, changes }) => {
      if (ids === undefined && all === undefined) throw invalid({ ids: ['Send the ids, or all'] });
      const known = (ids ?? []).flatMap((id) => parseId(id) ?? []);
      await markRead(db, changes, caller.userId, all ? 'all' : { ids: known, seen }, now);
      return ok({ message: 'Marked as read' });
    },
  });
}
