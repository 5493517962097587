import { isAnsweredFinally, isOver } from '#contract/casting/state.ts';
import type { Audition } from '#contract/records/casting.ts';
import type { AccountDb } from '#db/database.ts';
import { listAuditions } from '#db/casting.ts';
import { observeQuery } from '#open-store/store.ts';
import { whyNoTape } from '#shared/casting/takes-tape.ts';
import { prepareFinishing } from '#shared/takes/finish-take.ts';
import { getPinnedFiles, toCacheKey } from './offline-cache.ts';
import { pinWorkFile, unpinWorkFiles } from './use-offline-media.ts';

/** When a file that could not be fetched is tried again. The browser tells when it has a network, but not when the server is back. */
const RETRY_MS = 60_000;

/** Whether the performer may still need the pages of an audition. */
const isNeeded = (body: Audition): boolean =>
  !isOver(body, body.role.status) && (!isAnsweredFinally(body.answers) || body.answers.at(-1)?.kind === 'cast');

/** The PDFs that performers need, by the paths on the server. */
const getNeededPaths = (auditions: readonly { body: Audition }[]): string[] => [
  ...new Set(auditions.flatMap(({ body }) => (isNeeded(body) ? (body.sides ?? []).map(({ path }) => path) : []))),
];

/** Fetches what is needed and not there, and removes what was fetched for an audition that has ended. @returns false if some of it could not be reached */
async function update(db: AccountDb, getPaths: () => readonly string[], signal: AbortSignal): Promise<boolean> {
  const row = await db.meta.get('kept-sides');
  const before = row?.k === 'kept-sides' ? row.paths : [];
  const needed = getPaths();
  const ended = before.filter((path) => !needed.includes(path));
  // Noted first: a page that ends in between must not leave files that nothing removes.
  await db.meta.put({ k: 'kept-sides', paths: [...new Set([...before, ...needed])] });
  if (ended.length > 0) await unpinWorkFiles(ended);
  const pinned = await getPinnedFiles();
  let isComplete = true;
  for (const path of needed) {
    if (signal.aborted || pinned.has(toCacheKey(path))) continue;
    // The audition may have ended meanwhile.
    if (getPaths().includes(path) && (await pinWorkFile(path)) === 'unreachable') isComplete = false;
  }
  if (!signal.aborted) await db.meta.put({ k: 'kept-sides', paths: [...needed] });
  return isComplete;
}

/**
 * Keeps what a performer needs for an audition on this device from the moment when it learns of the audition: the PDFs, which it removes
 * when the audition is over, and the code that finishes takes.
 * @param signal aborted when the account is closed
 */
export function keepForAuditions(db: AccountDb, signal: AbortSignal): void {
  // Some private windows have no cache.
  if (signal.aborted || typeof caches === 'undefined') return;
  let paths: readonly string[] | null = null;
  let mayTape = false;
  let timer: ReturnType<typeof setTimeout> | undefined;
  let lastRun: Promise<unknown> = Promise.resolve();
  const run = () => {
    // Before the auditions are known, every file would count as one of an audition that has ended.
    if (paths === null) return;
    clearTimeout(timer);
    const retry = () => {
      clearTimeout(timer);
      if (!signal.aborted) timer = setTimeout(run, RETRY_MS);
    };
    const fetchAll = async () => {
      const hasPages = await update(db, () => paths ?? [], signal);
      // Takes are recorded where there is no signal, and a tape is finished in time only once its MP4 is made.
      const hasFinisher = !mayTape || (await prepareFinishing());
      return hasPages && hasFinisher;
    };
    lastRun = lastRun.then(() =>
      signal.aborted
        ? null
        : fetchAll().then(
            (isComplete) => isComplete || retry(),
            (error: unknown) => {
              if (signal.aborted) return;
              reportError(error);
              retry();
            },
          ),
    );
  };
  const unsubscribe = observeQuery(db, listAuditions, (auditions) => {
    const needed = getNeededPaths(auditions);
    const isTaping = auditions.some((audition) => whyNoTape(audition, Date.now()) === null);
    if (needed.join() === paths?.join() && isTaping === mayTape) return;
    paths = needed;
    mayTape = isTaping;
    run();
  });
  signal.addEventListener('abort', () => {
    unsubscribe();
    clearTimeout(timer);
  });
  addEventListener('online', run, { signal });
}
