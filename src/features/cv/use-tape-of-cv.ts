import { readAudition } from '#db/casting.ts';
import { useQuery } from '#shared/queries/use-query.ts';
import { useSearchParams } from '#ui/router.tsx';

/** The audition for whose tape a CV is made. */
export interface TapeOfCv {
  id: string;
  /** The name of the role. */
  role: string;
}

/** The audition that the address of the page names. @returns undefined while it is read, null if there is none */
export function useTapeOfCv(): TapeOfCv | null | undefined {
  const [params] = useSearchParams();
  const id = params.get('audition');
  return useQuery(
    async (db) => {
      const found = id === null ? null : await readAudition(db, id);
      return found && { id: found.id, role: found.body.role.name };
    },
    [id],
  );
}
