import { describe, expect, it } from 'vitest';
import { MUTANTS } from './mutants.ts';
import { loadRunner } from './world/bundle.ts';
import { seedsOf } from './world/plan.ts';
import { playSeeds } from './world/search.ts';

/** The oracle is worth what it catches: each deliberate bug must show within these seeds. */
const SEEDS = 200;

describe('a deliberate bug of the engine', () => {
  it.each(MUTANTS)('is caught: $name', async ({ name, edits, theme, isForeign = false, shownAt }) => {
    const runner = await loadRunner(`mutant ${name}`, edits);
    const { first, step } = theme === undefined ? { first: 1, step: 1 } : seedsOf(theme);
    const search = { most: 1, step, isForeign };
    // The place where it showed before is looked at first: one life in the place of many that end well.
    const before = shownAt === undefined ? [] : [await playSeeds(runner, first + (shownAt - 1) * step, 1, search)];
    const known = before.find(({ failures }) => failures.length > 0);
    const { failures, seeds } = known ?? (await playSeeds(runner, first, SEEDS, search));
    const [caught] = failures;
    const said = caught?.failure?.message.split('\n')[0]?.slice(0, 160) ?? 'NOT CAUGHT';
    console.log(`${name}: ${known ? shownAt : seeds} of the seeds, ${said}`);
    expect(failures).toHaveLength(1);
    expect(shownAt ?? 1).toBeLessThanOrEqual(SEEDS);
  });
});
