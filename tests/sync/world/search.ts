import type { Runner } from './bundle.ts';
import { describePlan, planOf, type Plan } from './plan.ts';
import type { Outcome } from './run.ts';

export interface Found {
  seeds: number;
  failures: Outcome[];
  /** How often each fault, move of a row, and pair of both was met. */
  hits: Map<string, number>;
  requests: number;
  faults: number;
}

/** Plays seeds in a row; stops after `most` failures. */
export async function playSeeds(
  runner: Runner,
  from: number,
  count: number,
  options: { isForeign?: boolean; most?: number; step?: number } = {},
): Promise<Found> {
  const found: Found = { seeds: 0, failures: [], hits: new Map(), requests: 0, faults: 0 };
  const { most = Infinity, step = 1 } = options;
  for (let seed = from; found.seeds < count && found.failures.length < most; seed += step) {
    const outcome = await runner.play(planOf(seed, options));
    found.seeds += 1;
    found.requests += outcome.requests;
    found.faults += outcome.faults;
    for (const [what, times] of outcome.hits) found.hits.set(what, (found.hits.get(what) ?? 0) + times);
    if (outcome.failure) found.failures.push(outcome);
  }
  return found;
}

/** Leaves out acts and faults, larger parts first, for as long as the same promise stays broken. */
export async function shrink(runner: Runner, failed: Outcome, tries = 200): Promise<Outcome> {
  let best = failed;
  let left = tries;
  const keeps = async (plan: Plan) => {
    left -= 1;
    const outcome = await runner.play(plan);
    if (outcome.failure?.rule !== failed.failure?.rule) return false;
    best = outcome;
    return true;
  };
  for (const part of ['faults', 'acts'] as const) {
    for (let size = Math.max(1, best.plan[part].length >> 1); size >= 1 && left > 0; size >>= 1) {
      for (let at = 0; at < best.plan[part].length && left > 0;) {
        const rest = [...best.plan[part].slice(0, at), ...best.plan[part].slice(at + size)];
        if (!(await keeps({ ...best.plan, [part]: rest }))) at += size;
      }
    }
  }
  return best;
}

/** A failing run as a person reads it: schedule, what happened last, and what broke. */
export function report(outcome: Outcome, lines = 60): string {
  const last = outcome.trace.slice(-lines).map((line) => (line.length > 220 ? `${line.slice(0, 220)}…` : line));
  return [
    describePlan(outcome.plan),
    'what happened:',
    ...last,
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
