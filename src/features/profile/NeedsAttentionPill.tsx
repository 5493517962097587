import { Link } from '#ui/router.tsx';
import type { Item } from '#db/views.ts';
import { StatePill } from '#ui/StatePill.tsx';

interface NeedsAttentionPillProps {
  item: Item;
  /** Name of the item for screen readers: 'Paper Boats'. */
  name: string;
  /** Opens the form that has the invalid field. */
  onFix: () => void;
}

const TAP_AREA = '-my-2 inline-flex min-h-11 items-center rounded-full';

/** The 'needs you' pill. It opens the form if a field is invalid, else it links to Waiting to send. */
export function NeedsAttentionPill({ item, name, onFix }: NeedsAttentionPillProps) {
  if (item.reason !== 'invalid') {
    return (
      <Link to="/waiting" className={TAP_AREA} aria-label={`${name} needs you`}>
        <StatePill state="needs" />
      </Link>
    );
  }
  return (
    <button type="button" className={TAP_AREA} aria-label={`Fix ${name}`} onClick={onFix}>
      <StatePill state="needs" />
    </button>
  );
}
