/**
 * Typed words in local storage, for the moments in which IndexedDB has not got them: while it writes, and while its
 * connection is lost. They move into the store when the account is next opened.
 */

const prefixOf = (store: string) => `draft:${store}:`;
const keyOf = (store: string, key: string) => prefixOf(store) + key;

let isRefused = false;

/** Whether the last words could not be kept here: then a reload would lose them. */
export const areSparesRefused = (): boolean => isRefused;

/**
 * Keeps words at once. Returns what removes them again, unless newer ones stand there by then.
 * @param store name of the account's database
 */
export function keepSpare(store: string, key: string, values: Record<string, unknown>): () => void {
  const text = JSON.stringify(values);
  const name = keyOf(store, key);
  try {
    localStorage.setItem(name, text);
    isRefused = false;
  } catch {
    // Full, or forbidden: the words still stand in the form, and the store may take them.
    isRefused = true;
  }
  return () => {
    isRefused = false;
    if (localStorage.getItem(name) === text) localStorage.removeItem(name);
  };
}

/** The words kept under this name, null where there are none. */
export function readSpare(store: string, key: string): Record<string, unknown> | null {
  try {
    const values: unknown = JSON.parse(localStorage.getItem(keyOf(store, key)) ?? 'null');
    return typeof values === 'object' ? (values as Record<string, unknown> | null) : null;
  } catch {
    return null;
  }
}

export function dropSpare(store: string, key: string): void {
  localStorage.removeItem(keyOf(store, key));
}

/** The names of an account's spare drafts. */
export function spareKeys(store: string): string[] {
  const prefix = prefixOf(store);
  return Object.keys(localStorage).flatMap((name) => (name.startsWith(prefix) ? [name.slice(prefix.length)] : []));
}
