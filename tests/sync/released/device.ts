import type { AccountDb } from '#db/database.ts';
import * as conflictTools from '#sync/conflict/tools.ts';
import { createEngine, type Engine } from '#sync/engine.ts';
import type { Transport } from '#sync/ports.ts';
import { openDigest } from '../../support/digest.ts';
import type { Prng } from '../simulation/prng.ts';

/** Creates the engine of one device with a clock that stands still. Nothing runs unless the caller asks for it. */
export function createDevice(
  db: AccountDb,
  { transport, now, prng }: { transport: Transport; now: number; prng: Prng },
): Engine {
  return createEngine(db, {
    clock: { now: () => now, after: () => () => undefined },
    chance: { random: prng.next, uuid: prng.uuid },
    transport,
    lock: {
      tryRun: async (work) => {
        await work(() => true);
        return true;
      },
    },
    openDigest,
    loadConflictTools: () => Promise.resolve(conflictTools),
  });
}
