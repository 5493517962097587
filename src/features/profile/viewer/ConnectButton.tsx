import { Check, Clock, UserPlus } from 'lucide-react';
import { Link } from '#ui/router.tsx';
import type { Profile } from '#contract/records/profile.ts';
import type { ConnectionState, readConnectionState } from '#db/saved-and-connected.ts';
import { useAccount } from '#session/session.tsx';
import { toastOnError } from '#shared/error-text.ts';
import { Button } from '#ui/Button.tsx';
import { StatePill } from '#ui/StatePill.tsx';

const BUTTONS = {
  none: { icon: UserPlus, label: 'Connect' },
  asked: { icon: Check, label: 'Accept' },
  pending: { icon: Clock, label: 'Pending' },
  connected: { icon: Check, label: 'Connected' },
} satisfies Record<ConnectionState, unknown>;

interface ConnectButtonProps {
  profile: Profile;
  connection: Awaited<ReturnType<typeof readConnectionState>>;
}

/** The button Connect, Accept, Pending or Connected. It changes at once, and its pill shows the sync state of the intent. */
export function ConnectButton({ profile, connection }: ConnectButtonProps) {
  const { engine } = useAccount();
  const { icon, label } = BUTTONS[connection.value];
  const isDone = connection.value === 'pending' || connection.value === 'connected';
  const handleClick = () => {
    const person = { userId: String(profile.user_id), name: profile.stage_name };
    if (connection.value === 'none') void toastOnError(engine.connect(person));
    if (connection.value === 'asked' && connection.connectionId !== null)
      void toastOnError(engine.accept(person, connection.connectionId));
  };
  return (
    <div className="min-w-0 grow">
      {/* Stays focusable after the press, so that screen readers announce the new label. */}
      <Button
        icon={icon}
        look={isDone ? 'tonal' : 'primary'}
        className={`w-full ${isDone ? 'pointer-events-auto !cursor-default !border-transparent !bg-secondary !text-secondary-content' : ''}`}
        aria-disabled={isDone}
        onClick={isDone ? undefined : handleClick}
      >
        {label}
      </Button>
      <div className="mt-1.5 flex justify-center empty:hidden">
        {connection.syncState === 'needs' ? (
          <Link to="/waiting" className="inline-flex min-h-11 items-center" aria-label={`${label} needs you`}>
            <StatePill state="needs" />
          </Link>
        ) : (
          <StatePill state={connection.syncState} />
        )}
      </div>
    </div>
  );
}
