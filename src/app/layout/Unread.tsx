'fetched soon after the start';

import { useEffect } from 'react';
import type { AccountDb } from '#db/database.ts';
import { messagesToRead, newsItems } from '#db/network.ts';
import { useQuery } from '#shared/queries/use-query.ts';

/** Places that count what is new at them. */
export type CountedPath = '/messages' | '/notifications';

async function readUnreadCounts(db: AccountDb): Promise<Record<CountedPath, number>> {
  const fresh = (await newsItems(db)).filter(({ isNew }) => isNew);
  return { '/messages': await messagesToRead(db), '/notifications': fresh.length };
}

const MAX_COUNT = 99;

/** How much is new at a place, on its tab or beside its word. Nothing where nothing is. */
export function UnreadCount({ place, className = '' }: { place: CountedPath; className?: string }) {
  const count = useQuery(readUnreadCounts, [])?.[place] ?? 0;
  if (count === 0) return null;
  return (
    <span
      className={`num min-w-5 rounded-full bg-accent px-1 text-center text-[0.6875rem] leading-5 font-bold text-accent-content ${className}`}
    >
      {count > MAX_COUNT ? `${MAX_COUNT}+` : count}
      <span className="sr-only"> new</span>
    </span>
  );
}

/** The same count on the app's icon, where the system shows one; gone when the person signs out. */
export function AppBadge() {
  const count = useQuery(readUnreadCounts, [])?.['/notifications'];
  useEffect(() => {
    if (count === undefined || !('setAppBadge' in navigator)) return;
    // Refused where the app is not installed, or the person wants no numbers: the bar shows them all the same.
    navigator.setAppBadge(count).catch(() => undefined);
  }, [count]);
  useEffect(
    () => () => {
      if ('clearAppBadge' in navigator) navigator.clearAppBadge().catch(() => undefined);
    },
    [],
  );
  return null;
}
