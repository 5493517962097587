import type { Item } from '#db/views.ts';
import { Link } from '#ui/router.tsx';

/** Why something that was done with a record could not be sent, and where to go from there. Nothing for any other record. */
export function Refused({ item: { state, error } }: { item: Pick<Item, 'state' | 'error'> }) {
  if (state !== 'needs') return null;
  return (
    <p role="alert" className="mt-2 rounded-xl bg-needs-tint px-3 py-2 text-sm break-words text-needs">
      {error?.message ?? 'This could not be sent.'}{' '}
      <Link to="/waiting" className="font-semibold underline">
        See what you can do
      </Link>
    </p>
  );
}
