import { useEffect, type ReactNode } from 'react';
import { useLocation, useNavigate } from '#ui/router.tsx';
import { GuideHost } from '#features/install/GuideHost.tsx';
import { readSendingState } from '#db/queries.ts';
import { useQuery } from '#shared/queries/use-query.ts';
import { useBusyWhile } from '#ui/busy.ts';
import { lazyOptional } from '#ui/lazy-part.ts';
import { useAfterPaint } from '#ui/use-after-paint.ts';
import { RouteBoundary } from '../RouteBoundary.tsx';
import { Footer } from './Footer.tsx';
import { NavBar } from './NavBar.tsx';
import { OfflineBanner } from './OfflineBanner.tsx';
import { SkipLink } from './SkipLink.tsx';
import { TabBar } from './TabBar.tsx';

const SyncPill = lazyOptional(async () => (await import('#features/sync-status/SyncPill.tsx')).SyncPill);
const SyncAnnouncer = lazyOptional(async () => (await import('#features/sync-status/SyncAnnouncer.tsx')).SyncAnnouncer);
const AppBadge = lazyOptional(async () => (await import('./Unread.tsx')).AppBadge);
const LossNotices = lazyOptional(async () => (await import('./LossNotices.tsx')).LossNotices);
const SignInBanner = lazyOptional(async () => (await import('./SignInBanner.tsx')).SignInBanner);

/** The key '/' opens search, except in a text field or dialog. */
function useSearchKey(): void {
  const navigate = useNavigate();
  useEffect(() => {
    const handle = (event: KeyboardEvent) => {
      const target = event.target as HTMLElement;
      if (event.key !== '/' || event.ctrlKey || event.metaKey || event.altKey) return;
      if (target.isContentEditable || target.closest('input, textarea, select, dialog')) return;
      event.preventDefault();
      const field = document.querySelector<HTMLInputElement>('#people-search');
      // Narrow bars have no search field: open the search page.
      if (!field?.offsetParent) return navigate('/search');
      field.focus();
      // Selected, so that typing replaces the last search.
      field.select();
    };
    document.addEventListener('keydown', handle);
    return () => document.removeEventListener('keydown', handle);
  }, [navigate]);
}

export function SignedInLayout({ children }: { children: ReactNode }) {
  const { pathname } = useLocation();
  const sending = useQuery(readSendingState, []);
  const isPainted = useAfterPaint();
  useSearchKey();
  useBusyWhile(sending?.isSending === true);
  // A conversation takes the whole screen of a phone.
  const isThread = pathname.startsWith('/messages/');
  const hiddenOnPhone = isThread ? 'max-md:hidden' : '';
  const isMessages = pathname.startsWith('/messages');
  return (
    <div className={`flex min-h-dvh flex-col ${isThread ? 'max-md:h-dvh' : ''} ${isMessages ? 'md:h-dvh' : ''}`}>
      <SkipLink />
      <NavBar
        // On a phone the search page has its own field in place of the bar.
        className={pathname === '/search' ? 'max-md:hidden' : hiddenOnPhone}
        pill={isPainted && <SyncPill />}
      />
      <aside aria-label="Notices">
        <OfflineBanner />
        {sending?.hasLost && <LossNotices />}
        {(sending?.signInNeeded || sending?.isSuspended) && <SignInBanner />}
      </aside>
      <main
        id="main"
        tabIndex={-1}
        className={`grow ${isThread ? 'flex min-h-0 flex-col' : ''} ${isMessages ? 'md:flex md:min-h-0 md:flex-col' : ''}`}
      >
        <RouteBoundary key={isMessages ? '/messages' : pathname}>{children}</RouteBoundary>
      </main>
      {!isMessages && <Footer className="mb-20 md:mb-0" />}
      <TabBar className={hiddenOnPhone} />
      <GuideHost />
      {isPainted && (
        <>
          <SyncAnnouncer />
          <AppBadge />
        </>
      )}
    </div>
  );
}
