import { beforeAll, describe, expect, it } from 'vitest';
import { CASTING_BUGS } from './bugs/casting-catalog.ts';
import type * as Broken from './bugs/casting-run.ts';
import { loadBroken } from './bugs/search.ts';
import { createCastingPlan } from './casting/plan.ts';

/** Each deliberate bug must show within these seeds. */
const SEEDS = 100;

describe('a deliberate bug in what is done with records of casting', () => {
  let runner: Pick<typeof Broken, 'playBrokenCasting'>;

  beforeAll(async () => {
    runner = await loadBroken('casting-bugs', CASTING_BUGS, 'bugs/casting-run.ts');
  });

  it.each(CASTING_BUGS)('is caught: $name', async ({ name }) => {
    for (let seed = 1; seed <= SEEDS; seed += 1) {
      const { failure } = await runner.playBrokenCasting(createCastingPlan(seed), name);
      if (!failure) continue;
      console.log(`${name}: seed ${seed}, ${failure.message.split('\n')[0]?.slice(0, 160) ?? ''}`);
      return;
    }
    expect.fail(`no seed of ${SEEDS} shows it`);
  });
});
