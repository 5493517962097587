import { Check, Plus } from 'lucide-react';
import type { ReactNode } from 'react';
import type { SearchRow } from '#contract/records/search.ts';
import { getRight } from '#db/casting.ts';
import { readShortlist, type ShortlistView } from '#db/shortlist.ts';
import { useAccount } from '#session/session.tsx';
import { toastOnError } from '#shared/error-text.ts';
import { useQuery } from '#shared/queries/use-query.ts';
import { announce } from '#ui/announce.tsx';
import { Button, ButtonLink } from '#ui/Button.tsx';
import { focusRow } from '#ui/pass-focus.ts';
import { SearchRowContext } from './search-row-context.ts';

/** Search results that can be added to the shortlist of a role. @param roleId of either side */
export function ShortlistSearch({ roleId, children }: { roleId: string; children: ReactNode }) {
  const view = useQuery((db) => readShortlist(db, roleId), [roleId]);
  // Whoever may only watch finds performers as everybody does.
  if (view == null || getRight(view.project) === 'read') return children;
  const { role, count } = view;
  const listed = new Set(view.columns.flatMap(({ cards }) => cards.map(({ performer }) => performer.profile_id)));
  return (
    <SearchRowContext
      value={(row) => row.id !== '' && <AddButton row={row} view={view} isListed={listed.has(row.id)} />}
    >
      <div className="notice mt-2 flex flex-wrap items-center gap-x-3 gap-y-2 px-4 py-2.5">
        <p className="min-w-0 grow break-words">
          For the shortlist of <b className="font-semibold">{role.body.name}</b>
        </p>
        <ButtonLink look="tonal" to={`/casting/roles/${role.id}/shortlist`}>
          Shortlist ({count})
        </ButtonLink>
      </div>
      {children}
    </SearchRowContext>
  );
}

interface AddButtonProps {
  row: SearchRow;
  view: ShortlistView;
  isListed: boolean;
}

function AddButton({ row, view: { role, columns }, isListed }: AddButtonProps) {
  const { engine, user } = useAccount();
  const { id, stage_name: name, title, profile_photo } = row;
  if (row.facts?.user_id === user.id) return null;
  if (isListed) {
    return (
      <p className="mt-2 flex min-h-11 items-center gap-1.5 text-sm font-semibold text-primary">
        <Check className="ic size-4" aria-hidden /> On the shortlist
      </p>
    );
  }
  const add = async () => {
    const performers = [{ profile_id: id, name, title, profile_photo }];
    await engine.addCandidates({ roleId: role.id, column: columns[0]?.id ?? '', performers });
    announce(`${name} is on the shortlist`);
  };
  return (
    <Button
      look="tonal"
      icon={Plus}
      className="relative mt-2"
      aria-label={`Add ${name} to the shortlist`}
      onClick={({ currentTarget }) => {
        focusRow(currentTarget);
        void toastOnError(add());
      }}
    >
      Add
    </Button>
  );
}
