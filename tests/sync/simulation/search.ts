import type { Runner } from './bundle.ts';
import { shrinkPlan, getLastLines } from './run-scenario.ts';
import { describePlan, createPlan } from './plan.ts';
import type { Outcome } from './play.ts';

export interface Found {
  seeds: number;
  failures: Outcome[];
  /** How often each fault, move of a row, and pair of both was met. */
  hits: Map<string, number>;
  requests: number;
  faults: number;
}

/**
 * Plays seeds in a row; stops after `most` failures.
 * @param options.onFailure hears of each at once: a long run may be cut off before its end
 */
export async function playSeeds(
  runner: Runner,
  from: number,
  count: number,
  options: {
    isBasic?: boolean;
    maxFailures?: number;
    step?: number;
    onFailure?: (seed: number, failed: Outcome) => void;
  } = {},
): Promise<Found> {
  const found: Found = { seeds: 0, failures: [], hits: new Map(), requests: 0, faults: 0 };
  const { maxFailures = Infinity, step = 1 } = options;
  for (let seed = from; found.seeds < count && found.failures.length < maxFailures; seed += step) {
    const outcome = await runner.play(createPlan(seed, options));
    found.seeds += 1;
    found.requests += outcome.requests;
    found.faults += outcome.faults;
    for (const [what, times] of outcome.hits) found.hits.set(what, (found.hits.get(what) ?? 0) + times);
    if (!outcome.failure) continue;
    found.failures.push(outcome);
    options.onFailure?.(seed, outcome);
  }
  return found;
}

/** The smallest schedule that still breaks the same promise. */
export const shrink = (runner: Runner, failed: Outcome): Promise<Outcome> =>
  shrinkPlan((plan) => runner.play(plan), failed);

/** A failing run as a person reads it: schedule, what happened last, and what broke. */
export function report(outcome: Outcome): string {
  return [
    describePlan(outcome.plan),
    'what happened:',
    ...getLastLines(outcome.trace),
    `BROKEN ${outcome.failure?.message ?? 'nothing'}`,
  ].join('\n');
}

/** Counts of everything met, for the log. */
export function tally(hits: ReadonlyMap<string, number>): string {
  return [...hits]
    .sort(([a], [b]) => a.localeCompare(b))
    .map(([what, times]) => `${String(times).padStart(7)}  ${what}`)
    .join('\n');
}
