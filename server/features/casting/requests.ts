import type { FastifyInstance } from 'fastify';
import { CASTING_CALLS } from '#contract/casting-calls.ts';
import { isAnsweredFinally } from '#contract/casting/state.ts';
import { askBody, changeRequestBody, requestRecord } from '#contract/records/casting.ts';
import { readsRequest } from '#server/platform/access/projects.ts';
import { requireVersion } from '#server/platform/access/profiles.ts';
import { conflictWith } from '#server/platform/http/errors.ts';
import { created, ok } from '#server/platform/http/response.ts';
import { requiredAccount, writeRoute } from '#server/platform/http/route.ts';
import { withRecord } from '#server/platform/http/schemas.ts';
import type { Uploads } from '../uploads/open.ts';
import { ask, getChange } from './ask.ts';
import { byId, lockOwnRequest } from './guards.ts';
import { presentRequest, presentRequests } from './present.ts';
import { changeRequest, getPart, listRequests, tellPerformer } from './rows.ts';
import { sidesIntake } from './sides.ts';

/** Asking performers to tape, and changing what was asked. */
export function requestRoutes(app: FastifyInstance, uploads: Uploads): void {
  const { config, sharedLimiter: limiter } = app.deps;
  const intake = sidesIntake(app.deps, uploads);

  app.mirror.set('request', async (db, ids, userId) =>
    presentRequests(db, await listRequests(db, readsRequest(userId), ids.map(Number))),
  );

  writeRoute(app, {
    endpoint: CASTING_CALLS.ask,
    summary: 'Asks one performer to tape for a role; repeating a client_id asks once',
    access: requiredAccount(),
    body: askBody,
    intake: { read: intake.read },
    responses: { 200: withRecord(requestRecord), 201: withRecord(requestRecord) },
    handler: async ({ request: sent, body, caller, db, now, changes }) => {
      const brought = { config, uploads, found: intake.prepared.get(sent) };
      const { request, isNew } = await ask(db, changes, { body, caller, now, limiter, brought });
      const answer = { message: 'Request sent', data: await presentRequest(db, request) };
      return isNew ? created(answer) : ok(answer);
    },
  });

  writeRoute(app, {
    endpoint: CASTING_CALLS.changeRequest,
    summary: 'Changes the instructions or pages of a request, or moves its deadline to a later time',
    access: requiredAccount(lockOwnRequest),
    params: byId,
    body: changeRequestBody,
    responses: { 200: withRecord(requestRecord) },
    handler: async ({ body, subject, db, now, changes, expected }) => {
      const current = await presentRequest(db, subject);
      requireVersion(expected, subject.version, () => current);
      if (subject.withdrawnAt !== null) throw conflictWith('This request was withdrawn', current);
      if (isAnsweredFinally(subject.answers)) throw conflictWith('This request has its answer', current);
      const change = await getChange(db, subject, body, now);
      if (change === null) return ok({ message: 'Request changed', data: current });
      const request = await changeRequest(db, changes, subject, change, now);
      const part = await getPart(db, request.roleId);
      await tellPerformer(db, changes, 'audition.changed', { request, part, now });
      return ok({ message: 'Request changed', data: await presentRequest(db, request) });
    },
  });
}
