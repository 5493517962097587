import { loadRunner, type Edit } from '../simulation/bundle.ts';
import { getLastLines, shrinkPlan } from '../simulation/run-scenario.ts';
import { createCastingPlan, describeCasting } from './plan.ts';
import type { CastingOutcome, playCasting } from './play.ts';

export interface CastingRunner {
  playCasting: typeof playCasting;
}

/** Bundles the casting simulation and the engine into one module, with the given edits of the engine. */
export const loadCasting = (name: string, edits: readonly Edit[] = []): Promise<CastingRunner> =>
  loadRunner<CastingRunner>(name, edits, 'casting/play.ts');

export interface CastingFound {
  seeds: number;
  requests: number;
  faults: number;
  intents: number;
  hits: Map<string, number>;
  failures: CastingOutcome[];
}

/** Plays consecutive seeds and stops after `maxFailures` failures. */
export async function playCastings(
  runner: CastingRunner,
  from: number,
  count: number,
  { maxFailures = Infinity } = {},
): Promise<CastingFound> {
  const found: CastingFound = { seeds: 0, requests: 0, faults: 0, intents: 0, hits: new Map(), failures: [] };
  for (let seed = from; found.seeds < count && found.failures.length < maxFailures; seed += 1) {
    const outcome = await runner.playCasting(createCastingPlan(seed));
    found.seeds += 1;
    found.requests += outcome.requests;
    found.faults += outcome.faults;
    found.intents += outcome.intents;
    for (const [what, times] of outcome.hits) found.hits.set(what, (found.hits.get(what) ?? 0) + times);
    if (outcome.failure) found.failures.push(outcome);
  }
  return found;
}

/** Shrinks a failing plan to the smallest one that breaks the same invariant. */
export const shrinkCasting = (runner: CastingRunner, failed: CastingOutcome): Promise<CastingOutcome> =>
  shrinkPlan((plan) => runner.playCasting(plan), failed);

export function reportCasting(outcome: CastingOutcome): string {
  const broken = outcome.failure ? `${outcome.failure.rule}: ${outcome.failure.message}` : 'nothing';
  return [describeCasting(outcome.plan), 'what happened:', ...getLastLines(outcome.trace), `BROKEN ${broken}`].join(
    '\n',
  );
}
