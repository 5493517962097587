import { lazy, type ComponentType } from 'react';
import { PageLoadError } from './lazy-page.ts';

function hasToken(): boolean {
  try {
    return localStorage.getItem('token') !== null;
  } catch {
    return false;
  }
}

/** Whether this device held a session when the page opened: known at once, before the session itself is read. */
export const wasSignedIn = hasToken();

export interface PageSet {
  /** Fetches the code; rejects with PageNotHere. */
  load(): Promise<ComponentType>;
  /** The pages themselves where their code is here, else a stand-in that waits for it. */
  pages(): ComponentType;
}

/** React holds back for 300 ms whatever it had to wait for once: code that is here already must not be waited for. */
function pageSet(fetchPages: () => Promise<ComponentType>): PageSet {
  let ready: ComponentType | null = null;
  const load = () =>
    fetchPages().then(
      (pages) => (ready = pages),
      (error: unknown) => {
        throw new PageLoadError('The pages could not be fetched', { cause: error });
      },
    );
  const LazyPages = lazy(async () => ({ default: await load() }));
  return { load, pages: () => ready ?? LazyPages };
}

/** The pages of a signed-in person, with the store under them: nothing a visitor has to fetch. */
export const signedInPages = pageSet(async () => (await import('./SignedInRoutes.tsx')).SignedInRoutes);

/** The pages of a visitor: nothing a signed-in person has to fetch. */
export const publicPages = pageSet(async () => (await import('./PublicRoutes.tsx')).PublicRoutes);

/**
 * Asks for the pages, and a signed-in person's store beside them, ahead of React. Resolves when there is something to
 * draw: for a visitor the pages, for someone with a session at once, for that has to be read first.
 */
export async function preloadPages(): Promise<void> {
  // Whoever needs them imports them again and meets the failure where it can be shown.
  const pages = (wasSignedIn ? signedInPages : publicPages).load().catch(() => undefined);
  if (!wasSignedIn) return void (await pages);
  import('#session/account.ts').catch(() => undefined);
}
