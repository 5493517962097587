const urlOf = (key: Request | string) => (typeof key === 'string' ? key : key.url);

function createCache() {
  const entries = new Map<string, Response>();
  return {
    match: (key: Request | string) => Promise.resolve(entries.get(urlOf(key))?.clone()),
    matchAll: () => Promise.resolve([...entries.values()].map((answer) => answer.clone())),
    put: (key: Request | string, answer: Response) => Promise.resolve(void entries.set(urlOf(key), answer)),
    delete: (key: Request | string) => Promise.resolve(entries.delete(urlOf(key))),
    keys: () => Promise.resolve([...entries.keys()].map((url) => new Request(url))),
  };
}

/** As much of the browser's cache storage as the app uses: Node has none. */
export function cacheStorage() {
  const caches = new Map<string, ReturnType<typeof createCache>>();
  return {
    open(name: string) {
      const cache = caches.get(name) ?? createCache();
      caches.set(name, cache);
      return Promise.resolve(cache);
    },
    delete: (name: string) => Promise.resolve(caches.delete(name)),
    keys: () => Promise.resolve([...caches.keys()]),
  };
}
