import { useEffect, useRef } from 'react';
import { useNavigate } from '#ui/router.tsx';
import { SessionProvider, useSession } from '#session/session.tsx';
import { afterPaint } from '#ui/after-paint.ts';
import { LiveRegion } from '#ui/announce.tsx';
import { isAnythingBusy } from '#ui/busy.ts';
import { Logo } from '#ui/Logo.tsx';
import { QuestionHost } from '#ui/question-host.ts';
import { Loading } from '#ui/Skeleton.tsx';
import { toast, Toaster } from '#ui/Toast.tsx';
import { useRouteFocus } from './layout/use-route-focus.ts';
import { useScrollRestoration } from './layout/use-scroll-restoration.ts';
import { RouteBoundary } from './RouteBoundary.tsx';
import { fetchAccountCode, PublicPages, PublicProfilePage, SignedInPages, wasSignedIn } from './page-sets.ts';

/** Shown while the session is being restored, for example while the server is asked whose token it is. */
function OpeningScreen() {
  return (
    <Loading label="Opening Callboard">
      <div className="grid min-h-dvh place-items-center">
        <Logo size={64} />
      </div>
    </Loading>
  );
}

/** Renders the public or the signed-in pages. Signing out leads to the sign-in page. */
function Pages() {
  const { state } = useSession();
  const navigate = useNavigate();
  const previousState = useRef(state);
  useEffect(() => {
    if (previousState.current === 'signed in' && state === 'signed out') navigate('/login', { replace: true });
    previousState.current = state;
  }, [state, navigate]);
  // A visitor sees the page at once; for a signed-in person the landing page must not flash up.
  if (state === 'starting' && wasSignedIn) return <OpeningScreen />;
  const isSignedIn = state === 'signed in';
  return (
    <RouteBoundary key={isSignedIn ? 'in' : 'out'}>
      {isSignedIn ? <SignedInPages /> : <PublicPages ProfilePage={PublicProfilePage} />}
    </RouteBoundary>
  );
}

/**
 * Registers the service worker when update.ts could not be fetched, for example because the HTTP cache holds the sign-in page of
 * a captive portal in its place. The worker fetches all code past the HTTP cache.
 */
function registerWorkerDirectly(): void {
  const workers = navigator.serviceWorker as ServiceWorkerContainer | undefined;
  workers?.register('/sw.js', { updateViaCache: 'none' }).catch(console.warn);
}

/** Offers new versions in a toast. Reloads only when the person asks, and never during unsaved input or a running send. */
function useUpdates(): void {
  useEffect(() => {
    afterPaint(() => {
      import('./update.ts').then(
        ({ watchForUpdates }) =>
          watchForUpdates({
            isBusy: isAnythingBusy,
            onReady: (reload) =>
              toast({ text: 'New version ready', action: { label: 'Reload', onSelect: reload }, stays: true }),
          }),
        registerWorkerDirectly,
      );
    });
  }, []);
}

/** Tells the person about failures that no screen handles. */
function useReportUnhandledRejections(): void {
  useEffect(() => {
    const handle = ({ reason }: PromiseRejectionEvent) =>
      void import('./unhandled-rejection.ts').then(
        ({ notifyUnhandledRejection }) => notifyUnhandledRejection(reason),
        console.error,
      );
    addEventListener('unhandledrejection', handle);
    return () => removeEventListener('unhandledrejection', handle);
  }, []);
}

export function App() {
  useRouteFocus();
  useScrollRestoration();
  useUpdates();
  useReportUnhandledRejections();
  return (
    <SessionProvider fetchAccountCode={fetchAccountCode}>
      <Pages />
      <Toaster />
      <QuestionHost />
      <LiveRegion />
    </SessionProvider>
  );
}
