import { beforeAll, describe, expect, it } from 'vitest';
import { quantity } from '../support/quantity.ts';
import { PULL_BUGS } from './bugs/pull-catalog.ts';
import { loadBroken } from './bugs/search.ts';
import type { playPulls, PullsPlan, STARTS } from './pulls/play.ts';
import { createPrng, mixSeed, type Prng } from './simulation/prng.ts';

interface Runner {
  playPulls: typeof playPulls;
  STARTS: typeof STARTS;
}
type Order = (0 | 1)[];

/** Number of orders tried per start. There are hundreds of millions, so they are drawn. */
const ORDERS = quantity(20, 2500);

/** Draws one order of the turns of two tabs. */
function drawOrder(prng: Prng, first: number, second: number): Order {
  const order: Order = [];
  for (let left = [first, second] as [number, number]; left[0] + left[1] > 0;) {
    const who = prng.int(left[0] + left[1]) < left[0] ? 0 : 1;
    // Several turns in a row, so that one tab also gets far ahead of the other.
    for (let turns = 1 + prng.int(4); turns > 0 && left[who] > 0; turns -= 1) {
      order.push(who);
      left[who] -= 1;
    }
  }
  return order;
}

/**
 * Plays orders of the turns of two tabs, and points at which records change on the server. A tab pauses after each
 * transaction, before each request and before each response.
 */
describe('two concurrent pulls', () => {
  let runner: Runner;
  let cases = 0;

  beforeAll(async () => {
    runner = await loadBroken<Runner>('interleaved', PULL_BUGS, 'pulls/play.ts');
  });

  async function plansOf(start: PullsPlan['start']): Promise<PullsPlan[]> {
    // The first tab alone takes the most turns. The second, after it, may have less to do.
    const { turns } = await runner.playPulls({ start, order: [], changeAt: null });
    const prng = createPrng(mixSeed('orders', start));
    return Array.from({ length: ORDERS }, () => ({
      start,
      order: drawOrder(prng, turns[0], turns[0]),
      changeAt: prng.int(2 * turns[0]),
    }));
  }

  it.each(['empty', 'known', 'forgotten'] as const)('leave a complete mirror, start: %s', async (start) => {
    for (const plan of await plansOf(start)) {
      const { failure } = await runner.playPulls(plan);
      cases += 1;
      if (failure) expect.fail(`${JSON.stringify(plan)}\n${failure.message}`);
    }
  });

  it('cover enough orders', () => {
    console.log(`${cases} orders`);
    expect(cases).toBeGreaterThanOrEqual(quantity(60, 7500));
  });

  it.each(PULL_BUGS)('catch the bug: $name', async (bug) => {
    for (const start of runner.STARTS) {
      for (const plan of await plansOf(start)) if ((await runner.playPulls(plan, bug)).failure) return;
    }
    expect.fail('no order shows it');
  });
});
