import type { Prng } from '../prng.ts';
import type { StoredRow } from '../server/fake-store.ts';
import type { Simulation } from '../simulation.ts';
import { TEXTS, textsFor } from './texts.ts';

function pickRow(simulation: Simulation, prng: Prng, exceptTypes: readonly string[]): StoredRow | null {
  const rows = [...simulation.server.store.rows.values()].filter(
    (row) => row.userId === simulation.people.main && !exceptTypes.includes(row.type),
  );
  if (rows.length === 0) return null;
  const newest = rows.findLast((one) => one.type !== 'profile');
  return newest && prng.chance(0.5) ? newest : prng.pick(rows);
}

/** Changes a text directly on the server, as the same person at another computer. */
export function webEdit(simulation: Simulation, prng: Prng): void {
  const row = pickRow(simulation, prng, ['saved_profile', 'saved_media', 'connection', 'notification']);
  if (!row) return;
  editElsewhere(simulation, row, prng);
}

/** Changes a text of this record directly on the server. */
export function editElsewhere(simulation: Simulation, row: StoredRow, prng: Prng): void {
  const texts = [...(TEXTS[row.type] ?? []), ...(row.type === 'profile' ? ['description'] : [])];
  if (texts.length === 0) return;
  const intent = simulation.intentLog.recordIntent({
    device: simulation.web,
    userId: row.userId,
    kind: 'update',
    type: row.type,
    target: row.id,
    fields: {},
    seen: new Map(),
  });
  simulation.server.store.change(row, textsFor(intent, [prng.pick(texts)]), 'web');
  intent.state = 'accepted';
}

/** Deletes a record directly on the server, as the same person at another computer. */
export function webDelete(simulation: Simulation, prng: Prng): void {
  const row = pickRow(simulation, prng, ['profile', 'attribute']);
  if (row) simulation.server.store.remove(row, 'web');
}
