import { Link, useLocation } from '#ui/router.tsx';
import { lazyOptional } from '#ui/lazy-part.ts';
import { useAfterPaint } from '#ui/use-after-paint.ts';
import { isActivePath, TABS } from './nav-items.ts';
import type { CountedPath } from './Unread.tsx';

const UnreadCount = lazyOptional(async () => (await import('./Unread.tsx')).UnreadCount);

/** The bottom navigation on phones. The marigold marker slides to the currentIndex tab. */
export function TabBar({ className = '' }: { className?: string }) {
  const { pathname } = useLocation();
  const isPainted = useAfterPaint();
  const currentIndex = TABS.findIndex((tab) => isActivePath(tab.to, pathname));
  return (
    <nav
      aria-label="Main"
      className={`fixed inset-x-0 bottom-0 z-30 grid grid-cols-5 border-t border-base-300 bg-base-100/98 px-1 pt-1 pb-[max(0.5rem,env(safe-area-inset-bottom))] md:hidden ${className}`}
    >
      {currentIndex >= 0 && (
        <i
          className="absolute -top-px left-1 h-1 w-[calc((100%-0.5rem)/5)] transition-transform duration-180"
          style={{ transform: `translateX(${currentIndex * 100}%)` }}
        >
          <b className="mx-auto block h-1 w-[26px] rounded-b-sm bg-accent" />
        </i>
      )}
      {TABS.map((tab, index) => (
        <Link
          key={tab.to}
          to={tab.to}
          aria-current={index === currentIndex ? 'page' : undefined}
          className={`relative flex min-h-[52px] min-w-0 flex-col items-center gap-0.5 pt-1.5 text-[max(11px,min(0.6875rem,3.2vw))] font-semibold ${
            index === currentIndex ? 'text-primary' : 'text-muted'
          }`}
        >
          <tab.icon className="ic size-[23px]" aria-hidden />
          <span className="max-w-full truncate">{tab.label}</span>
          {tab.isCounted && isPainted && (
            <UnreadCount path={tab.to as CountedPath} className="absolute top-0 left-[calc(50%+4px)]" />
          )}
        </Link>
      ))}
    </nav>
  );
}
