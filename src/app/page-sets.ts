import { CALLS } from '#contract/calls.ts';
import { pathOf } from '#contract/path.ts';
import { readEarly } from '#net/early-read.ts';
import { restoreSession } from '#session/session.tsx';
import { readLocal } from '#ui/read-local.ts';
import { lazyPage } from './lazy-page.ts';

/** Whether the device had a session when the page opened. Known at once, before the session has been read. */
export const wasSignedIn = readLocal('token') !== null;

/** The pages of a signed-in person, including the store. Visitors do not fetch them. */
export const SignedInPages = lazyPage(() => import('./SignedInRoutes.tsx'), 'SignedInRoutes');

/** The pages of a visitor. Signed-in people do not fetch them. */
export const PublicPages = lazyPage(() => import('./PublicRoutes.tsx'), 'PublicRoutes');

/** Any person's profile, for a visitor. */
export const PublicProfilePage = lazyPage(() => import('./pages/PublicPage.tsx'), 'PublicPage');

const PROFILE_PATH = /^\/profile\/([^/]+)\/([^/]+)\/?$/;

/** Fetches the page of a profile, and at the same time what it shows. */
async function preloadPublicProfile(): Promise<void> {
  const [, userSlug, typeSlug] = PROFILE_PATH.exec(location.pathname) ?? [];
  if (userSlug === undefined || typeSlug === undefined) return;
  readEarly(
    pathOf(CALLS.profilePage, { userSlug: decodeURIComponent(userSlug), typeSlug: decodeURIComponent(typeSlug) }),
  );
  await PublicProfilePage.load();
}

/** Fetches what opens a signed-in person's store and engine. */
export const fetchAccountCode = () => import('./open-account.ts');

/**
 * Starts before React renders. For a visitor, resolves when the page is loaded. For a signed-in person, resolves at once,
 * while the pages are being fetched and the session and its store are being opened.
 */
export async function preloadPages(): Promise<void> {
  // A failure is ignored here: the component imports the pages again and can show the error.
  if (!wasSignedIn) {
    await Promise.all([PublicPages.load(), preloadPublicProfile()].map((part) => part.catch(() => undefined)));
    return;
  }
  SignedInPages.load().catch(() => undefined);
  // `SessionProvider` handles a failure.
  restoreSession(fetchAccountCode).catch(() => undefined);
}
