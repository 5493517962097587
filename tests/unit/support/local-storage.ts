/** Local storage as a page has it, in memory: what it holds are its own enumerable keys. */
export function fakeStorage(): Storage {
  const methods = {
    getItem: (key: string) => stored[key] ?? null,
    setItem: (key: string, value: string) => void (stored[key] = String(value)),
    removeItem: (key: string) => void delete stored[key],
  };
  const stored: Record<string, string> = Object.create(methods);
  // The methods stand behind the keys, so that no key is taken for one.
  return stored as unknown as Storage;
}
