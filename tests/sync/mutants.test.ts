import { describe, expect, it } from 'vitest';
import { MUTANTS } from './mutants.ts';
import { loadRunner } from './world/bundle.ts';
import { seedsOf } from './world/plan.ts';
import { playSeeds } from './world/search.ts';

/** The oracle is worth what it catches: each deliberate bug must show within these seeds. */
const SEEDS = 200;

describe('a deliberate bug of the engine', () => {
  it.each(MUTANTS)('is caught: $name', async ({ name, edits, theme, isForeign = false }) => {
    const runner = await loadRunner(`mutant ${name}`, edits);
    const { first, step } = theme === undefined ? { first: 1, step: 1 } : seedsOf(theme);
    const { failures, seeds } = await playSeeds(runner, first, SEEDS, { most: 1, step, isForeign });
    const [caught] = failures;
    console.log(`${name}: seed ${seeds}, ${caught?.failure?.message.split('\n')[0]?.slice(0, 160) ?? 'NOT CAUGHT'}`);
    expect(failures).toHaveLength(1);
  });
});
