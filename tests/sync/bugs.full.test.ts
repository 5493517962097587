import { beforeAll, describe, expect, it } from 'vitest';
import { BUGS } from './bugs/catalog.ts';
import { hunt, loadBroken, type BrokenRunner } from './bugs/search.ts';

/** The invariants must catch each deliberate bug within these seeds. */
const SEEDS = 100;

describe('a deliberate bug in the engine', () => {
  let runner: BrokenRunner;

  beforeAll(async () => {
    runner = await loadBroken('bugs', BUGS);
  });

  it.each(BUGS)('is caught: $name', async (bug) => {
    const found = await hunt(runner, bug, SEEDS);
    console.log(
      `${bug.name}: seed ${found?.at ?? 'none'}, ${found?.failure.message.split('\n')[0]?.slice(0, 160) ?? ''}`,
    );
    expect(found, 'no seed shows it').not.toBeNull();
    expect(found?.at).toBeLessThanOrEqual(SEEDS);
  });
});
