import { Bell, Clapperboard, House, MessageCircle, Users, type LucideIcon } from 'lucide-react';

export interface NavItem {
  to: string;
  label: string;
  icon: LucideIcon;
  /** What is new there is counted. */
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

/** The words of the desktop bar; media is on the profile there. */
export const NAV_LINKS: readonly { to: string; label: string; className?: string; isCounted?: true }[] = [
  { to: '/', label: 'Home' },
  { to: '/connections', label: 'Connections' },
  { to: '/messages', label: 'Messages', isCounted: true },
  { to: '/notifications', label: 'Notifications', isCounted: true },
  // Both menus have it as well: in a narrow bar it makes way for the pill.
  { to: '/insights', label: 'Industry Insights', className: 'hidden xl:flex lg:[header:not(:has(.pill))_&]:flex' },
];

/** Whether a place is the one on screen. Home is also /profile; a page under it may be anybody's. */
export function isActivePath(place: string, pathname: string): boolean {
  if (place === '/') return /^\/(profile\/?)?$/.test(pathname);
  return pathname === place || pathname.startsWith(`${place}/`);
}
