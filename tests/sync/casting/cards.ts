import { type Column, getColumns } from '#contract/casting/shortlist.ts';
import { positionBetween } from '#contract/casting/position.ts';
import type { RoleView } from '#db/casting-role.ts';
import { listCards } from '#db/shortlist.ts';
import { fail } from '../simulation/invariants/violation.ts';
import { markerOf } from '../simulation/markers.ts';
import type { Prng } from '../simulation/prng.ts';
import { getServerId } from './intents.ts';
import type { CastingRun, CastingSimulation } from './simulation.ts';

/** One of the columns that this device shows. */
const pickColumn = ({ role }: RoleView, prng: Prng) => prng.pick(getColumns(role.body)).id;

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
  await run.engine.addCandidates({ roleId: view.role.id, column: pickColumn(view, prng), performers });
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
    const column = pickColumn(view, prng);
    const others = cards.filter((card) => card.column === column && card.id !== id);
    const position = positionBetween(others.at(-1)?.position ?? null, null);
    return void (await run.engine.moveCandidates([{ id, column, position }]));
  }
  simulation.removedCards.add(`${performer.profile_id}`);
  await run.engine.remove('candidate', id);
}

const toName = (marker: number): string => `Column ${markerOf(marker)}`;

/** Adds a column to a shortlist, gives one another name, or removes one. Many sort out their columns in one go. */
export async function changeSomeColumn(
  simulation: CastingSimulation,
  run: CastingRun,
  { role }: RoleView,
  prng: Prng,
): Promise<void> {
  const columns = getColumns(role.body);
  const isAdded = columns.length < 4 || (columns.length < 6 && prng.chance(0.5));
  if (isAdded) {
    await nameColumn(simulation, run, role.id, newColumn(prng));
    if (prng.chance(0.6)) await nameColumn(simulation, run, role.id, newColumn(prng));
    return;
  }
  const { id } = prng.pick(columns);
  await nameColumn(simulation, run, role.id, id, prng.chance(0.4));
}

const newColumn = (prng: Prng): string => `c${prng.int(2 ** 32)}`;

async function nameColumn(
  simulation: CastingSimulation,
  run: CastingRun,
  roleId: string,
  id: string,
  isRemoved = false,
): Promise<void> {
  const about = { kind: 'column', type: 'role', target: `${roleId} ${id}`, above: [roleId] } as const;
  const intent = simulation.intents.begin({ device: run.device, ...about });
  const name = isRemoved ? null : toName(intent.marker);
  if (isRemoved) simulation.removedColumns.add(id);
  simulation.note(`${run.device.name}: call the column ${id} of ${roleId} ${name}`);
  const fields = { columns: [{ id, name }] };
  await run.engine.act({ type: 'role', id: roleId, act: 'columns', fields, title: 'Naseem' });
  intent.state = 'accepted';
}

/** Which of their intents a simulation can expect to find on the server, each with its role and what is in it. */
function* listExpected({ server, intents, abandoned }: CastingSimulation, kind: 'card' | 'column') {
  for (const intent of intents.all) {
    const { target, state, device } = intent;
    if (intent.kind !== kind || state !== 'accepted' || abandoned.has(device) || intents.wasTaken(intent)) continue;
    const [roleId = '', id = ''] = (target ?? '').split(' ');
    const role = server.store.row('role', getServerId(device, roleId) ?? '');
    // Without a role, it was deleted, or never made.
    if (role !== undefined) yield { role, id, intent };
  }
}

/** A performer has at most one card for a role, and whoever was added has one unless somebody removed it. */
function checkCards(simulation: CastingSimulation): void {
  const met = new Set<string>();
  for (const { type, profileId: roleId, body } of simulation.server.store.rows.values()) {
    if (type !== 'candidate') continue;
    const card = `${roleId} ${String(body['profile_id'])}`;
    if (met.has(card)) fail('2 at most once', `${card} has two cards`);
    met.add(card);
  }
  for (const { role, id: profile } of listExpected(simulation, 'card')) {
    if (!simulation.removedCards.has(profile) && !met.has(`${role.id} ${profile}`))
      fail('1 nothing lost', `the card of ${profile} for role ${role.id} is missing`);
  }
}

/** Each column that somebody added or named is there unless somebody removed it, with a name that one of them gave it. */
function checkColumns(simulation: CastingSimulation): void {
  const isGiven = (id: string, name: string) =>
    simulation.intents.all.some(
      ({ kind, target, marker }) => kind === 'column' && target?.endsWith(` ${id}`) && name === toName(marker),
    );
  for (const { role, id } of listExpected(simulation, 'column')) {
    if (simulation.removedColumns.has(id)) continue;
    const column = getColumns(role.body as { columns?: Column[] }).find((each) => each.id === id);
    if (column === undefined) fail('1 nothing lost', `the column ${id} of role ${role.id} is missing`);
    if (!isGiven(id, column.name))
      fail('1 nothing lost', `the column ${id} of role ${role.id} is called ${column.name}`);
  }
}

/** Nothing that somebody put on a shortlist is lost or there twice. */
export function checkShortlists(simulation: CastingSimulation): void {
  checkCards(simulation);
  checkColumns(simulation);
}
