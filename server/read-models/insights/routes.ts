import { setTimeout as wait } from 'node:timers/promises';
import type { FastifyInstance } from 'fastify';
import { INSIGHTS } from '#contract/insights-calls.ts';
import { insights, type Insights } from '#contract/records/insights.ts';
import { ok } from '#server/platform/http/response.ts';
import { publicAccess, readRoute } from '#server/platform/http/route.ts';
import { describeFailure } from '#server/platform/jobs/failure.ts';
import { areInsightsFresh, claimRefresh, readStoredInsights, refreshInsights } from './store.ts';

/** A request waits at most this long for new figures, then returns the stored ones. */
const MAX_WAIT_MS = 2000;

/** Anonymous statistics over all profiles. */
export function insightRoutes(app: FastifyInstance): void {
  const { db, clock } = app.deps;
  let making: Promise<Insights> | null = null;
  const make = (): Promise<Insights> => (making ??= refreshInsights(db, clock.now()).finally(() => (making = null)));

  const current = async (log: FastifyInstance['log']): Promise<Insights> => {
    const kept = await readStoredInsights(db);
    if (kept === null) return make();
    const isFresh = areInsightsFresh(kept.madeAt, clock.now());
    // Only one node computes them; after a failure, none retries for a while.
    if (isFresh || !(await claimRefresh(db, clock.now()))) return kept.figures;
    const made = make().catch((error: unknown) => {
      log.error(describeFailure(error), 'the insights stay as they were');
      return kept.figures;
    });
    return Promise.race([made, wait(MAX_WAIT_MS, kept.figures, { ref: false })]);
  };

  readRoute(app, {
    endpoint: INSIGHTS,
    summary: 'Day rates, skills and languages in demand, and cities; no group under five people',
    access: publicAccess(),
    responses: { 200: insights },
    handler: async ({ request }) => ok(await current(request.log)),
  });
}
