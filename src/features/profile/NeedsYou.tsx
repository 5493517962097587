import { Link } from 'react-router-dom';
import type { Item } from '#db/views.ts';
import { StatePill } from '#ui/StatePill.tsx';

interface NeedsYouProps {
  item: Item;
  /** What readers hear: 'Paper Boats'. */
  name: string;
  /** Opens the form that has the wrong field. */
  onFix: () => void;
}

const REACH = '-my-2 inline-flex min-h-11 items-center rounded-full';

/** The pill that leads to what the person has to do: the form where a field is wrong, else Waiting to send. */
export function NeedsYou({ item, name, onFix }: NeedsYouProps) {
  if (item.reason !== 'invalid') {
    return (
      <Link to="/waiting" className={REACH} aria-label={`${name} needs you`}>
        <StatePill state="needs" />
      </Link>
    );
  }
  return (
    <button type="button" className={REACH} aria-label={`Fix ${name}`} onClick={onFix}>
      <StatePill state="needs" />
    </button>
  );
}
