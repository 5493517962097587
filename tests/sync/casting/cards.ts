import { DEFAULT_COLUMNS } from '#contract/casting/shortlist.ts';
import { positionBetween } from '#contract/casting/position.ts';
import type { RoleView } from '#db/casting.ts';
import { listCards } from '#db/shortlist.ts';
import { fail } from '../simulation/invariants/violation.ts';
import type { Prng } from '../simulation/prng.ts';
import { getServerId } from './intents.ts';
import type { CastingRun, CastingSimulation } from './simulation.ts';

const pickColumn = (prng: Prng) => prng.pick(DEFAULT_COLUMNS).id;

/** Adds some performers to the shortlist of a role. */
export async function addCards(simulation: CastingSimulation, run: CastingRun, view: RoleView, prng: Prng) {
  const { intents, profiles } = simulation;
  const chosen = profiles.filter(() => prng.chance(0.6));
  const added = chosen.map(({ id }) => {
    const about = { kind: 'card', type: 'candidate', target: `${view.role.id} ${id}`, above: [view.role.id] } as const;
    return intents.begin({ device: run.device, ...about });
  });
  const performers = chosen.map(({ id }) => ({ profile_id: id, name: 'Somebody', title: null, profile_photo: null }));
  simulation.note(`${run.device.name}: shortlist ${chosen.map(({ id }) => id).join(', ')} for ${view.role.id}`);
  await run.engine.addCandidates({ roleId: view.role.id, column: pickColumn(prng), performers });
  for (const intent of added) intent.state = 'accepted';
}

/** Moves a card, or removes it. */
export async function changeCard(
  simulation: CastingSimulation,
  run: CastingRun,
  view: RoleView,
  { prng, isRemoved }: { prng: Prng; isRemoved: boolean },
): Promise<void> {
  const cards = await listCards(run.db, view.role.id);
  if (cards.length === 0) return;
  const { id, performer } = prng.pick(cards);
  simulation.note(`${run.device.name}: ${isRemoved ? 'remove' : 'move'} the card of ${performer.profile_id} (${id})`);
  if (!isRemoved) {
    const column = pickColumn(prng);
    const others = cards.filter((card) => card.column === column && card.id !== id);
    const position = positionBetween(others.at(-1)?.position ?? null, null);
    return void (await run.engine.moveCandidates([{ id, column, position }]));
  }
  simulation.removedCards.add(`${performer.profile_id}`);
  await run.engine.remove('candidate', id);
}

/** A performer has at most one card for a role, and whoever was added has one unless somebody removed it. */
export function checkCards({ server, intents, removedCards, abandoned }: CastingSimulation): void {
  const { store } = server;
  const met = new Set<string>();
  for (const { type, profileId: roleId, body } of store.rows.values()) {
    if (type !== 'candidate') continue;
    const card = `${roleId} ${String(body['profile_id'])}`;
    if (met.has(card)) fail('2 at most once', `${card} has two cards`);
    met.add(card);
  }
  for (const intent of intents.all) {
    const { kind, target, state, device } = intent;
    if (kind !== 'card' || state !== 'accepted' || abandoned.has(device) || intents.wasTaken(intent)) continue;
    const [role = '', profile = ''] = (target ?? '').split(' ');
    const roleId = getServerId(device, role);
    // The role was deleted, or never made.
    if (roleId === null || store.row('role', roleId) === undefined || removedCards.has(profile)) continue;
    if (!met.has(`${roleId} ${profile}`))
      fail('1 nothing lost', `the card of ${profile} for role ${roleId} is missing`);
  }
}
