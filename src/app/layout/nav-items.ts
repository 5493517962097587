import { Bell, Clapperboard, House, MessageCircle, Users, type LucideIcon } from 'lucide-react';
import type { OwnWork } from '#db/own-work.ts';

export interface NavItem {
  to: string;
  label: string;
  icon: LucideIcon;
  /** Whether it shows an unread count. */
  isCounted?: true;
}

/** The bottom tabs of a phone. */
export const TABS: readonly NavItem[] = [
  { to: '/', label: 'Home', icon: House },
  { to: '/media', label: 'Media', icon: Clapperboard },
  { to: '/connections', label: 'Connections', icon: Users },
  { to: '/messages', label: 'Messages', icon: MessageCircle, isCounted: true },
  { to: '/notifications', label: 'Notifications', icon: Bell, isCounted: true },
];

interface NavLink {
  to: string;
  label: string;
  className?: string;
  isCounted?: true;
}

const OWN_WORK: Record<OwnWork, NavLink> = {
  auditions: { to: '/auditions', label: 'Auditions' },
  casting: { to: '/casting', label: 'Casting' },
};

/** The links of the desktop bar. Media is part of the profile there. Whoever auditions or casts has that second, and Industry Insights in both menus alone. */
export const getNavLinks = (work: OwnWork | null): readonly NavLink[] => [
  { to: '/', label: 'Home' },
  ...(work === null ? [] : [OWN_WORK[work]]),
  { to: '/connections', label: 'Connections' },
  { to: '/messages', label: 'Messages', isCounted: true },
  { to: '/notifications', label: 'Notifications', isCounted: true },
  // Hidden in a narrow bar when the pill is shown: both menus have it as well.
  ...(work === null
    ? [{ to: '/insights', label: 'Industry Insights', className: 'hidden xl:flex lg:[header:not(:has(.pill))_&]:flex' }]
    : []),
];

/** Whether a navigation path is the current one. Home is also /profile, but not the pages below it. */
export function isActivePath(path: string, pathname: string): boolean {
  if (path === '/') return /^\/(profile\/?)?$/.test(pathname);
  return pathname === path || pathname.startsWith(`${path}/`);
}
