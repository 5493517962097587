import type { AccountDb } from '#db/database.ts';
import { chatDraft, noteDraft } from '#db/messages.ts';
import { dropSpare, keepSpare, readSpare, spareKeys } from './spare-drafts.ts';

/** Forms left open: what was typed survives a closed sheet, a closed tab, a dead battery and a lost store. */

/** The draft under this name, null where there is none or the store does not answer. */
export async function loadDraft(db: AccountDb, key: string): Promise<Record<string, unknown> | null> {
  const spare = readSpare(db.name, key);
  if (spare) return spare;
  try {
    return (await db.drafts.get(key))?.values ?? null;
  } catch (error) {
    console.warn('A draft was not read', error);
    return null;
  }
}

/**
 * Keeps a draft: in local storage at once, and there only until the store has it.
 * @param now milliseconds since the epoch, for display
 */
export function keepDraft(db: AccountDb, key: string, values: Record<string, unknown>, now: number): void {
  const forget = keepSpare(db.name, key, values);
  db.drafts.put({ key, values, at: now }).then(forget, notStored);
}

/** Keeps the words of a message that is not sent yet, as `keepDraft` does. */
export function keepChatDraft(db: AccountDb, conversationId: string, message: string, now: number): void {
  const forget = keepSpare(db.name, chatDraft(conversationId), { message });
  noteDraft(db, conversationId, { message }, now).then(forget, notStored);
}

/** A draft is no reason to alarm anybody: the words are still in the form, and beside the store. */
function notStored(error: unknown): void {
  console.warn('A draft waits beside the store', error);
}

export async function dropDraft(db: AccountDb, key: string): Promise<void> {
  dropSpare(db.name, key);
  await db.drafts.delete(key);
}

/** These words were sent and must not come back. The store has removed its own copy with the sending. */
export function dropSentWords(db: AccountDb, conversationId: string, sent: string): void {
  const key = chatDraft(conversationId);
  if (readSpare(db.name, key)?.message === sent) dropSpare(db.name, key);
}

/** Moves the words that local storage had to keep into the store. Run it when the account is opened. */
export async function restoreDrafts(db: AccountDb, now: number): Promise<void> {
  for (const key of spareKeys(db.name)) {
    const spare = readSpare(db.name, key);
    if (spare) {
      await db.transaction('rw', db.drafts, async () => {
        // What lies beside the words, such as the photo of a message, stays.
        const before = (await db.drafts.get(key))?.values;
        await db.drafts.put({ key, values: { ...before, ...spare }, at: now });
      });
    }
    dropSpare(db.name, key);
  }
}
