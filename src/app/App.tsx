import { Suspense, useEffect, useRef, useState } from 'react';
import { useNavigate } from 'react-router-dom';
import { SessionProvider, useSession } from '#session/session.tsx';
import { afterPaint } from '#ui/after-paint.ts';
import { LiveRegion } from '#ui/announce.tsx';
import { isAnythingBusy } from '#ui/busy.ts';
import { Mark } from '#ui/Mark.tsx';
import { QuestionHost } from '#ui/question-host.ts';
import { Loading } from '#ui/Skeleton.tsx';
import { toast, Toaster } from '#ui/Toast.tsx';
import { useRouteFocus } from './layout/use-route-focus.ts';
import { useScrollRestoration } from './layout/use-scroll-restoration.ts';
import { RouteBoundary } from './RouteBoundary.tsx';
import { type PageSet, publicPages, signedInPages, wasSignedIn } from './page-sets.ts';

/** What is open stays the same component, also when its code arrives meanwhile. */
function OpenPages({ set }: { set: PageSet }) {
  const [Routes] = useState(() => set.pages());
  return <Routes />;
}

/** While a token alone is known and the server is asked whose it is; otherwise over before it shows. */
function Opening() {
  return (
    <Loading label="Opening Callboard">
      <div className="grid min-h-dvh place-items-center">
        <Mark size={64} />
      </div>
    </Loading>
  );
}

/** Which of the two sets of pages is open. Signing out ends on the sign-in page. */
function Pages() {
  const { state } = useSession();
  const navigate = useNavigate();
  const before = useRef(state);
  useEffect(() => {
    if (before.current === 'signed in' && state === 'signed out') void navigate('/login', { replace: true });
    before.current = state;
  }, [state, navigate]);
  // A visitor sees the page at once; someone with a session must not see the landing page flash by.
  if (state === 'starting' && wasSignedIn) return <Opening />;
  const isIn = state === 'signed in';
  return (
    <RouteBoundary key={isIn ? 'in' : 'out'}>
      <OpenPages set={isIn ? signedInPages : publicPages} />
    </RouteBoundary>
  );
}

/**
 * What registers the worker could not be fetched: the browser may have kept a sign-in page in its place. The worker fetches
 * all code past the browser's cache, and everything that waited for code tries again.
 */
function registerWorkerDirectly(): void {
  const workers = navigator.serviceWorker as ServiceWorkerContainer | undefined;
  workers?.addEventListener('controllerchange', () => dispatchEvent(new Event('online')), { once: true });
  workers?.register('/sw.js', { updateViaCache: 'none' }).catch(console.warn);
}

/** New versions come in only when the person says so, and never over unsaved words or a running send. */
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

/** A failure that no screen tells of is told here. */
function useReportUnhandledRejections(): void {
  useEffect(() => {
    const handle = ({ reason }: PromiseRejectionEvent) =>
      void import('./unhandled-rejection.ts').then(
        ({ notifyUnhandledRejection: tellThrow }) => tellThrow(reason),
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
    <SessionProvider>
      <Suspense>
        <Pages />
      </Suspense>
      <Toaster />
      <QuestionHost />
      <LiveRegion />
    </SessionProvider>
  );
}
