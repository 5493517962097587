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

/** 'Take 4': one more than the highest number that a take has in its name. */
export function nameNextTake(takes: readonly Pick<Take, 'name'>[]): string {
  const numbers = takes.map(({ name }) => Number(/^Take (\d{1,6})$/.exec(name)?.[1] ?? 0));
  return `Take ${Math.max(0, ...numbers) + 1}`;
}

/** The name of the take that is recorded next, or is being recorded. */
export const readNextName = async (db: AccountDb): Promise<string> =>
  nameNextTake((await listTakes(db)).filter(({ state }) => state !== 'recording'));

/** The finished copy of a take, if it was made of the part that is chosen now. */
export function getCurrentCopy({ copy, range }: Take): Take['copy'] {
  const isSame = copy?.range?.from === range?.from && copy?.range?.to === range?.to;
  return isSame ? copy : undefined;
}
