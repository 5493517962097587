import { isComplete, isRefusedFile, isStoredFile } from '#lib/stored-file.ts';
import { PINNED_CACHE, MEDIA_CACHE, MEDIA_MARKS } from '#lib/stored-media.ts';
import { answerRange } from './range.ts';

/** Limits of the cache. Beyond either, the least recently used file is evicted first. */
export interface Bounds {
  files: number;
  bytes: number;
}

interface MediaCaches {
  files: Cache;
  marks: Cache;
  /** Files that the user pinned. */
  pinned: Cache;
}

const REVALIDATE_INTERVAL_MS = 5 * 60_000;
const SIZE = 'x-kept-size';
const USED_AT = 'x-kept-used';
/** Set on files that only a token or a signed link could read: an anonymous 404 says nothing about them. */
const SIGNED = 'x-kept-signed';

/** A file's URL without its query: the name identifies the file, and the query is only a signature that expires. */
const toCacheKey = (request: Request) => new URL(new URL(request.url).pathname, request.url).href;

const isSigned = (request: Request) => request.headers.has('Authorization') || new URL(request.url).search !== '';

interface Fetched {
  answer: Response;
  signed: boolean;
}

/**
 * The cache of stored media. A file that was viewed once is served from it, online and offline. After responding, it
 * revalidates the file with the server, at most every five minutes per file, and deletes a file that the server
 * refuses. An `<img>` sends no token, so a file that strangers may not see (such as those of the user's own inactive
 * profile) is requested again with the user's token; a player's requests have it from the start.
 * @param bounds the limits of the cache
 * @param tokenFor returns the user's token for the server of a URL; null if nobody is signed in
 * @param now milliseconds since the epoch
 */
export function mediaStore(
  bounds: Bounds,
  tokenFor: (url: URL) => Promise<string | null>,
  now: () => number = Date.now,
) {
  const checkedAt = new Map<string, number>();
  const filling = new Set<string>();
  // Only one task changes the marks at a time; otherwise two files stored at once could both find enough room.
  let lastTask: Promise<unknown> = Promise.resolve();
  const mutex = <T>(work: () => Promise<T>): Promise<T> => {
    const result = lastTask.then(work, work);
    lastTask = result.catch(() => undefined);
    return result;
  };

  // Opened before the request: a response that arrives after sign-out then goes to a deleted cache, which nobody can
  // open.
  const openCaches = async (): Promise<MediaCaches> => {
    const names = [MEDIA_CACHE, MEDIA_MARKS, PINNED_CACHE];
    const [files, marks, pinned] = await Promise.all(names.map((name) => caches.open(name)));
    return { files: files!, marks: marks!, pinned: pinned! };
  };

  /** Size of each cached file, the least recently used first. Read from the marks once, because that is slow. */
  let sizes: Map<string, number> | null = null;
  const getSizes = async (marks: Cache): Promise<Map<string, number>> => {
    if (sizes) return sizes;
    const found = await Promise.all(
      (await marks.keys()).map(async (request) => {
        const headers = (await marks.match(request))?.headers;
        return { key: request.url, size: Number(headers?.get(SIZE) ?? 0), usedAt: Number(headers?.get(USED_AT) ?? 0) };
      }),
    );
    found.sort((a, b) => a.usedAt - b.usedAt);
    return (sizes = new Map(found.map(({ key, size }) => [key, size])));
  };

  const touch = async ({ marks }: MediaCaches, key: string, size: number) => {
    const known = await getSizes(marks);
    known.delete(key);
    known.set(key, size);
    await marks.put(key, new Response(null, { headers: { [SIZE]: String(size), [USED_AT]: String(now()) } }));
  };

  const forget = async ({ files, marks }: MediaCaches, key: string) => {
    sizes?.delete(key);
    await Promise.all([files.delete(key), marks.delete(key)]);
  };

  /** Returns a stored copy. Older versions stored responses unchecked, so a copy that is not the file is ignored. */
  const getValidCopy = async (cache: Cache, key: string): Promise<Response | undefined> => {
    const cached = await cache.match(key);
    return cached && isStoredFile(cached, key) ? cached : undefined;
  };

  /**
   * Evicts the least recently used files until `size` more bytes and one more file fit. Files that the page deleted in
   * the meantime may still be counted.
   */
  const evictUntilFits = async (mediaCaches: MediaCaches, size: number) => {
    const known = await getSizes(mediaCaches.marks);
    let bytes = [...known.values()].reduce((sum, each) => sum + each, size);
    for (const [key, each] of known) {
      if (known.size < bounds.files && bytes <= bounds.bytes) return;
      await forget(mediaCaches, key);
      bytes -= each;
    }
  };

  const fetchOnce = async (request: Request, token: string | null): Promise<Fetched> => {
    const headers = new Headers(request.headers);
    if (token !== null) headers.set('Authorization', `Bearer ${token}`);
    // An image's own request can have no token.
    const asked = token === null ? request : new Request(request.url, { headers, cache: request.cache });
    let answer = await fetch(asked);
    // The browser may have cached a Wi-Fi sign-in page under this URL.
    if (answer.headers.get('Content-Type')?.startsWith('text/html'))
      answer = await fetch(new Request(asked, { cache: 'reload' }));
    return { answer, signed: isSigned(asked) };
  };

  const fetchWithToken = async (request: Request): Promise<Fetched> => {
    const getToken = async () => (isSigned(request) ? null : tokenFor(new URL(request.url)));
    // A player asks for ranges. What it plays is mostly private, and a refusal would delay its first frame.
    const token = request.headers.has('Range') ? await getToken() : null;
    const first = await fetchOnce(request, token);
    if (![401, 403, 404].includes(first.answer.status)) return first;
    // Only these may be another answer with or without the token.
    const other = token === null ? await getToken() : null;
    if (token === other) return first;
    await first.answer.body?.cancel();
    return fetchOnce(request, other);
  };

  const store = async (mediaCaches: MediaCaches, request: Request, { answer, signed }: Fetched) => {
    const key = toCacheKey(request);
    if (await getValidCopy(mediaCaches.pinned, key)) return;
    if (isTooLarge(answer)) return answer.body?.cancel();
    const body = await answer.blob();
    if (!isComplete(answer, body.size) || body.size > bounds.bytes / 4) return;
    const headers = new Headers(answer.headers);
    headers.delete('Content-Encoding');
    headers.set('Content-Length', String(body.size));
    if (signed) headers.set(SIGNED, '1');
    const stored = new Response(body, { status: 200, headers });
    // A damaged pinned copy is replaced in the cache of pinned files.
    if (await mediaCaches.pinned.match(key)) return mediaCaches.pinned.put(key, stored);
    await mutex(async () => {
      if ((await getSizes(mediaCaches.marks)).has(key)) await forget(mediaCaches, key);
      await evictUntilFits(mediaCaches, body.size);
      await touch(mediaCaches, key, body.size);
      try {
        await mediaCaches.files.put(key, stored);
      } catch (error) {
        // The device is full. The space belongs to the user's unsent work, so the file is not cached.
        await forget(mediaCaches, key);
        if (!(error instanceof DOMException && error.name === 'QuotaExceededError')) throw error;
      }
    });
  };

  /** One film must not evict everything else. Its whole size is in the response with any part of it. */
  const isTooLarge = ({ headers }: Response) =>
    Number(headers.get('Content-Range')?.split('/')[1] ?? headers.get('Content-Length')) > bounds.bytes / 4;

  const canStore = (answer: Response, request: Request) => isStoredFile(answer, request.url);

  /**
   * Whether a response may replace the stored copy. Files of our own server never change under their name. Files of
   * other servers may, but the type must stay the same, so that a portal's picture does not replace a film.
   */
  const isNewer = (answer: Response, kept: Response) => {
    const getBoth = (name: string) => [answer, kept].map(({ headers }) => headers.get(name));
    const [type, keptType] = getBoth('Content-Type');
    const [tag, keptTag] = getBoth('ETag').map((each) => each?.replace(/^W\//, ''));
    return type === keptType && tag !== undefined && keptTag !== undefined && tag !== keptTag;
  };

  /** Removes Range, so that the response is the whole file. */
  const withoutRange = (request: Request) => {
    const headers = new Headers(request.headers);
    headers.delete('Range');
    return new Request(request.url, { headers, credentials: request.credentials, cache: 'no-cache' });
  };

  const fill = async (mediaCaches: MediaCaches, request: Request) => {
    const key = toCacheKey(request);
    if (filling.has(key)) return;
    filling.add(key);
    try {
      const fetched = await fetchWithToken(withoutRange(request));
      if (canStore(fetched.answer, request)) await store(mediaCaches, request, fetched);
    } finally {
      filling.delete(key);
    }
  };

  const revalidate = async (mediaCaches: MediaCaches, request: Request, kept: Response) => {
    const key = toCacheKey(request);
    if (now() - (checkedAt.get(key) ?? 0) < REVALIDATE_INTERVAL_MS) return;
    checkedAt.set(key, now());
    const fetched = await fetchWithToken(withoutRange(request));
    const { answer, signed } = fetched;
    if (canStore(answer, request)) {
      if (isNewer(answer, kept)) return store(mediaCaches, request, fetched);
    } else if ((signed || !kept.headers.has(SIGNED)) && (await isRefusedFile(answer))) {
      await mutex(() => Promise.all([forget(mediaCaches, key), mediaCaches.pinned.delete(key)]));
    }
    if (!answer.bodyUsed) await answer.body?.cancel();
  };

  return {
    /**
     * Answers a GET of a stored file. Rejects, as fetch does, if there is neither a connection nor a cached copy.
     * @param waitUntil receives work that continues after the response, as `event.waitUntil` does
     */
    async answer(request: Request, waitUntil: (work: Promise<unknown>) => void): Promise<Response> {
      const key = toCacheKey(request);
      const range = request.headers.get('Range');
      // Caches that cannot be opened or read are treated as empty ones.
      const mediaCaches = await openCaches().catch(() => null);
      const copies = mediaCaches && [mediaCaches.pinned, mediaCaches.files].map((cache) => getValidCopy(cache, key));
      const [pinnedCopy, viewed] = await Promise.all(copies ?? []).catch(() => []);
      const cached = pinnedCopy ?? viewed;
      // Offline, revalidation fails and the cached copy stays.
      const inBackground = (work: Promise<unknown>) => waitUntil(work.catch(() => undefined));
      if (mediaCaches && cached) {
        const size = Number(cached.headers.get('Content-Length'));
        if (!pinnedCopy) inBackground(mutex(() => touch(mediaCaches, key, size)));
        inBackground(revalidate(mediaCaches, request, cached.clone()));
        return range === null ? cached : answerRange(cached, range);
      }
      if (range !== null) {
        const { answer: part } = await fetchWithToken(request);
        if (part.status !== 206) return part;
        if (mediaCaches && !isTooLarge(part)) inBackground(fill(mediaCaches, request));
        // The next part may come from a cache, also of a large film, which its viewer may pin meanwhile. A player goes on
        // with it only if both were made here: Chromium takes a part of the server and one of the worker for those of two films.
        return new Response(part.body, part);
      }
      const { answer, signed } = await fetchWithToken(request);
      // A request that pins the file uses 'no-store' and stores its own copy.
      if (mediaCaches && canStore(answer, request) && !isTooLarge(answer) && request.cache !== 'no-store')
        inBackground(store(mediaCaches, request, { answer: answer.clone(), signed }));
      return answer;
    },
  };
}
