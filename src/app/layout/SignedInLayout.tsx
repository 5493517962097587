import { Suspense, useEffect } from 'react';
import { Outlet, useLocation, useNavigate } from 'react-router-dom';
import { GuideHost } from '#features/install/GuideHost.tsx';
import { queueSummary } from '#db/queries.ts';
import { useAccount } from '#session/session.tsx';
import { useQuery } from '#shared/queries/use-query.ts';
import { useBusyWhile } from '#ui/busy.ts';
import { late } from '#ui/late.ts';
import { useAfterPaint } from '#ui/use-after-paint.ts';
import { RouteBoundary } from '../RouteBoundary.tsx';
import { Footer } from './Footer.tsx';
import { NavBar } from './NavBar.tsx';
import { OfflineBanner } from './OfflineBanner.tsx';
import { SkipLink } from './SkipLink.tsx';
import { TabBar } from './TabBar.tsx';

const SyncPill = late(async () => (await import('#features/sync-status/SyncPill.tsx')).SyncPill);
const SyncAnnouncer = late(async () => (await import('#features/sync-status/SyncAnnouncer.tsx')).SyncAnnouncer);
const IconCount = late(async () => (await import('./Unread.tsx')).AppBadge);
const LostBanner = late(async () => (await import('./DataLossBanner.tsx')).DataLossBanner);
const SignInBanner = late(async () => (await import('./SignInBanner.tsx')).SignInBanner);

/** '/' opens search from anywhere but a field. */
function useSearchKey(): void {
  const navigate = useNavigate();
  useEffect(() => {
    const handle = (event: KeyboardEvent) => {
      const at = event.target as HTMLElement;
      if (event.key !== '/' || event.ctrlKey || event.metaKey || event.altKey) return;
      if (at.isContentEditable || at.closest('input, textarea, select, dialog')) return;
      event.preventDefault();
      const field = document.querySelector<HTMLInputElement>('#people-search');
      // Narrow bars have no field: there it is a page.
      if (!field?.offsetParent) return void navigate('/search');
      field.focus();
      // The words of the last search make way for new ones.
      field.select();
    };
    document.addEventListener('keydown', handle);
    return () => document.removeEventListener('keydown', handle);
  }, [navigate]);
}

export function SignedInLayout() {
  const { pathname } = useLocation();
  const { hasLost } = useAccount();
  const queue = useQuery(queueSummary, []);
  const isPainted = useAfterPaint();
  useSearchKey();
  useBusyWhile((queue?.sending ?? 0) > 0);
  // A conversation is all that a phone's screen has room for.
  const isThread = pathname.startsWith('/messages/');
  const hiding = isThread ? 'max-md:hidden' : '';
  const isOfMessages = pathname.startsWith('/messages');
  return (
    <div className={`flex min-h-dvh flex-col ${isThread ? 'max-md:h-dvh' : ''} ${isOfMessages ? 'md:h-dvh' : ''}`}>
      <SkipLink />
      <NavBar
        // On a phone the field of the search is the bar.
        className={pathname === '/search' ? 'max-md:hidden' : hiding}
        pill={
          isPainted && (
            <Suspense>
              <SyncPill />
            </Suspense>
          )
        }
      />
      <aside aria-label="Notices">
        <OfflineBanner />
        <Suspense>
          {hasLost && <LostBanner />}
          {queue?.signInNeeded && <SignInBanner waiting={queue.waiting + queue.sending + queue.needs} />}
        </Suspense>
      </aside>
      <main
        id="main"
        tabIndex={-1}
        className={`grow ${isThread ? 'flex min-h-0 flex-col' : ''} ${isOfMessages ? 'md:flex md:min-h-0 md:flex-col' : ''}`}
      >
        <RouteBoundary key={isOfMessages ? '/messages' : pathname}>
          <Outlet />
        </RouteBoundary>
      </main>
      {!isOfMessages && <Footer className="mb-20 md:mb-0" />}
      <TabBar className={hiding} />
      <GuideHost />
      {isPainted && (
        <Suspense>
          <SyncAnnouncer />
          <IconCount />
        </Suspense>
      )}
    </div>
  );
}
