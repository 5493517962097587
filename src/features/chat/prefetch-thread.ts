import type { Message } from '#contract/records/chat.ts';
import type { AccountDb } from '#db/database.ts';
import { type ConversationView, newestMessages, type PendingMessage, pendingMessages } from '#db/conversations.ts';
import { scheduleIdle } from '#ui/schedule-idle.ts';
import { SCREENFUL_MESSAGES } from './message-window.ts';

/** How many of the most recent conversations are prefetched. */
const MAX_PREFETCHED = 12;

/** The first screen of a conversation: the newest messages on this device, and the ones that are not sent yet. */
export interface PrefetchedThread {
  messages: readonly Message[];
  pending: readonly PendingMessage[];
}

type ListedConversation = Pick<ConversationView, 'id' | 'last' | 'pending'>;

const caches = new WeakMap<AccountDb, Map<string, PrefetchedThread>>();

function getCache(db: AccountDb): Map<string, PrefetchedThread> {
  const cache = caches.get(db) ?? new Map<string, PrefetchedThread>();
  caches.set(db, cache);
  return cache;
}

/**
 * Returns the prefetched first screen of a conversation, or null if it was not read or is outdated. The page renders it without
 * waiting for the store.
 */
export function getPrefetchedThread(db: AccountDb, { id, last, pending }: ListedConversation): PrefetchedThread | null {
  const prefetched = getCache(db).get(id);
  const isCurrent =
    prefetched && prefetched.messages.at(-1)?.id === last?.id && prefetched.pending.at(-1)?.id === pending?.id;
  return isCurrent ? prefetched : null;
}

/** Reads the first screen of a conversation from the store, or returns the prefetched one. */
export async function prefetchThread(db: AccountDb, listed: ListedConversation): Promise<PrefetchedThread> {
  const prefetched = getPrefetchedThread(db, listed);
  if (prefetched) return prefetched;
  const { id, last } = listed;
  const [messages, pending] = await Promise.all([
    newestMessages(db, id, SCREENFUL_MESSAGES, last?.seq ?? null),
    pendingMessages(db, id),
  ]);
  const screen = { messages, pending };
  getCache(db).set(id, screen);
  return screen;
}

/** Prefetches the most recent conversations while the page is idle. Returns a function that cancels it. */
export function prefetchThreads(db: AccountDb, listed: readonly ListedConversation[]): () => void {
  // A failure is harmless: the conversation is then read when it opens.
  const prefetch = (each: ListedConversation) => void prefetchThread(db, each).catch(console.warn);
  const missing = listed.slice(0, MAX_PREFETCHED).filter((each) => !getPrefetchedThread(db, each));
  const cancels = missing.map((each) => scheduleIdle(() => prefetch(each)));
  return () => {
    for (const cancel of cancels) cancel();
  };
}
