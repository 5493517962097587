import type { Runner } from './bundle.ts';
import { shrinkPlan, getLastLines } from './run-scenario.ts';
import { describePlan, createPlan } from './plan.ts';
import type { Outcome } from './play.ts';

export interface Found {
  seeds: number;
  failures: Outcome[];
  /** Count of each fault and each state transition of a row. */
  hits: Map<string, number>;
  requests: number;
  faults: number;
}

/**
 * Plays consecutive seeds and stops after `maxFailures` failures.
 * @param options.onFailure called at each failure, since a long run may be interrupted before its end
 */
export async function playSeeds(
  runner: Runner,
  from: number,
  count: number,
  options: {
    isBasic?: boolean;
    isSealed?: boolean;
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

/** Shrinks a failing plan to the smallest one that breaks the same invariant. */
export const shrink = (runner: Runner, failed: Outcome): Promise<Outcome> =>
  shrinkPlan((plan) => runner.play(plan), failed);

/** Formats a failing run: its plan, the end of its trace and the broken invariant. */
export function report(outcome: Outcome): string {
  return [
    describePlan(outcome.plan),
    'what happened:',
    ...getLastLines(outcome.trace),
    `BROKEN ${outcome.failure?.message ?? 'nothing'}`,
  ].join('\n');
}

/** Formats the counts for the log. */
export function tally(hits: ReadonlyMap<string, number>): string {
  return [...hits]
    .sort(([a], [b]) => a.localeCompare(b))
    .map(([what, times]) => `${String(times).padStart(7)}  ${what}`)
    .join('\n');
}
