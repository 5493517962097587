import type { LucideIcon } from 'lucide-react';

interface IconDiscProps {
  icon: LucideIcon;
  /** Whether it stands beside something that needs the person. */
  isUrgent?: boolean | undefined;
  /** Of the icon. */
  className?: string;
}

/** The round sign at the beginning of a card. Decorative: the text beside it says the same. */
export const IconDisc = ({ icon: Icon, isUrgent = false, className = '' }: IconDiscProps) => (
  <span
    className={`grid size-11 shrink-0 place-items-center rounded-full ${isUrgent ? 'bg-needs-tint text-needs' : 'bg-secondary text-secondary-content'}`}
  >
    <Icon className={`ic ${className}`} aria-hidden />
  </span>
);
