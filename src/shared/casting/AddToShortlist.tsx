import { Check, Clapperboard, Plus } from 'lucide-react';
import { getColumns } from '#contract/casting/shortlist.ts';
import type { PerformerCard } from '#db/casting.ts';
import { listOpenRoles, type OpenRole } from '#db/shortlist.ts';
import { useAccount } from '#session/session.tsx';
import { toastOnError } from '#shared/error-text.ts';
import { useQuery } from '#shared/queries/use-query.ts';
import { announce } from '#ui/announce.tsx';
import { Button, ButtonLink } from '#ui/Button.tsx';
import { ErrorPage } from '#ui/ErrorPage.tsx';
import { Link } from '#ui/router.tsx';
import { Sheet } from '#ui/Sheet.tsx';
import { focusRow } from '#ui/pass-focus.ts';

interface AddToShortlistProps {
  performer: PerformerCard;
  onClose: () => void;
}

/** Chooses the shortlists that somebody is put on, among those of the open roles. */
export function AddToShortlist({ performer, onClose }: AddToShortlistProps) {
  const roles = useQuery((db) => listOpenRoles(db, performer.profile_id), [performer.profile_id]);
  return (
    <Sheet
      title={`Add ${performer.name} to a shortlist`}
      onClose={onClose}
      foot={
        <Button className="flex-1" onClick={onClose}>
          Done
        </Button>
      }
    >
      {roles?.length === 0 && (
        <ErrorPage
          icon={Clapperboard}
          title="No open roles"
          text="Add a role to one of your projects first."
          action={<ButtonLink to="/casting">Your projects</ButtonLink>}
        />
      )}
      <ul>
        {roles?.map((each) => (
          <RoleRow key={each.role.key} {...each} performer={performer} />
        ))}
      </ul>
      <p className="text-sm text-muted">Nobody is told that they are on a shortlist.</p>
    </Sheet>
  );
}

function RoleRow({ role, project, isListed, performer }: OpenRole & { performer: PerformerCard }) {
  const { engine } = useAccount();
  const add = async () => {
    const column = getColumns(role.body)[0]?.id ?? '';
    await engine.addCandidates({ roleId: role.id, column, performers: [performer] });
    announce(`${performer.name} is on the shortlist of ${role.body.name}`);
  };
  return (
    <li className="flex min-h-14 items-center gap-3 border-t border-base-300 py-1.5 first:border-t-0">
      <span className="min-w-0 grow leading-snug">
        <Link to={`/casting/roles/${role.id}/shortlist`} className="link block font-semibold break-words">
          {role.body.name}
        </Link>
        <span className="block text-sm break-words text-muted">{project.body.title}</span>
      </span>
      {isListed ? (
        <span className="flex items-center gap-1.5 text-sm font-semibold text-primary">
          <Check className="ic size-4" aria-hidden /> On it
        </span>
      ) : (
        <Button
          look="tonal"
          icon={Plus}
          aria-label={`Add to the shortlist of ${role.body.name}`}
          onClick={({ currentTarget }) => {
            focusRow(currentTarget);
            void toastOnError(add());
          }}
        >
          Add
        </Button>
      )}
    </li>
  );
}
