import { describe, expect, it } from 'vitest';
import { MUTANTS } from './mutants.ts';
import { loadRunner } from './world/bundle.ts';
import { playSeeds } from './world/search.ts';

/** The oracle is worth what it catches: each deliberate bug must show within these seeds. */
const SEEDS = 200;

describe('a deliberate bug of the engine', () => {
  it.each(MUTANTS)('is caught: $name', async ({ name, edits, isForeign }) => {
    const runner = await loadRunner(`mutant ${name}`, edits);
    const { failures, seeds } = await playSeeds(runner, 1, SEEDS, { isForeign, most: 1 });
    console.log(
      `${name}: seed ${seeds}, ${failures[0]?.failure?.message.split('\n')[0]?.slice(0, 160) ?? 'NOT CAUGHT'}`,
    );
    expect(failures).toHaveLength(1);
  });
});
