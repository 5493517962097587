import { beforeAll, describe, expect, it } from 'vitest';
import { quantity } from '../support/quantity.ts';
import { PULL_BUGS } from './bugs/pull-catalog.ts';
import { loadBroken } from './bugs/search.ts';
import type { playPulls, PullsPlan, STARTS } from './pulls/play.ts';

interface Runner {
  playPulls: typeof playPulls;
  STARTS: typeof STARTS;
}
type Order = (0 | 1)[];

/** Number of orders tried per start, spread evenly. The start 'forgotten' has 48,048. */
const MAX_ORDERS = quantity(20, 15_000);

/** Yields every interleaving of the turns of two tabs. */
function* ordersOf(first: number, second: number): Generator<Order> {
  if (first === 0 || second === 0) {
    yield [...Array.from({ length: first }, () => 0 as const), ...Array.from({ length: second }, () => 1 as const)];
    return;
  }
  for (const rest of ordersOf(first - 1, second)) yield [0, ...rest];
  for (const rest of ordersOf(first, second - 1)) yield [1, ...rest];
}

/** Covers each order of the turns of two tabs and each point at which records change on the server. */
describe('two concurrent pulls', () => {
  let runner: Runner;
  let cases = 0;

  beforeAll(async () => {
    runner = await loadBroken<Runner>('interleaved', PULL_BUGS, 'pulls/play.ts');
  });

  async function plansOf(start: PullsPlan['start']): Promise<PullsPlan[]> {
    // The first tab alone takes the most turns. The second, after it, may have less to do.
    const { turns } = await runner.playPulls({ start, order: [], changeAt: null });
    const orders = [...ordersOf(turns[0], turns[0])];
    const places = Array.from({ length: 2 * turns[0] }, (_, at) => at);
    const all = orders.flatMap((order) => places.map((changeAt) => ({ start, order, changeAt })));
    const step = Math.max(1, all.length / MAX_ORDERS);
    return Array.from({ length: Math.min(MAX_ORDERS, all.length) }, (_, n) => all[Math.floor(n * step)]!);
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
    expect(cases).toBeGreaterThanOrEqual(quantity(60, 20_000));
  });

  it.each(PULL_BUGS)('catch the bug: $name', async (bug) => {
    for (const start of runner.STARTS) {
      for (const plan of await plansOf(start)) if ((await runner.playPulls(plan, bug)).failure) return;
    }
    expect.fail('no order shows it');
  });
});
