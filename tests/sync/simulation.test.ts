import { beforeAll, expect, it } from 'vitest';
import { loadRunner, type Runner } from './simulation/bundle.ts';
import { playSeeds, report, shrink } from './simulation/search.ts';

/** Seeds take turns at the themes. `npm run test:full` plays thousands of each theme with `npm run simulate`. */
const SEEDS = 100;

let runner: Runner;
beforeAll(async () => {
  runner = await loadRunner('simulation');
});

it(`keeps every invariant in seeds 1 to ${SEEDS}`, async () => {
  const { failures } = await playSeeds(runner, 1, SEEDS, { maxFailures: 3 });
  const reports: string[] = [];
  for (const failed of failures) reports.push(report(await shrink(runner, failed)));
  expect(reports.join('\n\n')).toBe('');
});

/** Schedules in which a second device opens the sealed file of the first one. The full suite plays 20,000. */
const SEALED_SEEDS = 60;

it(`sends each change of a sealed file once in seeds 1 to ${SEALED_SEEDS}`, async () => {
  const { failures, hits } = await playSeeds(runner, 1, SEALED_SEEDS, { isSealed: true, maxFailures: 3 });
  const reports: string[] = [];
  for (const failed of failures) reports.push(report(await shrink(runner, failed)));
  expect(reports.join('\n\n')).toBe('');
  for (const what of ['is opened', 'holds known changes']) {
    expect(hits.get(`a sealed file ${what}`), `a sealed file ${what}`).toBeGreaterThan(0);
  }
});
