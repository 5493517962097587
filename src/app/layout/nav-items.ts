import { Bell, Clapperboard, House, MessageCircle, Users, type LucideIcon } from 'lucide-react';

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

/** The links of the desktop bar. Media is part of the profile there. */
export const NAV_LINKS: readonly { to: string; label: string; className?: string; isCounted?: true }[] = [
  { to: '/', label: 'Home' },
  { to: '/connections', label: 'Connections' },
  { to: '/messages', label: 'Messages', isCounted: true },
  { to: '/notifications', label: 'Notifications', isCounted: true },
  // Hidden in a narrow bar when the pill is shown: both menus have it as well.
  { to: '/insights', label: 'Industry Insights', className: 'hidden xl:flex lg:[header:not(:has(.pill))_&]:flex' },
];

/** Whether a navigation path is the current one. Home is also /profile, but not the pages below it. */
export function isActivePath(path: string, pathname: string): boolean {
  if (path === '/') return /^\/(profile\/?)?$/.test(pathname);
  return pathname === path || pathname.startsWith(`${path}/`);
}
