import type { Plan } from '../simulation/plan.ts';
import { play, type Outcome } from '../simulation/play.ts';
import { setBug } from './active.ts';
import { BUGS } from './catalog.ts';

/** Plays a plan with one bug in the engine. */
export async function playBroken(plan: Plan, bug: string): Promise<Outcome> {
  const found = BUGS.find(({ name }) => name === bug);
  if (!found) throw new Error(`unknown bug: ${bug}`);
  setBug(found);
  try {
    return await play(plan);
  } finally {
    setBug(null);
  }
}
