import type { AccountDb } from '#db/database.ts';
import { chatDraft, saveMessageDraft } from '#db/messages.ts';
import { backUpDraft, holdDraft, listBackups, readBackup, removeBackup } from '#open-store/draft-backup.ts';

/** Drafts of forms: typed text survives a closed sheet, a closed tab, an empty battery and a lost store. */

/**
 * Returns the draft under a key, or null if there is none or the store does not answer.
 * @param formerKey under which an older version of the app kept the same draft: it moves
 */
export async function loadDraft(
  db: AccountDb,
  key: string,
  formerKey?: string,
): Promise<Record<string, unknown> | null> {
  if (formerKey !== undefined) {
    try {
      await moveDraft(db, formerKey, key);
    } catch (error) {
      handleFailure(error);
      return loadDraft(db, formerKey);
    }
  }
  const backup = readBackup(db.name, key);
  if (backup) return backup;
  try {
    const values = (await db.drafts.get(key))?.values;
    if (values) holdDraft(db.name, key, values);
    return values ?? null;
  } catch (error) {
    console.warn('A draft could not be read', error);
    return null;
  }
}

/** Moves a draft, if there is one: it replaces what is under the other key, which that version did not offer. */
async function moveDraft(db: AccountDb, from: string, to: string): Promise<void> {
  await db.transaction('rw', db.drafts, async () => {
    const draft = await db.drafts.get(from);
    if (!draft) return;
    await db.drafts.put({ ...draft, key: to });
    await db.drafts.delete(from);
  });
}

/**
 * Saves a draft: in local storage at once, and there only until the store has it.
 * @param now milliseconds since the epoch, for display
 */
export function saveDraft(db: AccountDb, key: string, values: Record<string, unknown>, now: number): void {
  const forget = backUpDraft(db.name, key, values);
  db.drafts.put({ key, values, at: now }).then(forget, handleFailure);
}

/** Saves the text of an unsent message, as `saveDraft` does. */
export function saveChatDraft(db: AccountDb, conversationId: string, message: string, now: number): void {
  const forget = backUpDraft(db.name, chatDraft(conversationId), { message });
  saveMessageDraft(db, conversationId, { message }, now).then(forget, handleFailure);
}

/** Reports nothing to the person: the text is still in the form and in local storage. */
function handleFailure(error: unknown): void {
  console.warn('A draft could not be stored and stays in local storage', error);
}

export async function dropDraft(db: AccountDb, key: string): Promise<void> {
  removeBackup(db.name, key);
  await db.drafts.delete(key);
}

/** Removes the backup of a message that was sent. The store removes its own copy when the message is queued. */
export function dropSentText(db: AccountDb, conversationId: string, sent: string): void {
  const key = chatDraft(conversationId);
  // Anything else was typed since.
  if ((readBackup(db.name, key)?.message ?? sent) === sent) removeBackup(db.name, key);
}

/**
 * Moves the backups from local storage into the store. Called when the account is opened, which must not fail because of them: on a full disk
 * they stay where they are, and the person can make room in the app.
 */
export async function restoreDrafts(db: AccountDb, now: number): Promise<void> {
  for (const key of listBackups(db.name)) {
    const backup = readBackup(db.name, key);
    try {
      if (backup) await restoreDraft(db, key, backup, now);
      removeBackup(db.name, key);
    } catch (error) {
      handleFailure(error);
    }
  }
}

const restoreDraft = (db: AccountDb, key: string, backup: Record<string, unknown>, now: number) =>
  db.transaction('rw', db.drafts, async () => {
    // Values other than the typed text, such as the photo of a message, stay.
    const before = (await db.drafts.get(key))?.values;
    await db.drafts.put({ key, values: { ...before, ...backup }, at: now });
  });
