import type { FastifyInstance } from 'fastify';
import * as z from 'zod/mini';
import { AVAILABILITY_CALLS } from '#contract/availability-calls.ts';
import { addDays } from '#contract/casting/availability.ts';
import {
  AVAILABILITY_LIMITS,
  availabilityList,
  availabilityQuery,
  availabilitySet,
  seenAvailability,
  setAvailabilityBody,
} from '#contract/records/availability.ts';
import { getVisibleProfile, type VisibleProfile } from '#server/platform/access/profiles.ts';
import type { Caller } from '#server/platform/http/caller.ts';
import { invalid, notFound } from '#server/platform/http/errors.ts';
import { ok } from '#server/platform/http/response.ts';
import { readRoute, requiredAccount, writeRoute, type GuardInput } from '#server/platform/http/route.ts';
import { canSeeDays, listSeenDays } from './seen.ts';
import { type DatedEdit, findDays, listDaysOf, presentDay, setDays } from './store.ts';

const { daysKept, yearsAhead, daysRead } = AVAILABILITY_LIMITS;

/** The first and the last day about which anything can be said. Wherever a person is, it is at most a day earlier or later there. */
function getWindow(now: Date): { first: string; last: string } {
  const today = now.toISOString().slice(0, 10);
  return { first: addDays(today, -daysKept), last: addDays(today, yearsAhead * 366 + 1) };
}

/** @throws 422 for a day that lies too far back or ahead */
function requireInWindow(edits: readonly DatedEdit[], now: Date): void {
  const { first, last } = getWindow(now);
  const outside = edits.flatMap(({ date }, n) => (date < first || date > last ? [n] : []));
  const message = `Choose a day from the past year or the next ${yearsAhead} years`;
  if (outside.length > 0) throw invalid(Object.fromEntries(outside.map((n) => [`days.${n}.date`, [message]])));
}

/** A profile whose owner lets the caller see their days. @throws 404 */
async function requireSeen({ db, caller, params }: GuardInput<Caller, { id: string }>): Promise<VisibleProfile> {
  const profile = await getVisibleProfile(db, params.id, caller);
  if (!(await canSeeDays(db, caller.userId, profile))) throw notFound('availability');
  return profile;
}

/** The days on which people are free. */
export function availabilityRoutes(app: FastifyInstance): void {
  app.mirror.set('availability', async (db, ids, userId) => (await findDays(db, userId, ids)).map(presentDay));

  readRoute(app, {
    endpoint: AVAILABILITY_CALLS.read,
    summary: 'What the caller has said about their days',
    access: requiredAccount(),
    query: availabilityQuery,
    responses: { 200: availabilityList },
    handler: async ({ caller, db, now, query }) => {
      const { first, last } = getWindow(now);
      const days = await listDaysOf(db, caller.userId, query.from ?? first, query.to ?? last);
      return ok({ data: days.map(presentDay) });
    },
  });

  writeRoute(app, {
    endpoint: AVAILABILITY_CALLS.set,
    summary: 'Says on which days the caller is free; a day that another device changed meanwhile is merged',
    access: requiredAccount(),
    body: setAvailabilityBody,
    responses: { 200: availabilitySet },
    handler: async ({ body, caller, db, now, changes }) => {
      requireInWindow(body.days, now);
      const { days, conflicts } = await setDays(db, changes, caller.userId, body.days, now);
      return ok({ message: 'Availability saved', data: days.map(presentDay), conflicts: conflicts.map(presentDay) });
    },
  });

  readRoute(app, {
    endpoint: AVAILABILITY_CALLS.readOf,
    summary: 'The days on which a person is free, for those whom they allow to see it',
    access: requiredAccount(requireSeen),
    params: z.object({ id: z.string() }),
    query: availabilityQuery,
    responses: { 200: seenAvailability },
    handler: async ({ subject, db, now, query }) => {
      // It is about who is free from now on. Nobody is to study somebody's past.
      const today = addDays(now.toISOString().slice(0, 10), -1);
      const from = query.from !== undefined && query.from > today ? query.from : today;
      const latest = addDays(from, daysRead - 1);
      const to = query.to !== undefined && query.to < latest ? query.to : latest;
      const data = await listSeenDays(db, subject.userId, from, to, now);
      return ok({ data }, { 'cache-control': 'private, no-store' });
    },
  });
}
