import type { LucideIcon } from 'lucide-react';
import type { ReactNode } from 'react';

interface BadgeProps {
  icon: LucideIcon;
  isFilled?: boolean;
  /** One word beside the icon. */
  children: ReactNode;
}

/** A small badge on an item's picture or in its row. */
export function Badge({ icon: Icon, isFilled = false, children }: BadgeProps) {
  return (
    <span className="num inline-flex items-center gap-1 rounded-full bg-neutral px-1.5 py-1 text-[0.6875rem] leading-none font-semibold text-neutral-content">
      <Icon className={`size-3.5 ${isFilled ? 'fill-current' : ''}`} aria-hidden />
      {children}
    </span>
  );
}
