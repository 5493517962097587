import { or, eq } from 'drizzle-orm';
import type { FastifyInstance } from 'fastify';
import * as z from 'zod/mini';
import { AUDITION_CALLS } from '#contract/casting-calls.ts';
import { announceBody, arriveBody, tapeLinks, tapeRecord } from '#contract/records/tapes.ts';
import { readsRequest } from '#server/platform/access/projects.ts';
import { requireMayReach } from '#server/platform/access/withholding.ts';
import { auditionRequests } from '#server/platform/db/schema.ts';
import type { Caller } from '#server/platform/http/caller.ts';
import { notFound } from '#server/platform/http/errors.ts';
import { requireId } from '#server/platform/http/ids.ts';
import { created, ok } from '#server/platform/http/response.ts';
import { readRoute, requiredAccount, writeRoute, type GuardInput } from '#server/platform/http/route.ts';
import { withRecord } from '#server/platform/http/schemas.ts';
import { lockTape, type LockedTape } from '../casting/guards.ts';
import { lockRequest } from '../casting/rows.ts';
import { findTapeByClientId, listTapes, presentOwnTape, presentTape, type TapeRow } from '../casting/tape-rows.ts';
import { findVisibleFile } from '../media/access.ts';
import { createLink, getLinkExpiry } from '../media/link.ts';
import type { Uploads } from '../uploads/open.ts';
import { NO_PICTURES, picturesIntake } from './take-pictures.ts';
import { announce } from './tapes-announce.ts';
import { arrive, takesIntake } from './tapes-arrive.ts';

const byId = z.object({ id: z.string() });

/** Locks a tape that the caller sent. @throws 404 */
async function lockSentTape({ db, caller, params }: GuardInput<Caller, { id: string }>): Promise<LockedTape> {
  const found = await lockTape(db, params.id);
  if (found?.request.performerId !== caller.userId) throw notFound('tape');
  return found;
}

/** Both sides read tapes, and nobody is on both sides of one. */
const isOfReader = (userId: number) => or(eq(auditionRequests.performerId, userId), readsRequest(userId));

/** Finds a tape that the caller sent or was sent. @throws 404 */
async function findReadableTape({ db, caller, params }: GuardInput<Caller, { id: string }>): Promise<TapeRow> {
  const [tape] = await listTapes(db, isOfReader(caller.userId), [requireId(params.id, 'tape')]);
  if (tape === undefined) throw notFound('tape');
  return tape;
}

const DEVICE_TIME = /^\d{1,15}$/;

/** The time of the device when it sent a request, in milliseconds since 1970; null if it sent none that can be read. */
const readDeviceTime = (header: string | string[] | undefined): number | null =>
  typeof header === 'string' && DEVICE_TIME.test(header) ? Number(header) : null;

/** Sending tapes. */
export function tapeRoutes(app: FastifyInstance, uploads: Uploads): void {
  const { config } = app.deps;
  const intake = takesIntake(app.deps, uploads);
  const pictures = picturesIntake(app.deps);

  app.mirror.set('tape', async (db, ids, userId) => {
    const rows = await listTapes(db, isOfReader(userId), ids.map(Number));
    return rows.map((row) => (row.userId === userId ? presentOwnTape(row) : presentTape(row)));
  });

  writeRoute(app, {
    endpoint: AUDITION_CALLS.announceTape,
    summary: 'Says that a tape is finished, before its bytes arrive; repeating a client_id announces it once',
    access: requiredAccount(),
    body: announceBody,
    intake: { read: pictures.read },
    responses: { 200: withRecord(tapeRecord), 201: withRecord(tapeRecord) },
    handler: async ({ request, body, caller, db, now, changes }) => {
      const message = 'Tape announced';
      const known = body.client_id && (await findTapeByClientId(db, caller.userId, body.client_id));
      if (known) return ok({ message, data: presentOwnTape(known) });
      const row = await lockRequest(db, requireId(body.request_id, 'audition'));
      if (row?.performerId !== caller.userId) throw notFound('audition');
      await requireMayReach(db, caller);
      const sentDevice = readDeviceTime(request.headers['x-device-time']);
      // There are none if the stored response to this request was deleted in the meantime.
      const stored = pictures.prepared.get(request)?.value ?? NO_PICTURES;
      const tape = await announce(db, changes, row, { body, sentDevice, now, config, pictures: stored });
      return created({ message, data: presentOwnTape(tape) });
    },
  });

  writeRoute(app, {
    endpoint: AUDITION_CALLS.arriveTape,
    summary: 'Says that every take of a tape was uploaded; all of them are taken or none',
    access: requiredAccount(lockSentTape),
    params: byId,
    body: arriveBody,
    intake: { read: intake.read },
    responses: {
      200: withRecord(tapeRecord),
      // A tape that is refused stays refused, so this is stored, unlike other refusals.
      422: z.object({ message: z.string(), errors: z.record(z.string(), z.array(z.string())) }),
    },
    handler: (context) => arrive(context, { config, uploads, found: intake.prepared.get(context.request) }),
  });
  readRoute(app, {
    endpoint: AUDITION_CALLS.tapeLinks,
    summary:
      'Links to the takes of a tape that work for an hour while the caller may watch it, for pages that cannot send a token with a video',
    access: requiredAccount(findReadableTape),
    params: byId,
    responses: { 200: tapeLinks },
    handler: async ({ db, caller, subject, now }) => {
      const expires = getLinkExpiry(now);
      const takes = [];
      for (const { id, file_key } of subject.takes) {
        const isVisible = file_key && (await findVisibleFile(db, file_key, caller, null));
        if (isVisible) takes.push({ id, url: await createLink(db, file_key, expires, caller.userId) });
      }
      return ok({ takes, expires_at: new Date(expires * 1000).toISOString() });
    },
  });
}
