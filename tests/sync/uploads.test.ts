import { beforeAll, describe, expect, it } from 'vitest';
import { loadRunner, type Runner } from './simulation/bundle.ts';
import type { Fault } from './simulation/network.ts';
import type { Plan, Script, ScriptAct } from './simulation/plan.ts';
import { report } from './simulation/search.ts';
import { quantity } from '../support/quantity.ts';

/** Ordinals of the requests that carry an upload's pieces. The one before creates it, the one after attaches it. */
const PIECES = [1, 2, 3, 4, 5, 6];
/** Distance in bytes between two offsets at which a piece is cut. A piece has 1,024 to 4,096 bytes. */
const STRIDE = quantity(2039, 127);
/** One of this many points of a run is tried. */
const SPREAD = quantity(7, 1);

const planOf = (
  acts: ScriptAct[],
  over: Omit<Script, 'acts' | 'crashAfter'>,
  faults: [number, Fault][] = [],
): Plan => ({
  seed: 1,
  theme: 'a script',
  isForeign: false,
  devices: 1,
  locks: 'held',
  acts: [],
  faults,
  script: { acts, crashAfter: null, ...over },
});

/** Tests each point at which the upload of a file can fail. */
describe('an upload', () => {
  let runner: Runner;

  beforeAll(async () => {
    runner = await loadRunner('uploads');
  });

  /** Plays a plan and fails if it breaks an invariant. */
  async function keeps(plan: Plan, where: string): Promise<Awaited<ReturnType<Runner['play']>>> {
    const outcome = await runner.play(plan);
    if (outcome.failure) expect.fail(`${where}\n${report(outcome)}`);
    return outcome;
  }

  it('resumes at any offset of any piece', async () => {
    let cuts = 0;
    for (const piece of PIECES) {
      for (let cutAt = 0; cutAt <= 4096; cutAt += cutAt === 0 ? 1 : STRIDE) {
        const { hits } = await keeps(
          planOf(['video'], { cutAt }, [[piece, 'cut']]),
          `piece ${piece} after ${cutAt} bytes`,
        );
        cuts += hits.get('fault cut') ?? 0;
      }
    }
    expect(cuts).toBeGreaterThan(quantity(8, 100));
  });

  it.each(['offset forgotten', 'twice', 'upload forgotten', 'answer lost', 'late after a retry'] as const)(
    'arrives once whichever request meets: %s',
    async (fault) => {
      const all = [['photo'], ['audio'], ['document']] satisfies ScriptAct[][];
      for (let at = 0; at < 9; at += quantity(2, 1)) {
        // By default the kinds take turns at the requests, because the wire treats all files alike.
        for (const acts of all.filter((_, n) => quantity(at % all.length, n) === n))
          await keeps(planOf(acts, {}, [[at, fault]]), `${acts.join()} ${fault} at ${at}`);
      }
    },
  );

  it('reports truthfully whether it is stored, at whichever write the disk fills up', async () => {
    let refusals = 0;
    for (let fullAfter = 0; fullAfter < 60; fullAfter += quantity(5, 1)) {
      const { hits } = await keeps(planOf(['video'], { fullAfter }), `full after ${fullAfter} writes`);
      refusals += hits.get('save refused by storage') ?? 0;
    }
    expect(refusals).toBeGreaterThan(quantity(1, 8));
  });

  it('waits for its user after a sign-out in the middle', async () => {
    const whole = await keeps(planOf(['audio'], {}), 'undisturbed');
    expect(whole.crashPoints.length).toBeGreaterThan(20);
    for (const signOutAfter of whole.crashPoints.filter((_, n) => n % SPREAD === 0))
      await keeps(planOf(['audio'], { signOutAfter }), `signed out after ${signOutAfter}`);
  });
});
