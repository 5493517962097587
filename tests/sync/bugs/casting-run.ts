import type { CastingPlan } from '../casting/plan.ts';
import { playCasting, type CastingOutcome } from '../casting/play.ts';
import { setBug } from './active.ts';
import { CASTING_BUGS } from './casting-catalog.ts';

/** Plays a casting plan with one bug in the engine. */
export async function playBrokenCasting(plan: CastingPlan, bug: string): Promise<CastingOutcome> {
  const found = CASTING_BUGS.find(({ name }) => name === bug);
  if (!found) throw new Error(`unknown bug: ${bug}`);
  setBug(found);
  try {
    return await playCasting(plan);
  } finally {
    setBug(null);
  }
}
