'fetched soon after the start';

import { BookOpen, ChartColumn, Download, Grip, LifeBuoy, Search } from 'lucide-react';
import { useInstall } from '#features/install/use-install.ts';
import { Menu, type MenuItem } from '#ui/Menu.tsx';

/** The menu behind the nine dots, the same for visitors and signed-in people. */
export function AppsMenu({ className }: { className?: string }) {
  const { isOffered, install } = useInstall();
  const items: MenuItem[] = [
    { label: 'Industry Insights', icon: ChartColumn, to: '/insights' },
    { label: 'Search', icon: Search, to: '/search' },
    { label: 'Help', icon: BookOpen, to: '/help' },
    { label: 'Support', icon: LifeBuoy, to: '/support' },
  ];
  if (isOffered) items.push({ label: 'Install App', icon: Download, onSelect: install });
  return (
    <Menu
      label="Apps and links"
      triggerClass={`tap ${className ?? ''}`}
      trigger={<Grip className="ic size-6" aria-hidden />}
      items={items}
    />
  );
}
