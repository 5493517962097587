import { PageNotHere } from './lazy-page.ts';

function hasToken(): boolean {
  try {
    return localStorage.getItem('token') !== null;
  } catch {
    return false;
  }
}

/** Whether this device held a session when the page opened: known at once, before the session itself is read. */
export const wasSignedIn = hasToken();

/** The pages of a signed-in person, with the store under them: nothing a visitor has to fetch. */
export const loadSignedIn = () =>
  import('./SignedInRoutes.tsx').then(
    (module) => ({ default: module.SignedInRoutes }),
    (error: unknown) => {
      throw new PageNotHere('The pages could not be fetched', { cause: error });
    },
  );

/** The pages of a visitor: nothing a signed-in person has to fetch. */
export const loadPublic = () =>
  import('./PublicRoutes.tsx').then(
    (module) => ({ default: module.PublicRoutes }),
    (error: unknown) => {
      throw new PageNotHere('The pages could not be fetched', { cause: error });
    },
  );

/** Asks for the pages, and a signed-in person's store beside them, while React starts, not one after the other. */
export function fetchAhead(): void {
  // Whoever needs them imports them again and meets the failure where it can be shown.
  (wasSignedIn ? loadSignedIn() : loadPublic()).catch(() => undefined);
  if (!wasSignedIn) return;
  import('#session/account.ts').catch(() => undefined);
}
