import type { Prng } from '../prng.ts';
import type { StoredRow } from '../server/fake-store.ts';
import type { World } from '../simulation.ts';
import { TEXTS, textsFor } from './texts.ts';

function pickRow(world: World, prng: Prng, exceptTypes: readonly string[]): StoredRow | null {
  const rows = [...world.server.store.rows.values()].filter(
    (row) => row.userId === world.people.main && !exceptTypes.includes(row.type),
  );
  if (rows.length === 0) return null;
  const newest = rows.findLast((one) => one.type !== 'profile');
  return newest && prng.chance(0.5) ? newest : prng.pick(rows);
}

/** The same person at another computer, straight on the server, changes a text. */
export function webEdit(world: World, prng: Prng): void {
  const row = pickRow(world, prng, ['saved_profile', 'saved_media', 'connection', 'notification']);
  if (!row) return;
  const texts = [...(TEXTS[row.type] ?? []), ...(row.type === 'profile' ? ['description'] : [])];
  if (texts.length === 0) return;
  const wish = world.memory.wish({
    device: world.web,
    userId: row.userId,
    kind: 'update',
    type: row.type,
    target: row.id,
    fields: {},
    seen: new Map(),
  });
  world.server.store.change(row, textsFor(wish, [prng.pick(texts)]), 'web');
  wish.state = 'accepted';
}

/** The same person at another computer, straight on the server, deletes a record. */
export function webDelete(world: World, prng: Prng): void {
  const row = pickRow(world, prng, ['profile', 'attribute']);
  if (row) world.server.store.remove(row, 'web');
}
