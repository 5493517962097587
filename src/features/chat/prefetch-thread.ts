import type { Message } from '#contract/records/chat.ts';
import type { AccountDb } from '#db/database.ts';
import { type ConversationView, newestMessages, type PendingMessage, pendingMessages } from '#db/messages.ts';
import { scheduleIdle } from '#ui/schedule-idle.ts';
import { SCREENFUL_MESSAGES } from './message-window.ts';

/** Of so many conversations, those that moved last, the first screen is read before anybody asks. */
const AHEAD = 12;

/** What a conversation opens with: the newest messages that are on this device, and what waits here. */
export interface PrefetchedThread {
  messages: readonly Message[];
  pending: readonly PendingMessage[];
}

/** What the list of conversations knows of one. */
type ListedConversation = Pick<ConversationView, 'id' | 'last' | 'pending'>;

const read = new WeakMap<AccountDb, Map<string, PrefetchedThread>>();

function readOf(db: AccountDb): Map<string, PrefetchedThread> {
  const known = read.get(db) ?? new Map<string, PrefetchedThread>();
  read.set(db, known);
  return known;
}

/** A conversation's first screen, where it has been read and nothing was said since. It is what the page opens with, at once. */
export function getPrefetchedThread(db: AccountDb, { id, last, pending }: ListedConversation): PrefetchedThread | null {
  const here = readOf(db).get(id);
  const isSo = here && here.messages.at(-1)?.id === last?.id && here.pending.at(-1)?.id === pending?.id;
  return isSo ? here : null;
}

export async function prefetchThread(db: AccountDb, listed: ListedConversation): Promise<PrefetchedThread> {
  const here = getPrefetchedThread(db, listed);
  if (here) return here;
  const { id, last } = listed;
  const [messages, pending] = await Promise.all([
    newestMessages(db, id, SCREENFUL_MESSAGES, last?.seq ?? null),
    pendingMessages(db, id),
  ]);
  const screen = { messages, pending };
  readOf(db).set(id, screen);
  return screen;
}

/** Reads what the conversations on top would open with while nobody wants anything. Returns what calls it off. */
export function prefetchThreads(db: AccountDb, listed: readonly ListedConversation[]): () => void {
  // Without it, a conversation opens as soon as it is read.
  const read = (each: ListedConversation) => void prefetchThread(db, each).catch(console.warn);
  const unread = listed.slice(0, AHEAD).filter((each) => !getPrefetchedThread(db, each));
  const planned = unread.map((each) => scheduleIdle(() => read(each)));
  return () => {
    for (const callOff of planned) callOff();
  };
}
