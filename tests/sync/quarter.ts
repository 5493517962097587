import { beforeAll, expect, it } from 'vitest';
import { loadRunner, type Runner } from './world/bundle.ts';
import { FAULTS } from './world/network.ts';
import { playSeeds, report, shrink, tally, type Found } from './world/search.ts';

const SEEDS = 500;

/** What a row can go through on our server; each must have happened, or the seeds prove less than they seem to. */
const MOVES = [
  'none → queued',
  'queued → sending',
  'queued → none',
  'sending → queued',
  'sending → none',
  ...['invalid', 'conflict', 'forbidden', 'toobig', 'gone', 'unknown-op'].flatMap((reason) => [
    `sending → attention(${reason})`,
    `attention(${reason}) → none`,
  ]),
];

/** A quarter of the 2,000 simulated lives that every change must pass; four files, so that two processors share them. */
export function simulateQuarter(quarter: number): void {
  let runner: Runner;
  let found: Found;

  beforeAll(async () => {
    runner = await loadRunner(`quarter ${quarter}`);
  });

  it(`keeps every promise in seeds ${(quarter - 1) * SEEDS + 1} to ${quarter * SEEDS}`, async () => {
    found = await playSeeds(runner, (quarter - 1) * SEEDS + 1, SEEDS, { most: 3 });
    const told: string[] = [];
    for (const failed of found.failures) told.push(report(await shrink(runner, failed)));
    expect(told.join('\n\n')).toBe('');
  });

  it('meets every fault and every move of a row', async () => {
    console.log(`${found.requests} requests, ${found.faults} faults in ${found.seeds} lives\n${tally(found.hits)}`);
    const met = new Set(found.hits.keys());
    const wanted = [...FAULTS.map((fault) => `fault ${fault}`), ...MOVES.map((move) => `move ${move}`)];
    const missing = () => wanted.filter((what) => !met.has(what));
    // The rarest may need a few lives more than a quarter holds; they keep every promise too.
    for (
      let from = quarter * 100_000 + SEEDS;
      missing().length > 0 && from < quarter * 100_000 + 2 * SEEDS;
      from += 50
    ) {
      const more = await playSeeds(runner, from, 50, { most: 1 });
      expect(more.failures.map(report).join('\n\n')).toBe('');
      for (const what of more.hits.keys()) met.add(what);
    }
    expect(missing()).toEqual([]);
  });
}
