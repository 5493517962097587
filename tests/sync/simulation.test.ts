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
