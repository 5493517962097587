import { DIGEST_LENGTH } from './digest-length.ts';

/** A file of the build, as `vite.config.ts` lists it: its address, and the beginning of the SHA-256 of its bytes in Base64. */
export interface ShellFile {
  url: string;
  revision: string;
}

interface Entry {
  url: string;
  digest: string;
  /** Address in the cache. It names the digest, so that the files of two versions stand side by side. */
  key: string;
}

/** What a check found and did, counted in files. */
export interface ShellCheck {
  repaired: number;
  missing: number;
}

const SHELL_CACHE = 'precache';
/** Begins the name of the cache that stored whatever came with status 200. */
const FORMER_CACHE = 'workbox-precache';
/** Set on what was fetched and compared with its digest; everything else in the cache was put there by somebody else. */
const VERIFIED = 'x-verified';
const PARALLEL_FETCHES = 6;
const INDEX = '/index.html';
/** Together with the page it notices that other code did not start, and loads what repairs it. */
const STARTER = '/theme.js';

/** A proxy may change the header and not the bytes, so the type follows from the name. */
const TYPES: Record<string, string> = {
  html: 'text/html; charset=utf-8',
  js: 'text/javascript; charset=utf-8',
  css: 'text/css; charset=utf-8',
  svg: 'image/svg+xml',
  png: 'image/png',
  woff2: 'font/woff2',
  webmanifest: 'application/manifest+json',
};

/** Never a page of the app: the server's own addresses, and anything that ends like a file. */
const NOT_PAGES = /^\/(api|storage|uploads|broadcasting|healthz|openapi\.json)(\/|$)|\/[^/]+\.[^/]+$/;

/** Shown where the browser lost the files and there is no network to fetch them again. */
const NO_SHELL = `<!doctype html><meta charset="utf-8"><meta name="viewport" content="width=device-width"><title>Callboard</title>
<h1>Callboard needs a connection to open</h1><p>This browser has removed part of the app. Go online and reload this page. Your changes are safe on this device.`;

async function digestOf(bytes: ArrayBuffer): Promise<string> {
  const digest = new Uint8Array(await crypto.subtle.digest('SHA-256', bytes));
  return btoa(String.fromCharCode(...digest)).slice(0, DIGEST_LENGTH);
}

/**
 * The files of the app on this device: after one visit every screen opens without a server, those never visited before too.
 * Only bytes that the build made are stored and served. A captive portal or a proxy that answers 200 with a page of its
 * own is refused at the installation, and what is damaged or missing in the cache counts as missing and is fetched again.
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
   * Fetches a file past the browser's own cache, where a portal's answer may lie as well.
   * @throws where the answer is not the file: another status, a redirect, other bytes
   */
  const fetchFile = async ({ url, digest, key }: Entry): Promise<Response> => {
    const answer = await fetch(url, { cache: 'no-cache', redirect: 'error' });
    const body = await answer.arrayBuffer();
    if (answer.status !== 200 || (await digestOf(body)) !== digest)
      throw new TypeError(`${url} is not the file of the build`);
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
    // A cache that cannot be read is worth as much as an empty one.
    const kept = await caches
      .open(SHELL_CACHE)
      .then((cache) => cache.match(key))
      .catch(() => undefined);
    if (kept?.headers.get(VERIFIED) === key) return kept;
    isWhole = false;
    return undefined;
  };

  /** As `read`, with the bytes compared too: quick for the two small files that all repair of the others begins with. */
  const readIntact = async (entry: Entry): Promise<Response | undefined> => {
    const kept = await read(entry);
    if (!kept || (await digestOf(await kept.clone().arrayBuffer())) === entry.digest) return kept;
    // Its mark is false. Without the file, every check finds it missing and fetches it again; the visit needs no more.
    await caches
      .open(SHELL_CACHE)
      .then((cache) => cache.delete(entry.key))
      .catch(() => false);
    isWhole = false;
    return undefined;
  };

  const findMissing = async (): Promise<Entry[]> => {
    const cache = await caches.open(SHELL_CACHE);
    const found = new Set((await cache.matchAll()).map((answer) => answer.headers.get(VERIFIED)));
    return [...entries.values()].filter(({ key }) => !found.has(key));
  };

  const findDamaged = async (): Promise<Entry[]> => {
    const damaged: Entry[] = [];
    for (const entry of entries.values()) if (!(await readIntact(entry))) damaged.push(entry);
    return damaged;
  };

  /** Stores what it can of these, each tried twice; answers what failed. */
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
   * Fetches what is missing from the cache.
   * @param isThorough also compares the bytes of every file with its digest
   */
  const check = async (isThorough = false): Promise<ShellCheck> => {
    const wanted = isThorough ? await findDamaged() : await findMissing();
    const failures = await storeAll(wanted);
    isWhole = failures.length === 0;
    return { repaired: wanted.length - failures.length, missing: failures.length };
  };

  const answerFile = async (entry: Entry, later: (work: Promise<unknown>) => void): Promise<Response> => {
    const kept = await (entry === starter ? readIntact : read)(entry);
    if (kept) return kept;
    const fetched = await fetchFile(entry);
    const copy = fetched.clone();
    later(caches.open(SHELL_CACHE).then((cache) => cache.put(entry.key, copy)));
    return fetched;
  };

  const answerPage = async (request: Request, shell: Entry): Promise<Response> => {
    const kept = await readIntact(shell);
    if (kept) return kept;
    // Whatever answers a visit is the browser's to show, the sign-in page of a network included. None of it is stored.
    return fetch(request).catch(
      () => new Response(NO_SHELL, { status: 503, headers: { 'Content-Type': TYPES['html']! } }),
    );
  };

  const formerCaches = async () => (await caches.keys()).filter((name) => name.startsWith(FORMER_CACHE));

  return {
    check,

    /** Whether the worker before this one stored a portal's page as code. It serves that page until it is replaced. */
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
     * Stores every file that is not there yet.
     * @throws where one cannot be had: the worker before this one stays, and the next try goes on from here
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

    /** The answer to a visit of a page or to a request of a file of the build; null where it is the server's to answer. */
    answer(request: Request, later: (work: Promise<unknown>) => void): Promise<Response> | null {
      const { origin: host, pathname, search } = new URL(request.url);
      if (request.method !== 'GET' || host !== origin) return null;
      if (index && request.mode === 'navigate' && !NOT_PAGES.test(pathname)) return answerPage(request, index);
      const entry = search === '' ? entries.get(pathname) : undefined;
      return entry ? answerFile(entry, later) : null;
    },

    /** Checks once more, unless nothing was found missing since the last check. Without a network the next visit tries again. */
    async checkAgain(): Promise<void> {
      if (!isWhole) await check().catch(() => undefined);
    },
  };
}
