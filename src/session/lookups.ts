import { CALLS } from '#contract/calls.ts';
import { LOOKUP_CALLS } from '#contract/lookup-calls.ts';
import type { Endpoint } from '#contract/section.ts';
import { keepLookup, loadLookup, type LookupEntry } from '#db/lookups.ts';
import type { AccountDb } from '#db/database.ts';
import { call } from '#net/client.ts';

interface Listed {
  id: string | number;
  name: string;
  icon_img?: string | null;
  count?: number;
}

/** Asks the server for a list to choose from and keeps it. False when nobody answered. */
export async function refreshLookup(
  db: AccountDb,
  name: string,
  { method, path }: Pick<Endpoint, 'method' | 'path'>,
): Promise<boolean> {
  const answer = await call<Listed[]>({ method, path });
  if (!answer.ok || !Array.isArray(answer.data)) return false;
  const entries = answer.data.map(({ id, name: words, icon_img: icon, count }): LookupEntry => ({
    id: String(id),
    name: words,
    ...(icon && { icon }),
    ...(count !== undefined && { count }),
  }));
  await keepLookup(db, name, entries);
  return true;
}

/** The lists that forms choose from, fetched before anybody opens one: on set it would be too late. */
export async function fetchLookupsAhead(db: AccountDb): Promise<void> {
  const lists = { ...LOOKUP_CALLS, industries: CALLS.industries };
  for (const [name, endpoint] of Object.entries(lists)) {
    if ((await loadLookup(db, name)).length > 0) continue;
    if (!(await refreshLookup(db, name, endpoint))) return;
  }
}
