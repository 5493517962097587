import { DIGEST_LENGTH } from './digest-length.ts';
import { LATER, type ShellFile } from './precache-list.ts';

interface Entry {
  url: string;
  digest: string;
  /** URL in the cache. It contains the digest, so that the files of two versions can be stored side by side. */
  key: string;
}

/** The result of a check, as numbers of files. */
export interface ShellCheck {
  repaired: number;
  missing: number;
}

const SHELL_CACHE = 'precache';
/** Name prefix of the cache of an older worker, which stored every response with status 200. */
const FORMER_CACHE = 'workbox-precache';
/** Header of responses whose digest was verified. The shell ignores everything else in the cache. */
const VERIFIED = 'x-verified';
const PARALLEL_FETCHES = 6;
const INDEX = '/index.html';
/** The script that notices, together with the page, that other code did not start, and loads the repair. */
const STARTER = '/theme.js';

/** Content types by file extension. They are not taken from the response, because a proxy may change its headers. */
const TYPES: Record<string, string> = {
  html: 'text/html; charset=utf-8',
  js: 'text/javascript; charset=utf-8',
  css: 'text/css; charset=utf-8',
  svg: 'image/svg+xml',
  png: 'image/png',
  woff2: 'font/woff2',
  ttf: 'font/ttf',
  webmanifest: 'application/manifest+json',
};

/** Paths that are never a page of the app: the server's own, and anything with a file extension. */
const NOT_PAGES = /^\/(api|storage|uploads|broadcasting|healthz|livez|readyz|openapi\.json)(\/|$)|\/[^/]+\.[^/]+$/;

/**
 * Shown if the browser lost the files and there is no connection to fetch them again. It tries again by itself. Nobody knows here whether
 * the store is still there.
 */
const NO_SHELL = `<!doctype html><html lang="en"><meta charset="utf-8"><meta name="viewport" content="width=device-width"><meta http-equiv="refresh" content="5"><link rel="icon" href="data:,"><title>Callboard</title>
<body style="font:1.1rem/1.5 system-ui;max-width:30rem;margin:15vh auto;padding:0 1.5rem;background:#f7f3ec;color:#1b2a22"><h1>Callboard needs a connection to open</h1><p>This browser has removed part of the app. Go online, and it opens. Do not clear its data: what you have not sent may still be there.`;

const LATER_NAME = new RegExp(`/${LATER}\\w+`);

/** What a file belongs to that is stored when it is first used: '/later-cv'; undefined for all others. */
const getLaterName = (url: string): string | undefined => LATER_NAME.exec(url)?.[0];

async function computeDigest(bytes: ArrayBuffer): Promise<string> {
  const digest = new Uint8Array(await crypto.subtle.digest('SHA-256', bytes));
  return btoa(String.fromCharCode(...digest)).slice(0, DIGEST_LENGTH);
}

/**
 * The files of the app on this device. After one visit every screen opens without a server, also those that were never
 * visited, except for large files that few people need: these are stored when they are first used. Only bytes of the build are stored and served: a response of a captive portal or proxy fails the
 * installation, and a damaged file in the cache counts as missing and is fetched again.
 * @param files every file of the build
 * @param origin of the app
 */
export function createShell(files: readonly ShellFile[], origin: string) {
  const entries = new Map<string, Entry>(
    files.map(({ url, revision: digest }) => {
      const { href, pathname } = new URL(url, `${origin}/`);
      return [pathname, { url: href, digest, key: `${href}?${digest}` }];
    }),
  );
  const index = entries.get(INDEX);
  const starter = entries.get(STARTER);
  let isWhole = false;

  /**
   * Fetches a file and revalidates the browser's own cache, which may hold a captive portal's response.
   * @throws {TypeError} if the response is not the file: another status, a redirect, other bytes
   */
  const fetchFile = async ({ url, digest, key }: Entry): Promise<Response> => {
    const answer = await fetch(url, { cache: 'no-cache', redirect: 'error' });
    const body = await answer.arrayBuffer();
    if (answer.status !== 200 || (await computeDigest(body)) !== digest)
      throw new TypeError(`Response for ${url} does not match the build`);
    const headers = new Headers(answer.headers);
    // The body is decoded by now.
    headers.delete('Content-Encoding');
    headers.set('Content-Length', String(body.byteLength));
    headers.set('Content-Type', TYPES[url.replace(/.*\./, '')] ?? 'application/octet-stream');
    headers.set(VERIFIED, key);
    return new Response(body, { headers });
  };

  const store = async (entry: Entry): Promise<void> => {
    const cache = await caches.open(SHELL_CACHE);
    await cache.put(entry.key, await fetchFile(entry));
  };

  const read = async ({ key }: Entry): Promise<Response | undefined> => {
    // A cache that cannot be read is treated as an empty one.
    const cached = await caches
      .open(SHELL_CACHE)
      .then((cache) => cache.match(key))
      .catch(() => undefined);
    if (cached?.headers.get(VERIFIED) === key) return cached;
    isWhole = false;
    return undefined;
  };

  /** Like `read`, but also compares the bytes. Used for the two small files that start every repair. */
  const readIntact = async (entry: Entry): Promise<Response | undefined> => {
    const cached = await read(entry);
    if (!cached || (await computeDigest(await cached.clone().arrayBuffer())) === entry.digest) return cached;
    // The file is damaged although it is marked as verified. Delete it, so that the next check fetches it again.
    await caches
      .open(SHELL_CACHE)
      .then((cache) => cache.delete(entry.key))
      .catch(() => false);
    isWhole = false;
    return undefined;
  };

  /** The keys of the verified files in the cache, of every version, and the files that this device needs. */
  const findWanted = async (): Promise<{ found: Set<string>; wanted: Entry[] }> => {
    const cache = await caches.open(SHELL_CACHE);
    const found = new Set((await cache.matchAll()).map((answer) => answer.headers.get(VERIFIED) ?? ''));
    const used = new Set([...found].map(getLaterName)).add(undefined);
    return { found, wanted: [...entries.values()].filter(({ url }) => used.has(getLaterName(url))) };
  };

  const findMissing = async (): Promise<Entry[]> => {
    const { found, wanted } = await findWanted();
    return wanted.filter(({ key }) => !found.has(key));
  };

  const findDamaged = async (): Promise<Entry[]> => {
    const damaged: Entry[] = [];
    for (const entry of (await findWanted()).wanted) if (!(await readIntact(entry))) damaged.push(entry);
    return damaged;
  };

  /** Fetches and stores files, each in up to two attempts. Returns the errors of those that failed. */
  const storeAll = async (wanted: Entry[]): Promise<unknown[]> => {
    const failures: unknown[] = [];
    const queue = [...wanted];
    const work = async () => {
      for (let entry = queue.pop(); entry; entry = queue.pop()) {
        const own = entry;
        await store(own)
          .catch(() => store(own))
          .catch((error: unknown) => failures.push(error));
      }
    };
    await Promise.all(Array.from({ length: PARALLEL_FETCHES }, work));
    return failures;
  };

  /**
   * Fetches the files that are missing from the cache.
   * @param isThorough also compares the bytes of every file with its digest
   */
  const check = async (isThorough = false): Promise<ShellCheck> => {
    const wanted = isThorough ? await findDamaged() : await findMissing();
    const failures = await storeAll(wanted);
    isWhole = failures.length === 0;
    return { repaired: wanted.length - failures.length, missing: failures.length };
  };

  const answerFile = async (entry: Entry, waitUntil: (work: Promise<unknown>) => void): Promise<Response> => {
    const cached = await (entry === starter ? readIntact : read)(entry);
    if (cached) return cached;
    const fetched = await fetchFile(entry);
    const copy = fetched.clone();
    waitUntil(caches.open(SHELL_CACHE).then((cache) => cache.put(entry.key, copy)));
    return fetched;
  };

  const answerPage = async (request: Request, shell: Entry): Promise<Response> => {
    const cached = await readIntact(shell);
    if (cached) return cached;
    // The browser shows whatever response comes, such as the sign-in page of a network. It is not stored.
    return fetch(request).catch(
      () => new Response(NO_SHELL, { status: 503, headers: { 'Content-Type': TYPES['html']! } }),
    );
  };

  const formerCaches = async () => (await caches.keys()).filter((name) => name.startsWith(FORMER_CACHE));

  return {
    check,

    /** Whether the previous worker stored a captive portal's page as code. It serves that page until it is replaced. */
    async isFormerPoisoned(): Promise<boolean> {
      for (const name of await formerCaches()) {
        const answers = await (await caches.open(name)).matchAll();
        const isPage = ({ url, headers }: Response) =>
          url.endsWith('.js') && headers.get('Content-Type')?.includes('html');
        if (answers.some(isPage)) return true;
      }
      return false;
    },

    /**
     * Stores every file that is missing.
     * @throws if a file cannot be fetched: the previous worker stays active, and the next attempt continues from here
     */
    async install(): Promise<void> {
      const [failure] = await storeAll(await findMissing());
      if (failure !== undefined) throw failure;
    },

    /** Removes the files of other versions. */
    async removeOutdated(): Promise<void> {
      const known = new Set([...entries.values()].map(({ key }) => key));
      const cache = await caches.open(SHELL_CACHE);
      const outdated = (await cache.keys()).filter(({ url }) => !known.has(url));
      await Promise.all(outdated.map((request) => cache.delete(request)));
      await Promise.all((await formerCaches()).map((name) => caches.delete(name)));
    },

    /** Answers a navigation to a page or a request for a file of the build; null if the server must answer. */
    answer(request: Request, waitUntil: (work: Promise<unknown>) => void): Promise<Response> | null {
      const { origin: host, pathname, search } = new URL(request.url);
      if (request.method !== 'GET' || host !== origin) return null;
      if (index && request.mode === 'navigate' && !NOT_PAGES.test(pathname)) return answerPage(request, index);
      const entry = search === '' ? entries.get(pathname) : undefined;
      return entry ? answerFile(entry, waitUntil) : null;
    },

    /** Checks again unless the shell is known to be complete. Offline, the next visit tries again. */
    async checkAgain(): Promise<void> {
      if (!isWhole) await check().catch(() => undefined);
    },
  };
}
