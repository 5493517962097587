import { Violation } from './invariants/violation.ts';
import type { Scheduler } from './scheduler.ts';

/** The first broken invariant, or null. */
export type Failure = { rule: string; message: string } | null;

interface ScenarioHost {
  scheduler: Scheduler;
  devices: readonly { alive(): readonly { crash(): void }[]; runs: readonly { db: { close(): void } }[] }[];
  /** Called with the reason of an unhandled rejection. */
  reportError(error: unknown, what: string): void;
}

const TURNS_TO_DRAIN = 20;

/** Runs a scenario in an isolated simulation, ends every process in it and returns what broke. */
export async function runScenario(simulation: ScenarioHost, tell: () => Promise<void>): Promise<Failure> {
  const restore = simulation.scheduler.install();
  const stray = (reason: unknown) => simulation.reportError(reason, 'an unhandled rejection');
  process.on('unhandledRejection', stray);
  try {
    await tell();
    return null;
  } catch (error) {
    if (error instanceof Violation) return { rule: error.rule, message: error.message };
    const message = error instanceof Error ? (error.stack ?? error.message) : String(error);
    return { rule: 'engine threw', message };
  } finally {
    for (const device of simulation.devices) for (const run of device.alive()) run.crash();
    // Dexie keeps a list of all open stores.
    for (const device of simulation.devices) for (const run of device.runs) run.db.close();
    restore();
    // A closed store finishes its work within some event loop turns. The next run must not start before.
    for (let turn = 0; turn < TURNS_TO_DRAIN; turn += 1) await new Promise((resolve) => setImmediate(resolve));
    process.off('unhandledRejection', stray);
  }
}

interface Schedule {
  acts: unknown[];
  faults: unknown[];
}

/** Removes acts and faults, larger parts first, while the same invariant stays broken. */
export async function shrinkPlan<O extends { plan: Schedule; failure: Failure }>(
  play: (plan: O['plan']) => Promise<O>,
  failed: O,
  tries = 200,
): Promise<O> {
  let best = failed;
  let left = tries;
  const keeps = async (plan: O['plan']) => {
    left -= 1;
    const outcome = await play(plan);
    if (outcome.failure?.rule !== failed.failure?.rule) return false;
    best = outcome;
    return true;
  };
  for (const part of ['faults', 'acts'] as const) {
    for (let size = Math.max(1, best.plan[part].length >> 1); size >= 1 && left > 0; size >>= 1) {
      for (let at = 0; at < best.plan[part].length && left > 0;) {
        const rest = [...best.plan[part].slice(0, at), ...best.plan[part].slice(at + size)];
        if (!(await keeps({ ...best.plan, [part]: rest }))) at += size;
      }
    }
  }
  return best;
}

/** Returns the last lines of a trace, each cut to the width of a screen. */
export const getLastLines = (trace: readonly string[], lines = 60): string[] =>
  trace.slice(-lines).map((line) => (line.length > 220 ? `${line.slice(0, 220)}…` : line));
