/** Reads from local storage. Null also where the browser refuses it, as in some private windows, or has none. */
export function readLocal(key: string): string | null {
  try {
    return localStorage.getItem(key);
  } catch {
    return null;
  }
}
