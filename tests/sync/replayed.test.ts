import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import { loadRunner, type Runner } from './simulation/bundle.ts';
import { createPlan, type Plan } from './simulation/plan.ts';
import { playSeeds, report, shrink } from './simulation/search.ts';
import { quantity } from '../support/quantity.ts';

/** Plans that once broke an invariant. They are stored in full, because new kinds of acts change what a seed draws. */
const ONCE_BROKEN = JSON.parse(readFileSync(join(import.meta.dirname, 'replayed.json'), 'utf8')) as Plan[];

describe('a simulated run', () => {
  let runner: Runner;

  beforeAll(async () => {
    runner = await loadRunner('replayed');
  });

  it('is deterministic', async () => {
    for (let seed = 1; seed <= quantity(3, 20); seed += 1) {
      const [first, second] = [await runner.play(createPlan(seed)), await runner.play(createPlan(seed))];
      expect(second.trace).toEqual(first.trace);
    }
  });

  it.each(ONCE_BROKEN)('that once failed keeps every invariant: seed $seed, $theme', async (plan) => {
    const outcome = await runner.play(plan);
    expect(outcome.failure && report(outcome)).toBeNull();
  });

  it('loses nothing with the basic API', async () => {
    const { failures } = await playSeeds(runner, 1, quantity(15, 100), { isBasic: true, maxFailures: 2 });
    const reports: string[] = [];
    for (const failed of failures) reports.push(report(await shrink(runner, failed)));
    expect(reports.join('\n\n')).toBe('');
  });
});
