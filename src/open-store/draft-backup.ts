/**
 * Backups of typed text in local storage, for the time in which IndexedDB does not have it: during a write, and while its
 * connection is lost. They move into the store when the account is next opened.
 */

const prefixOf = (storeName: string) => `draft:${storeName}:`;
const keyOf = (storeName: string, key: string) => prefixOf(storeName) + key;

let isRefused = false;
/** What was typed or continued since this page opened and is neither saved nor discarded, as JSON by name. */
const held = new Map<string, string>();

/** Whether local storage refused the last backup: a reload would then lose the text. */
export const isBackupRefused = (): boolean => isRefused;

function write(name: string, text: string): void {
  held.set(name, text);
  try {
    localStorage.setItem(name, text);
    isRefused = false;
  } catch {
    // Local storage is full or forbidden. The text is still in the form, and the store may accept it.
    isRefused = true;
  }
}

/** Remembers a draft that the store has, in case it loses it. */
export const holdDraft = (storeName: string, key: string, values: Record<string, unknown>): void =>
  void held.set(keyOf(storeName, key), JSON.stringify(values));

/** Called at sign-out: the next person on this page has drafts of their own. */
export const forgetHeldDrafts = (): void => held.clear();

/** Writes backups of all drafts of this page again, because the store has lost them. */
export const backUpHeldDrafts = (): void => held.forEach((text, name) => write(name, text));

/**
 * Writes a backup at once.
 * @param storeName name of the account's database
 * @returns removes this backup, unless a newer one has replaced it
 */
export function backUpDraft(storeName: string, key: string, values: Record<string, unknown>): () => void {
  const name = keyOf(storeName, key);
  const text = JSON.stringify(values);
  write(name, text);
  return () => {
    isRefused = false;
    if (localStorage.getItem(name) === text) localStorage.removeItem(name);
  };
}

/** Returns the backup of a draft, or null if there is none. */
export function readBackup(storeName: string, key: string): Record<string, unknown> | null {
  try {
    const values: unknown = JSON.parse(localStorage.getItem(keyOf(storeName, key)) ?? 'null');
    return typeof values === 'object' ? (values as Record<string, unknown> | null) : null;
  } catch {
    return null;
  }
}

export function removeBackup(storeName: string, key: string): void {
  held.delete(keyOf(storeName, key));
  localStorage.removeItem(keyOf(storeName, key));
}

/** Returns the keys of all drafts of an account that have a backup. */
export function listBackups(storeName: string): string[] {
  const prefix = prefixOf(storeName);
  return Object.keys(localStorage).flatMap((name) => (name.startsWith(prefix) ? [name.slice(prefix.length)] : []));
}
