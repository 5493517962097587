'fetched soon after the start';

import { useEffect, useState } from 'react';
import type { AccountDb } from '#db/database.ts';
import { countToRead, listNotifications } from '#db/network.ts';
import { readOwnWork } from '#db/own-work.ts';
import { useAccount } from '#session/session.tsx';
import { useQuery } from '#shared/queries/use-query.ts';
import { lazyOptional } from '#ui/lazy-part.ts';
import { rememberOwnWork } from '../own-work.ts';

const PushPrompt = lazyOptional(async () => (await import('#features/notifications/PushPrompt.tsx')).PushPrompt);

/** Paths with an unread count. */
export type CountedPath = '/messages' | '/notifications';

async function readUnreadCounts(db: AccountDb): Promise<Record<CountedPath, number>> {
  const newItems = (await listNotifications(db)).filter(({ isNew }) => isNew);
  return { '/messages': await countToRead(db), '/notifications': newItems.length };
}

const MAX_COUNT = 99;

/** The unread count of a path, shown on its tab or link. Renders nothing if it is 0. */
export function UnreadCount({ path, className = '' }: { path: CountedPath; className?: string }) {
  const count = useQuery(readUnreadCounts, [])?.[path] ?? 0;
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

/** Shows the unread conversations and the requests on the app icon, as pushes do, if the system supports it. Cleared when the person signs out. */
export function AppBadge() {
  const count = useQuery(countToRead, []);
  useEffect(() => {
    if (count === undefined || !('setAppBadge' in navigator)) return;
    // Rejects if the app is not installed or badges are disabled; the navigation shows the count anyway.
    navigator.setAppBadge(count).catch(() => undefined);
  }, [count]);
  useEffect(
    () => () => {
      if ('clearAppBadge' in navigator) navigator.clearAppBadge().catch(() => undefined);
    },
    [],
  );
  return (
    <>
      <Pushes />
      <OwnWorkWatch />
    </>
  );
}

/** Finds out which side of an audition the person is on. */
function OwnWorkWatch() {
  const work = useQuery(readOwnWork, []);
  useEffect(() => {
    if (work !== undefined) rememberOwnWork(work);
  }, [work]);
  return null;
}

/**
 * Renews the subscription of this device at each start, and asks for one after the first request or message that was sent. Fetches the code for
 * it only then.
 */
function Pushes() {
  const { engine } = useAccount();
  const [sentCount, setSentCount] = useState(0);
  useEffect(() => {
    if (!('Notification' in window) || Notification.permission !== 'granted') return;
    // Tried again at the next start.
    import('#shared/push/subscription.ts').then(({ renewPushes }) => renewPushes()).catch(console.warn);
  }, []);
  useEffect(
    () =>
      engine.on(({ kind, to }) => {
        if (to === 'done' && (kind === 'send' || kind === 'connect')) setSentCount((count) => count + 1);
      }),
    [engine],
  );
  return sentCount > 0 && <PushPrompt sentCount={sentCount} />;
}
