import { Check, Clock, UserPlus } from 'lucide-react';
import { Link } from 'react-router-dom';
import type { Profile } from '#contract/records/profile.ts';
import type { Bond, bondWith } from '#db/people.ts';
import { useAccount } from '#session/session.tsx';
import { tellTrouble } from '#shared/trouble.ts';
import { Button } from '#ui/Button.tsx';
import { StatePill } from '#ui/StatePill.tsx';

const FACES = {
  none: { icon: UserPlus, words: 'Connect' },
  asked: { icon: Check, words: 'Accept' },
  pending: { icon: Clock, words: 'Pending' },
  connected: { icon: Check, words: 'Connected' },
} satisfies Record<Bond, unknown>;

interface ConnectButtonProps {
  profile: Profile;
  bond: Awaited<ReturnType<typeof bondWith>>;
}

/** Connect, Accept, Pending or Connected; what it says never goes back by itself, and its pill tells where the wish is. */
export function ConnectButton({ profile, bond }: ConnectButtonProps) {
  const { engine } = useAccount();
  const { icon, words } = FACES[bond.is];
  const isDone = bond.is === 'pending' || bond.is === 'connected';
  const handleClick = () => {
    const whom = { userId: String(profile.user_id), name: profile.stage_name };
    if (bond.is === 'none') void tellTrouble(engine.connect(whom));
    if (bond.is === 'asked' && bond.connectionId !== null) void tellTrouble(engine.accept(whom, bond.connectionId));
  };
  return (
    <div className="min-w-0 grow">
      {/* Stays in the order of focus: who just pressed it must hear what became of it. */}
      <Button
        icon={icon}
        look={isDone ? 'tonal' : 'primary'}
        className={`w-full ${isDone ? 'pointer-events-auto !cursor-default !border-transparent !bg-secondary !text-secondary-content' : ''}`}
        aria-disabled={isDone}
        onClick={isDone ? undefined : handleClick}
      >
        {words}
      </Button>
      <div className="mt-1.5 flex justify-center empty:hidden">
        {bond.state === 'needs' ? (
          <Link to="/waiting" className="inline-flex min-h-11 items-center" aria-label={`${words} needs you`}>
            <StatePill state="needs" />
          </Link>
        ) : (
          <StatePill state={bond.state} />
        )}
      </div>
    </div>
  );
}
