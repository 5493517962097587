import type { AccountDb } from './database.ts';
import type { Take } from './rows.ts';

/** The takes on this device, newest first. */
export async function listTakes({ takes }: AccountDb): Promise<Take[]> {
  const all = await takes.toArray();
  return all.filter(({ state }) => state !== 'deleted').sort((a, b) => b.startedAt - a.startedAt);
}

/** The number of takes on this device. */
export const countTakes = async ({ takes }: AccountDb): Promise<number> =>
  takes.where('state').notEqual('deleted').count();

/** The takes that were recorded for an audition, newest first. @param audition its server id; null: those that belong to none */
export const listTakesOf = async (db: AccountDb, audition: string | null): Promise<Take[]> =>
  (await listTakes(db)).filter((take) => (take.audition?.id ?? null) === audition);

/** What this device has recorded for an audition. */
export interface LocalTakes {
  count: number;
  /** One of them is being recorded, or was when the app ended. */
  isRecording: boolean;
}

/** The takes of every audition that has some, by its server id. */
export async function countTakesByAudition(db: AccountDb): Promise<ReadonlyMap<string, LocalTakes>> {
  const found = new Map<string, LocalTakes>();
  for (const { audition, state } of await listTakes(db)) {
    if (!audition) continue;
    const { count, isRecording } = found.get(audition.id) ?? { count: 0, isRecording: false };
    found.set(audition.id, { count: count + 1, isRecording: isRecording || state === 'recording' });
  }
  return found;
}

/** 'Take 4': one more than the highest number that a take has in its name. */
export function nameNextTake(takes: readonly Pick<Take, 'name'>[]): string {
  const numbers = takes.map(({ name }) => Number(/^Take (\d{1,6})$/.exec(name)?.[1] ?? 0));
  return `Take ${Math.max(0, ...numbers) + 1}`;
}

/** The name of the take that is recorded next, or is being recorded. Each audition has a count of its own. */
export const readNextName = async (db: AccountDb, audition: string | null): Promise<string> =>
  nameNextTake((await listTakesOf(db, audition)).filter(({ state }) => state !== 'recording'));

/** The finished copy of a take, if it was made of the part that is chosen now. */
export const getCurrentCopy = ({ copy, range }: Take): Take['copy'] =>
  copy && isSameRange(copy.range, range) ? copy : undefined;

/** Whether two parts of a take are the same. */
export const isSameRange = (a: Take['range'], b: Take['range']): boolean => a?.from === b?.from && a?.to === b?.to;

/** Seconds that the chosen part of a take has. */
export const getChosenSeconds = ({ range, duration }: Pick<Take, 'range' | 'duration'>): number =>
  range ? range.to - range.from : duration;
