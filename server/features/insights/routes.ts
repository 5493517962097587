import type { FastifyInstance } from 'fastify';
import { INSIGHTS } from '#contract/insights-calls.ts';
import { insights, type Insights } from '#contract/records/insights.ts';
import { ok } from '#server/http/answer.ts';
import { everyone, readRoute } from '#server/http/route.ts';
import { readInsights } from './store.ts';

/** How old figures may be. Every node has its own. */
const KEPT_MS = 10 * 60_000;

/** What the whole board says of the trade. */
export function insightRoutes(app: FastifyInstance): void {
  const { db, clock } = app.deps;
  let kept: { at: number; figures: Promise<Insights> } | null = null;
  const current = (): Promise<Insights> => {
    const now = clock.now();
    if (kept !== null && now.getTime() - kept.at < KEPT_MS) return kept.figures;
    const mine = { at: now.getTime(), figures: readInsights(db, now) };
    kept = mine;
    // Whoever asks next asks anew; those who wait for this are told that it failed.
    mine.figures.catch(() => {
      if (kept === mine) kept = null;
    });
    return mine.figures;
  };

  readRoute(app, {
    endpoint: INSIGHTS,
    summary: 'Day rates, skills and languages in demand, and cities; no group under five people',
    access: everyone(),
    answers: { 200: insights },
    handler: async () => ok(await current()),
  });
}
