import type { Message } from '#contract/records/chat.ts';
import type { AccountDb } from '#db/database.ts';
import { newestMessages, type PendingMessage, pendingMessages } from '#db/messages.ts';

/** So many fill the first screen; the others come once it stands. */
export const FIRST = 12;
/** A reading that began longer ago than this may lack what was said since, milliseconds. */
const FRESH_MS = 1000;

/** The newest messages that are on this device, and what waits here. */
export type FirstScreen = [Message[], PendingMessage[]];

interface Conversation {
  id: string;
  /** The number of its last message, where that is known. */
  last: number | null;
}

let begun: { db: AccountDb; id: string; at: number; reading: Promise<FirstScreen> } | null = null;

/** Begins to read while the page is still on its way: a finger on the line of a conversation says which it will be. */
export function beginReading(db: AccountDb, { id, last }: Conversation): Promise<FirstScreen> {
  const isBegun = begun?.db === db && begun.id === id && performance.now() - begun.at < FRESH_MS;
  if (begun && isBegun) return begun.reading;
  const reading = Promise.all([newestMessages(db, id, FIRST, last), pendingMessages(db, id)]);
  // Who waits for it hears of a trouble; nobody may.
  reading.catch(() => undefined);
  begun = { db, id, at: performance.now(), reading };
  return reading;
}

/** What a conversation opens with; read once. */
export function firstScreen(db: AccountDb, conversation: Conversation): Promise<FirstScreen> {
  const reading = beginReading(db, conversation);
  begun = null;
  return reading;
}
