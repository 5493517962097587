import { expect, it } from 'vitest';
import { loadRunner } from './simulation/bundle.ts';
import { FAULTS } from './simulation/network.ts';
import { playSeeds, report, tally } from './simulation/search.ts';

const SEEDS = 500;

/** State transitions of a row with the full API. Each must occur, or the seeds prove less than they seem to. */
const MOVES = [
  'none → queued',
  'queued → sending',
  'queued → none',
  'sending → queued',
  'sending → none',
  'attention(unconfirmed) → sending',
  ...['invalid', 'conflict', 'forbidden', 'unconfirmed', 'toobig', 'gone', 'unknown-op'].flatMap((reason) => [
    `sending → attention(${reason})`,
    `attention(${reason}) → none`,
  ]),
];

it('covers every fault and every state transition of a row', async () => {
  const runner = await loadRunner('coverage');
  const wanted = [...FAULTS.map((fault) => `fault ${fault}`), ...MOVES.map((move) => `move ${move}`)];
  const met = new Set<string>();
  const missing = () => wanted.filter((what) => !met.has(what));
  // The rarest may need more seeds, which must keep the invariants, too.
  for (let from = 1; missing().length > 0 && from < 3 * SEEDS; from += SEEDS) {
    const found = await playSeeds(runner, from, SEEDS, { maxFailures: 1 });
    expect(found.failures.map(report).join('\n\n')).toBe('');
    for (const what of found.hits.keys()) met.add(what);
    console.log(`${found.requests} requests, ${found.faults} faults in ${found.seeds} runs\n${tally(found.hits)}`);
  }
  expect(missing()).toEqual([]);
});
