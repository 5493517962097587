import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import { CASTING_ACTS, CASTING_FAULTS, type CastingPlan, UNKNOWN } from './casting/plan.ts';
import {
  type CastingFound,
  type CastingRunner,
  loadCasting,
  playCastings,
  reportCasting,
  shrinkCasting,
} from './casting/search.ts';
import { isFull, quantity } from '../support/quantity.ts';

const SEEDS = quantity(20, 300);

/** Plans that once broke an invariant, stored in full because new kinds of acts change what a seed draws. */
const ONCE_BROKEN = JSON.parse(
  readFileSync(join(import.meta.dirname, 'casting/replayed.json'), 'utf8'),
) as CastingPlan[];

describe('somebody who casts and the performers whom they ask', () => {
  let runner: CastingRunner;
  let found: CastingFound;
  beforeAll(async () => {
    runner = await loadCasting('casting');
  });

  it(`end with what each of them did, once and in order, in ${SEEDS} runs with faults and crashes`, async () => {
    found = await playCastings(runner, 1, SEEDS, { maxFailures: 3 });
    const reports: string[] = [];
    for (const failed of found.failures) reports.push(reportCasting(await shrinkCasting(runner, failed)));
    expect(reports.join('\n\n')).toBe('');
  });

  it.each(ONCE_BROKEN)('end so in a run that once failed: seed $seed', async (plan) => {
    const outcome = await runner.playCasting(plan);
    expect(outcome.failure && reportCasting(outcome)).toBeNull();
  });

  it('do everything that the screens offer, while the network does its worst', () => {
    expect(CASTING_ACTS.filter((act) => !found.hits.has(`act ${act}`))).toEqual([]);
    const faults = isFull ? CASTING_FAULTS : UNKNOWN;
    expect(faults.filter((fault) => !found.hits.has(`fault ${fault}`))).toEqual([]);
    expect(found.hits.get('withdrawn before it was sent') ?? 0).toBeGreaterThan(SEEDS / 20);
    expect(found.hits.get('removed while something waits') ?? 0).toBeGreaterThan(SEEDS / 20);
    expect(found.intents).toBeGreaterThan(SEEDS * 6);
  });
});
