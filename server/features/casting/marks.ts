import { eq } from 'drizzle-orm';
import type { FastifyInstance } from 'fastify';
import * as z from 'zod/mini';
import { CASTING_CALLS } from '#contract/casting-calls.ts';
import { markBody, markRecord, tapeRecord } from '#contract/records/tapes.ts';
import { readsRequest } from '#server/platform/access/projects.ts';
import { tapeMarks } from '#server/platform/db/schema.ts';
import { ok } from '#server/platform/http/response.ts';
import { requiredAccount, writeRoute } from '#server/platform/http/route.ts';
import { byId, lockReceivedTape } from './guards.ts';
import { listMarks, presentMark, putMark } from './mark-rows.ts';
import { listCasting } from './rows.ts';
import { presentTape } from './tape-rows.ts';

/** What the side that casts thinks of a tape. Nothing of this reaches the performer: no record, version, event or notification. */
export function markRoutes(app: FastifyInstance): void {
  app.mirror.set('mark', async (db, ids, userId) =>
    (await listMarks(db, readsRequest(userId), ids.map(Number))).map(presentMark),
  );

  writeRoute(app, {
    endpoint: CASTING_CALLS.markTape,
    summary: 'Keeps the caller’s grade and note about a tape, which the performer never sees; what is left out stays',
    access: requiredAccount(lockReceivedTape('rate')),
    params: byId,
    body: markBody,
    responses: { 200: z.object({ message: z.string(), data: tapeRecord, marks: z.array(markRecord) }) },
    handler: async ({ body, subject: { tape, request }, caller: { userId }, db, now, changes }) => {
      const id = await putMark(db, { tapeId: tape.id, authorId: userId, said: body, now });
      for (const person of await listCasting(db, request)) {
        changes.recordChange(person, 'mark', String(id), String(tape.id));
      }
      const marks = await listMarks(db, eq(tapeMarks.id, id));
      return ok({ message: 'Saved', data: presentTape(tape), marks: marks.map(presentMark) });
    },
  });
}
