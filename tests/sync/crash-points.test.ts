import { beforeAll, describe, expect, it } from 'vitest';
import { loadRunner, type Runner } from './simulation/bundle.ts';
import type { Fault } from './simulation/network.ts';
import type { Plan, ScriptAct } from './simulation/plan.ts';
import { report } from './simulation/search.ts';
import { quantity } from '../support/quantity.ts';

/**
 * One of this many crash points is tried. Each script and fault starts at another, so together they cover all kinds.
 */
const STRIDE = quantity(13, 1);

const SCRIPTS: Record<string, ScriptAct[]> = {
  'a create': ['create'],
  'a create and an edit': ['create', 'edit'],
  'a create, an edit and a delete': ['create', 'edit', 'delete'],
  'a photo in pieces': ['photo'],
};
const FAULTS: (Fault | null)[] = [null, 'lost', 'answer lost', 'twice', '422', '500', '401'];

const planOf = (acts: ScriptAct[], fault: Fault | null, crashAfter: number | null): Plan => ({
  seed: 1,
  theme: 'a script',
  isForeign: false,
  devices: 1,
  locks: 'held',
  acts: [],
  // The last request of a photo attaches it. Every other change is sent by the first request.
  faults: fault === null ? [] : acts.includes('photo') ? [0, 1, 2, 3, 4, 5, 6].map((at) => [at, fault]) : [[0, fault]],
  script: { acts, crashAfter },
});

/** Crashes the device before and after each change of disk, wire or server, and inside every transaction. */
describe('a crash at every point', () => {
  let runner: Runner;
  let cases = 0;

  beforeAll(async () => {
    runner = await loadRunner('exhaustive');
  });

  const table = Object.entries(SCRIPTS)
    .flatMap(([name, acts]) => FAULTS.map((fault) => ({ name, acts, fault })))
    .map((row, first) => ({ ...row, first: first % STRIDE }));

  it.each(table)('loses nothing of $name, fault: $fault', async ({ acts, fault, first }) => {
    const whole = await runner.play(planOf(acts, fault, null));
    expect(whole.failure && report(whole)).toBeNull();
    expect(whole.crashPoints.length).toBeGreaterThan(15);
    for (const at of whole.crashPoints.filter((_, n) => n % STRIDE === first)) {
      const outcome = await runner.play(planOf(acts, fault, at));
      cases += 1;
      if (outcome.failure) expect.fail(`a crash after step ${at}\n${report(outcome)}`);
    }
  });

  it('covers enough crash points', () => {
    console.log(`${cases} crashes`);
    expect(cases).toBeGreaterThanOrEqual(quantity(100, 1400));
  });
});
