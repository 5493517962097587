import { ArrowLeft, Search } from 'lucide-react';
import type { ReactNode } from 'react';
import { Link, useLocation } from '#ui/router.tsx';
import { IconButton } from '#ui/Button.tsx';
import { lazyOptional } from '#ui/lazy-part.ts';
import { Logo } from '#ui/Logo.tsx';
import { useCurrentPageTitle } from '#ui/page-title.ts';
import { useAfterPaint } from '#ui/use-after-paint.ts';
import { useGoBack } from '#ui/use-go-back.ts';
import { BarSearch } from './BarSearch.tsx';
import { getNavLinks, isActivePath, TABS } from './nav-items.ts';
import { useOwnWork } from '../own-work.ts';
import type { CountedPath } from './Unread.tsx';
import { type OwnPages, UserMenuLabel, useOwnPages } from './UserMenuLabel.tsx';

const AppsMenu = lazyOptional(async () => (await import('./AppsMenu.tsx')).AppsMenu);
const UnreadCount = lazyOptional(async () => (await import('./Unread.tsx')).UnreadCount);
const UserMenu = lazyOptional(async () => (await import('./UserMenu.tsx')).UserMenu, UserMenuButton);

/** The button of the menu before its code is there. */
function UserMenuButton({ pages }: { pages: OwnPages }) {
  return (
    <span className="tap shrink-0 gap-2 md:pl-2">
      <UserMenuLabel pages={pages} />
    </span>
  );
}

/** The top bar. Phone: logo or Back, title, sync status, search, user menu. From 768 px it has the navigation links instead. */
export function NavBar({ pill, className = '' }: { pill: ReactNode; className?: string }) {
  const { pathname } = useLocation();
  const goBack = useGoBack();
  const title = useCurrentPageTitle();
  const isPainted = useAfterPaint();
  const pages = useOwnPages();
  const links = getNavLinks(useOwnWork());
  const isTab = TABS.some((tab) => isActivePath(tab.to, pathname));
  return (
    <header className={`sticky top-0 z-20 border-base-300 bg-base-200/98 md:border-b ${className}`}>
      <div className="mx-auto flex h-14 max-w-[1216px] items-center gap-1 px-2 md:h-[60px] md:gap-2 md:px-6">
        {!isTab && <IconButton label="Back" icon={ArrowLeft} className="md:hidden" onClick={goBack} />}
        <Link
          to="/"
          aria-label="Callboard, home"
          className={`tap shrink-0 gap-2 text-lg font-bold md:mr-2 ${isTab ? '' : 'max-md:hidden'}`}
        >
          <Logo size={30} />
          <span className="hidden lg:inline">Callboard</span>
        </Link>
        <div className="min-w-0 grow truncate text-lg font-bold md:hidden" aria-hidden>
          {isActivePath('/', pathname) ? 'Callboard' : title}
        </div>
        <Link to="/search" aria-label="Search" className="tap hidden md:inline-flex lg:hidden">
          <Search className="ic" aria-hidden />
        </Link>
        <BarSearch />
        <nav aria-label="Main" className="hidden grow items-center md:flex lg:ml-1">
          {links.map((link) => {
            const isActive = isActivePath(link.to, pathname);
            return (
              <Link
                key={link.to}
                to={link.to}
                aria-current={isActive ? 'page' : undefined}
                className={`relative h-11 items-center rounded-field px-2 text-[0.9375rem] font-[550] whitespace-nowrap lg:px-3 ${
                  link.className ?? 'flex'
                } ${isActive ? 'text-base-content' : 'text-muted'}`}
              >
                {link.label}
                {link.isCounted && isPainted && <UnreadCount path={link.to as CountedPath} className="ml-1.5" />}
                {isActive && <i className="absolute inset-x-3 -bottom-2 h-1 rounded-t-sm bg-accent" aria-hidden />}
              </Link>
            );
          })}
        </nav>
        {pill}
        <Link to="/search" aria-label="Search" className="tap md:hidden">
          <Search className="ic size-[22px]" aria-hidden />
        </Link>
        {/* Hidden in the narrowest bar when the pill is shown: the user menu and the footer have the same links. */}
        <div className="hidden size-11 text-muted lg:block md:[header:not(:has(.pill))_&]:block">
          {isPainted && <AppsMenu />}
        </div>
        {isPainted ? <UserMenu pages={pages} /> : <UserMenuButton pages={pages} />}
      </div>
    </header>
  );
}
