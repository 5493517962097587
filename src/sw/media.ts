import { isComplete, isRefusedFile, isStoredFile } from '#lib/stored-file.ts';
import { PINNED_CACHE, MEDIA_CACHE, MEDIA_MARKS } from '#lib/stored-media.ts';
import { answerRange } from './range.ts';

/** The most that is kept: beyond either, what was not asked for longest goes first. */
export interface Bounds {
  files: number;
  bytes: number;
}

interface MediaCaches {
  files: Cache;
  marks: Cache;
  /** What the person keeps on purpose. */
  pinned: Cache;
}

const REVALIDATE_INTERVAL_MS = 5 * 60_000;
const SIZE = 'x-kept-size';
const USED_AT = 'x-kept-used';
/** Set on files that only a token or a signed link could read: an anonymous 404 says nothing about them. */
const SIGNED = 'x-kept-signed';

/** A file's name never changes and says all; the query is only a signature that runs out. */
const toCacheKey = (request: Request) => new URL(new URL(request.url).pathname, request.url).href;

const isSigned = (request: Request) => request.headers.has('Authorization') || new URL(request.url).search !== '';

/** Answers that may be others for somebody who says who they are. */
const AUTH_DEPENDENT_STATUSES = new Set([401, 403, 404]);

interface Fetched {
  answer: Response;
  signed: boolean;
}

/**
 * The kept files. A file seen once is answered from here, with and without signal; behind the answer the server is asked
 * (at most every five minutes for each file) whether it still gives it out, and a file that is gone is forgotten.
 * An `<img>` sends no token, so a file withheld from strangers (of the person's own inactive profile) is asked for once
 * more under theirs.
 * @param bounds how much may be kept
 * @param tokenFor the signed-in person's token for the server of this address; null where nobody is signed in
 * @param now milliseconds since the epoch
 */
export function mediaStore(
  bounds: Bounds,
  tokenFor: (url: URL) => Promise<string | null>,
  now: () => number = Date.now,
) {
  const checkedAt = new Map<string, number>();
  const filling = new Set<string>();
  // One change of the marks at a time, or two files stored at once could both think there is room.
  let lastTask: Promise<unknown> = Promise.resolve();
  const mutex = <T>(work: () => Promise<T>): Promise<T> => {
    const result = lastTask.then(work, work);
    lastTask = result.catch(() => undefined);
    return result;
  };

  // Opened before the server is asked: an answer that comes after sign-out goes to a shelf that nobody can open any more.
  const openCaches = async (): Promise<MediaCaches> => {
    const names = [MEDIA_CACHE, MEDIA_MARKS, PINNED_CACHE];
    const [files, marks, pinned] = await Promise.all(names.map((name) => caches.open(name)));
    return { files: files!, marks: marks!, pinned: pinned! };
  };

  /** Bytes of each kept file, what was not asked for longest first; read from the marks once, for reading them takes long. */
  let sizes: Map<string, number> | null = null;
  const getSizes = async (marks: Cache): Promise<Map<string, number>> => {
    if (sizes) return sizes;
    const found = await Promise.all(
      (await marks.keys()).map(async (request) => {
        const told = (await marks.match(request))?.headers;
        return { key: request.url, size: Number(told?.get(SIZE) ?? 0), usedAt: Number(told?.get(USED_AT) ?? 0) };
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

  /** A stored copy. One that is not the file, kept before answers were looked at, counts as none. */
  const getValidCopy = async (cache: Cache, key: string): Promise<Response | undefined> => {
    const kept = await cache.match(key);
    return kept && isStoredFile(kept, key) ? kept : undefined;
  };

  /**
   * Drops what was not asked for longest until `size` more bytes and one more file fit. What the page forgot meanwhile may
   * still be counted until its turn comes.
   */
  const evictUntilFits = async (shelves: MediaCaches, size: number) => {
    const known = await getSizes(shelves.marks);
    let bytes = [...known.values()].reduce((sum, each) => sum + each, size);
    for (const [key, each] of known) {
      if (known.size < bounds.files && bytes <= bounds.bytes) return;
      await forget(shelves, key);
      bytes -= each;
    }
  };

  const fetchWithToken = async (request: Request): Promise<Fetched> => {
    let answer = await fetch(request);
    // The browser may have kept a sign-in page of a Wi-Fi under this address, for as long as that page asked it to.
    if (answer.headers.get('Content-Type')?.startsWith('text/html'))
      answer = await fetch(new Request(request, { cache: 'reload' }));
    if (isSigned(request) || !AUTH_DEPENDENT_STATUSES.has(answer.status)) return { answer, signed: isSigned(request) };
    const token = await tokenFor(new URL(request.url));
    if (token === null) return { answer, signed: false };
    await answer.body?.cancel();
    const headers = new Headers(request.headers);
    headers.set('Authorization', `Bearer ${token}`);
    return { answer: await fetch(new Request(request.url, { headers, cache: request.cache })), signed: true };
  };

  const store = async (shelves: MediaCaches, request: Request, { answer, signed }: Fetched) => {
    const key = toCacheKey(request);
    if (await getValidCopy(shelves.pinned, key)) return;
    const body = await answer.blob();
    if (!isComplete(answer, body.size)) return;
    // One film must not push out everything else.
    if (body.size > bounds.bytes / 4) return;
    const headers = new Headers(answer.headers);
    headers.delete('Content-Encoding');
    headers.set('Content-Length', String(body.size));
    if (signed) headers.set(SIGNED, '1');
    const stored = new Response(body, { status: 200, headers });
    // What the person keeps on purpose is mended where it stands.
    if (await shelves.pinned.match(key)) return shelves.pinned.put(key, stored);
    await mutex(async () => {
      if ((await getSizes(shelves.marks)).has(key)) await forget(shelves, key);
      await evictUntilFits(shelves, body.size);
      await touch(shelves, key, body.size);
      try {
        await shelves.files.put(key, stored);
      } catch (error) {
        // No room on the device: the room is the person's unsent work's, so a picture is simply not kept.
        await forget(shelves, key);
        if (!(error instanceof DOMException && error.name === 'QuotaExceededError')) throw error;
      }
    });
  };

  const canStore = (answer: Response, request: Request) => isStoredFile(answer, request.url);

  /**
   * Whether a stored copy may give way. Files of our own server never change under their name; others may, but a portal's
   * picture must not take the place of a film.
   */
  const isNewer = (answer: Response, kept: Response) => {
    const of = (name: string) => [answer, kept].map(({ headers }) => headers.get(name));
    const [type, keptType] = of('Content-Type');
    const [tag, keptTag] = of('ETag').map((each) => each?.replace(/^W\//, ''));
    return type === keptType && tag !== undefined && keptTag !== undefined && tag !== keptTag;
  };

  /** Without Range, so that the answer is the whole file. */
  const withoutRange = (request: Request) => {
    const headers = new Headers(request.headers);
    headers.delete('Range');
    return new Request(request.url, { headers, credentials: request.credentials, cache: 'no-cache' });
  };

  const fill = async (shelves: MediaCaches, request: Request) => {
    const key = toCacheKey(request);
    if (filling.has(key)) return;
    filling.add(key);
    try {
      const fetched = await fetchWithToken(withoutRange(request));
      if (canStore(fetched.answer, request)) await store(shelves, request, fetched);
    } finally {
      filling.delete(key);
    }
  };

  const revalidate = async (shelves: MediaCaches, request: Request, kept: Response) => {
    const key = toCacheKey(request);
    if (now() - (checkedAt.get(key) ?? 0) < REVALIDATE_INTERVAL_MS) return;
    checkedAt.set(key, now());
    const fetched = await fetchWithToken(withoutRange(request));
    const { answer, signed } = fetched;
    if (canStore(answer, request)) {
      if (isNewer(answer, kept)) return store(shelves, request, fetched);
    } else if ((signed || !kept.headers.has(SIGNED)) && (await isRefusedFile(answer))) {
      await mutex(() => Promise.all([forget(shelves, key), shelves.pinned.delete(key)]));
    }
    if (!answer.bodyUsed) await answer.body?.cancel();
  };

  return {
    /**
     * Answers a GET of a stored file. `later` gets the work that may go on behind the answer.
     * Rejects, as fetch does, where there is neither signal nor a kept copy.
     */
    async answer(request: Request, later: (work: Promise<unknown>) => void): Promise<Response> {
      const key = toCacheKey(request);
      const range = request.headers.get('Range');
      const shelves = await openCaches();
      const pinnedCopy = await getValidCopy(shelves.pinned, key);
      const kept = pinnedCopy ?? (await getValidCopy(shelves.files, key));
      // Without signal nothing can be learnt and the kept copy stands.
      const inBackground = (work: Promise<unknown>) => later(work.catch(() => undefined));
      if (kept !== undefined) {
        const size = Number(kept.headers.get('Content-Length'));
        if (!pinnedCopy) inBackground(mutex(() => touch(shelves, key, size)));
        inBackground(revalidate(shelves, request, kept.clone()));
        return range === null ? kept : answerRange(kept, range);
      }
      if (range !== null) {
        const { answer: part } = await fetchWithToken(request);
        if (part.status === 206) inBackground(fill(shelves, request));
        return part;
      }
      const { answer, signed } = await fetchWithToken(request);
      // Who keeps it on purpose says so, and needs no second copy.
      if (canStore(answer, request) && request.cache !== 'no-store')
        inBackground(store(shelves, request, { answer: answer.clone(), signed }));
      return answer;
    },
  };
}
