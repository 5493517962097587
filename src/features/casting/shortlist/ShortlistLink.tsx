import { SquareKanban } from 'lucide-react';
import { listCards } from '#db/shortlist.ts';
import { useQuery } from '#shared/queries/use-query.ts';
import { ButtonLink } from '#ui/Button.tsx';

/** The way to the shortlist of a role. */
export function ShortlistLink({ roleId }: { roleId: string }) {
  const count = useQuery(async (db) => (await listCards(db, roleId)).length, [roleId]);
  return (
    <ButtonLink look="tonal" icon={SquareKanban} to={`/casting/roles/${roleId}/shortlist`}>
      Shortlist{count ? ` (${count})` : ''}
    </ButtonLink>
  );
}
