import { ChevronRight, type LucideIcon } from 'lucide-react';
import { IconDisc } from '#ui/IconDisc.tsx';
import { Link } from '#ui/router.tsx';

interface WorkLinkProps {
  to: string;
  icon: LucideIcon;
  title: string;
  /** What is next, in one line. */
  text: string;
  /** Whether there is little time. */
  isUrgent?: boolean;
}

/** A card on Home that leads to the person's work. */
export const WorkLink = ({ to, icon, title, text, isUrgent }: WorkLinkProps) => (
  <Link to={to} className="notice flex min-h-18 items-center gap-3 px-4 py-3">
    <IconDisc icon={icon} isUrgent={isUrgent} />
    <span className="min-w-0 grow leading-snug">
      <b className="block font-semibold break-words">{title}</b>
      <span className="block text-sm break-words text-muted">{text}</span>
    </span>
    <ChevronRight className="ic text-muted" aria-hidden />
  </Link>
);
