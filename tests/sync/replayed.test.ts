import { beforeAll, describe, expect, it } from 'vitest';
import { loadRunner, type Runner } from './world/bundle.ts';
import { planOf } from './world/plan.ts';
import { playSeeds, report, shrink } from './world/search.ts';
import { quantity } from '../support/quantity.ts';

/** Seeds that once broke a promise. They stay for good; `mutants.ts` brings the bugs themselves back. */
const ONCE_BROKEN = [168, 344, 379, 879, 898, 1577, 1943];
/** The same with a server without keys. */
const ONCE_BROKEN_FOREIGN = [1818];

describe('a simulated life', () => {
  let runner: Runner;

  beforeAll(async () => {
    runner = await loadRunner('replayed');
  });

  it('is the same every time it is played', async () => {
    for (let seed = 1; seed <= quantity(3, 20); seed += 1) {
      const [first, second] = [await runner.play(planOf(seed)), await runner.play(planOf(seed))];
      expect(second.trace).toEqual(first.trace);
    }
  });

  it.each(ONCE_BROKEN)('that once failed keeps every promise: seed %i', async (seed) => {
    const outcome = await runner.play(planOf(seed));
    expect(outcome.failure && report(outcome)).toBeNull();
  });

  it.each(ONCE_BROKEN_FOREIGN)('that once failed without keys keeps every promise: seed %i', async (seed) => {
    const outcome = await runner.play(planOf(seed, { isForeign: true }));
    expect(outcome.failure && report(outcome)).toBeNull();
  });

  it('loses nothing on a server without keys, versions or uploads', async () => {
    const { failures } = await playSeeds(runner, 1, quantity(15, 100), { isForeign: true, most: 2 });
    const told: string[] = [];
    for (const failed of failures) told.push(report(await shrink(runner, failed)));
    expect(told.join('\n\n')).toBe('');
  });
});
