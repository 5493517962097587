/** As much of the browser's cache storage as the app uses: Node has none. */
export function cacheStorage() {
  const caches = new Map<string, Map<string, Response>>();
  const urlOf = (key: Request | string) => (typeof key === 'string' ? key : key.url);
  return {
    open(name: string) {
      const entries = caches.get(name) ?? new Map<string, Response>();
      caches.set(name, entries);
      return Promise.resolve({
        match: (key: Request | string) => Promise.resolve(entries.get(urlOf(key))?.clone()),
        put: (key: Request | string, answer: Response) => Promise.resolve(void entries.set(urlOf(key), answer)),
        delete: (key: Request | string) => Promise.resolve(entries.delete(urlOf(key))),
        keys: () => Promise.resolve([...entries.keys()].map((url) => new Request(url))),
      });
    },
    delete: (name: string) => Promise.resolve(caches.delete(name)),
  };
}
