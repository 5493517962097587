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
