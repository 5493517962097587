import { CALLS } from '#contract/calls.ts';
import { LOOKUP_CALLS } from '#contract/lookup-calls.ts';
import type { Endpoint } from '#contract/section.ts';
import { keepLookup, loadLookup, type LookupEntry } from '#db/lookups.ts';
import type { AccountDb } from '#db/database.ts';
import { call } from '#net/client.ts';

interface LookupRow {
  id: string | number;
  name: string;
  icon_img?: string | null;
  count?: number;
}

/** Fetches a lookup list and stores it. Returns false if the server did not answer. */
export async function refreshLookup(
  db: AccountDb,
  name: string,
  { method, path }: Pick<Endpoint, 'method' | 'path'>,
): Promise<boolean> {
  const answer = await call<LookupRow[]>({ method, path });
  if (!answer.ok || !Array.isArray(answer.data)) return false;
  const entries = answer.data.map(({ id, name: label, icon_img: icon, count }): LookupEntry => ({
    id: String(id),
    name: label,
    ...(icon && { icon }),
    ...(count !== undefined && { count }),
  }));
  await keepLookup(db, name, entries);
  return true;
}

/** Fetches the missing lists that forms choose from ahead of time, because a form may first be opened offline. */
export async function prefetchLookups(db: AccountDb): Promise<void> {
  const lists = { ...LOOKUP_CALLS, industries: CALLS.industries };
  for (const [name, endpoint] of Object.entries(lists)) {
    if ((await loadLookup(db, name)).length > 0) continue;
    if (!(await refreshLookup(db, name, endpoint))) return;
  }
}
