import { ChevronRight } from 'lucide-react';
import type { Item } from '#db/views.ts';
import { Link } from '#ui/router.tsx';
import { StatePill } from '#ui/StatePill.tsx';

interface RecordLinkProps {
  to: string;
  title: string;
  facts: string;
  /** 'Closed'; empty for none. */
  note: string;
  state: Item['state'];
}

/** A row that leads to a project or a role. */
export function RecordLink({ to, title, facts, note, state }: RecordLinkProps) {
  return (
    <li className="border-t border-base-300 first:border-t-0">
      <Link to={to} className="flex min-h-14 items-center gap-3 rounded-field py-2.5">
        <span className="min-w-0 grow leading-snug">
          <span className="block font-semibold break-words">{title}</span>
          <span className="block text-sm break-words text-muted empty:hidden">{facts}</span>
        </span>
        {note !== '' && <span className="state state-quiet">{note}</span>}
        <StatePill state={state} />
        <ChevronRight className="ic text-muted" aria-hidden />
      </Link>
    </li>
  );
}
