import { useLiveQuery } from 'dexie-react-hooks';
import type { AccountDb } from '#db/database.ts';
import { readSafely } from '#session/read-safely.ts';
import { useAccount } from '#session/session.tsx';

/** A live query over the account's store: undefined until the first answer, then always the newest. */
export function useQuery<T>(query: (db: AccountDb) => Promise<T>, deps: unknown[]): T | undefined {
  const { db } = useAccount();
  // Dexie follows native awaits only below a function it can see is async; any other stops watching after the first await.
  return useLiveQuery(async () => readSafely(db, query), [db, ...deps]);
}
