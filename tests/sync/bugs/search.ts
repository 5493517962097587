import { getThemeSeeds, createPlan } from '../simulation/plan.ts';
import { loadRunner, type Hooks } from '../simulation/bundle.ts';
import type { Failure } from '../simulation/run-scenario.ts';
import type { Bug } from './active.ts';
import type * as Broken from './run.ts';

export type BrokenRunner = Pick<typeof Broken, 'playBroken'>;

/**
 * Builds one bundle of simulation and engine in which each of the bugs can be activated.
 * @param entry the module that plays plans
 */
export function loadBroken<R = BrokenRunner>(name: string, bugs: readonly Bug[], entry = 'bugs/run.ts'): Promise<R> {
  const hooks = new Map<string, string[]>();
  for (const { file, name: what } of bugs.flatMap(({ swaps = [] }) => swaps)) {
    const names = hooks.get(file) ?? [];
    if (!names.includes(what)) hooks.set(file, [...names, what]);
  }
  return loadRunner<R>(name, [], entry, hooks satisfies Hooks);
}

/** Finds the first seed that shows the bug, counted from 1. Tries `shownAt` first. Null if none shows it. */
export async function hunt(
  runner: BrokenRunner,
  { name, theme, shownAt, isBasic = false }: Bug,
  seeds: number,
): Promise<{ at: number; failure: NonNullable<Failure> } | null> {
  const { first, step, isSealed = false } = theme === undefined ? { first: 1, step: 1 } : getThemeSeeds(theme);
  const order = Array.from({ length: seeds }, (_, n) => n + 1);
  if (shownAt !== undefined) order.unshift(shownAt);
  for (const at of order) {
    const { failure } = await runner.playBroken(createPlan(first + (at - 1) * step, { isBasic, isSealed }), name);
    if (failure) return { at, failure };
  }
  return null;
}
