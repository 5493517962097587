import type { CastingItem } from '#db/casting.ts';
import { useAccount } from '#session/session.tsx';
import { toastOnError } from '#shared/error-text.ts';
import { announce } from '#ui/announce.tsx';
import { Avatar } from '#ui/Avatar.tsx';
import { Button } from '#ui/Button.tsx';
import { Card } from '#ui/Card.tsx';
import { focusPage } from '#ui/pass-focus.ts';
import { StatePill } from '#ui/StatePill.tsx';

type Place = CastingItem<'project_member'>;

/** Invitations to projects of others, and answers to them that wait on this device. */
export function Invitations({ places }: { places: readonly Place[] }) {
  if (places.length === 0) return null;
  return (
    <Card title="Invitations" count={places.length}>
      <ul>
        {places.map((place) => (
          <Invitation key={place.key} place={place} />
        ))}
      </ul>
    </Card>
  );
}

function Invitation({ place }: { place: Place }) {
  const { engine } = useAccount();
  const { id, body, op, error, state } = place;
  const { owner, project, role } = body;
  const say = async (act: 'join' | 'refuse') => {
    await engine.act({ type: 'project_member', id, act, title: project.title });
    announce(act === 'join' ? `You accepted the invitation to ${project.title}` : 'Invitation declined');
  };
  const answer = (act: 'join' | 'refuse') => () => {
    focusPage();
    void toastOnError(say(act));
  };
  const isOpen = body.state === 'invited';
  return (
    <li className="flex items-start gap-3 border-t border-base-300 py-3 first:border-t-0">
      <Avatar name={owner.name} src={owner.profile_photo} size="size-11" decorative />
      <div className="min-w-0 grow leading-snug">
        <div className="flex flex-wrap items-center gap-x-2 gap-y-1">
          <b className="min-w-0 grow font-semibold break-words">{project.title}</b>
          <StatePill state={state} />
        </div>
        <p className="text-sm break-words text-muted">
          {owner.name} invites you to {role === 'rate' ? 'watch and rate tapes' : 'watch tapes'}
        </p>
        {error && <p className="mt-1 text-sm text-needs">{error.message}</p>}
        {body.state === 'active' && (
          <p className="mt-1 text-sm text-muted">You said yes. The project comes with the next connection.</p>
        )}
        <div className="mt-2 flex flex-wrap gap-2 empty:hidden">
          {isOpen && state !== 'needs' && (
            <>
              <Button onClick={answer('join')} aria-label={`Accept the invitation to ${project.title}`}>
                Accept
              </Button>
              <Button look="line" onClick={answer('refuse')} aria-label={`Decline the invitation to ${project.title}`}>
                Decline
              </Button>
            </>
          )}
          {state === 'needs' && op !== undefined && (
            <Button look="line" onClick={() => void toastOnError(engine.discard(op))}>
              Discard
            </Button>
          )}
        </div>
      </div>
    </li>
  );
}
