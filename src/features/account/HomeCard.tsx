import type { LucideIcon } from 'lucide-react';
import type { ReactNode } from 'react';
import { IconDisc } from '#ui/IconDisc.tsx';

interface HomeCardProps {
  icon: LucideIcon;
  title: string;
  /** The name of the region, if it is not the title. */
  label?: string;
  /** Whether it tells of something that needs the person. */
  isUrgent?: boolean;
  children: ReactNode;
  /** What stands below, across the whole card. */
  actions?: ReactNode;
}

/** A card on Home that tells or asks the person one thing. */
export const HomeCard = ({ icon, title, label = title, isUrgent, children, actions }: HomeCardProps) => (
  <section className="notice grid content-center gap-3 p-4" aria-label={label}>
    <div className="flex gap-3">
      <IconDisc icon={icon} isUrgent={isUrgent} />
      <div className="min-w-0 grow">
        <h2 className="font-semibold">{title}</h2>
        {children}
      </div>
    </div>
    {actions && <div className="flex flex-wrap gap-2">{actions}</div>}
  </section>
);
