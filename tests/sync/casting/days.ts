import { addDays, DAY_STATES, type DayState, NOT_STATED } from '#contract/casting/availability.ts';
import type { DayRecord } from '#contract/records/availability.ts';
import { readCalendar } from '#db/availability.ts';
import type { MirrorRecord } from '#db/rows.ts';
import { markerOf, markersIn } from '../simulation/markers.ts';
import { fail } from '../simulation/invariants/violation.ts';
import type { Prng } from '../simulation/prng.ts';
import type { CastingIntent } from './intents.ts';
import { type CastingDevice, type CastingRun, type CastingSimulation, OWNER } from './simulation.ts';

/** Few days, so that devices often change the same. */
const FIRST = '2027-01-18';
const DAYS = 5;
const STATES = [null, ...(Object.keys(DAY_STATES) as DayState[])];

/** Says something about one to three days. The marker of each is in its note, which the server reads also where nothing is said any more. */
export async function setSomeDays(simulation: CastingSimulation, run: CastingRun, prng: Prng): Promise<void> {
  const start = prng.int(DAYS);
  const dates = Array.from({ length: 1 + prng.int(3) }, (_, n) => addDays(FIRST, (start + n) % DAYS));
  const { days: known } = await readCalendar(run.db, FIRST, addDays(FIRST, DAYS));
  const set = dates.map((date) => {
    const state = prng.pick(STATES);
    const about = { kind: 'days', type: 'availability', target: date } as const;
    const intent = simulation.intents.begin({ device: run.device, ...about, day: state });
    const looked = known.some((day) => day.date === date && day.other !== null) && prng.chance(0.7);
    const day = { ...NOT_STATED, date, state, note: markerOf(intent.marker), ...(looked && { looked }) };
    return { intent, day };
  });
  const days = set.map(({ day }) => day);
  simulation.note(
    `${run.device.name}: days ${days.map(({ date, state, note }) => `${date} ${state} ${note}`).join(', ')}`,
  );
  await run.engine.act({ type: 'availability', act: 'set', days });
  for (const { intent } of set) intent.state = 'accepted';
  simulation.hit(`days on ${run.device.name}`);
}

/** The mirror of a device has the days of its person as the server has them. */
export function compareDays(simulation: CastingSimulation, device: CastingDevice): void {
  const userId = simulation.userOf(device);
  const there = [...simulation.server.store.daysOf(userId).values()];
  const records = device.disk.rows<MirrorRecord<DayRecord>>(device.dbName(userId), 'records');
  const here = records.filter(({ type }) => type === 'availability').map(({ body }) => body);
  const toLines = (days: readonly DayRecord[]) =>
    days.map(({ id, state, note, version }) => [id, state, note, version].join(' ')).sort();
  const [wanted, actual] = [toLines(there).join('; '), toLines(here).join('; ')];
  if (wanted !== actual) fail('3 convergence', `${device.name} has the days ${actual}, and the server ${wanted}`);
}

/**
 * No day is lost: each is what one of its person's devices said of it last. If one device alone spoke of it, it is exactly that; and nothing is
 * said of it only if some device said so.
 */
export function checkDays(simulation: CastingSimulation): void {
  const { intents, devices, server } = simulation;
  const isSure = ({ state, marker }: CastingIntent) => state === 'accepted' && !intents.refused.has(marker);
  for (const userId of new Set(devices.map((device) => simulation.userOf(device)))) {
    if (userId === OWNER) continue;
    for (let n = 0; n < DAYS; n += 1) {
      const date = addDays(FIRST, n);
      const said = intents.all.filter(
        ({ kind, target, device }) => kind === 'days' && target === date && simulation.userOf(device) === userId,
      );
      if (said.length === 0 || !said.every(isSure)) continue;
      const last = new Map(said.map((intent) => [`${intent.device.name} ${intent.store}`, intent]));
      const day = server.store.daysOf(userId).get(date.replaceAll('-', ''));
      const what = `${date} of ${userId} is ${day?.state} ${day?.note}`;
      const isOne = [...last.values()].some(({ day: state }) => state === (day?.state ?? null));
      if (!isOne) fail('no day is lost', `${what}, which no device said last`);
      const [only] = last.values();
      const isNoted = day?.state === null || markersIn(day?.note).includes(only?.marker ?? 0);
      if (last.size === 1 && !isNoted) fail('no day is lost', `${what}, but ${markerOf(only?.marker ?? 0)} was last`);
      if (last.size > 1) simulation.hit('a day of two devices');
    }
  }
}
