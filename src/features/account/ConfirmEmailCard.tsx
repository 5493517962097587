import { Mail } from 'lucide-react';
import { useAccount } from '#session/session.tsx';
import { useOnline } from '#shared/queries/use-online.ts';
import { Button, ButtonLink } from '#ui/Button.tsx';
import { HomeCard } from './HomeCard.tsx';
import { UnreachableEmail } from './UnreachableEmail.tsx';
import { useConfirmation } from './use-confirmation.ts';

/** Asks on Home to confirm the e-mail address. */
export function ConfirmEmailCard() {
  const { user } = useAccount();
  const isOnline = useOnline();
  const { isBusy, sendAgain } = useConfirmation();
  return (
    <HomeCard
      icon={Mail}
      title="Confirm your e-mail"
      label="E-mail"
      actions={
        isOnline ? (
          <>
            <Button look="tonal" className="grow md:grow-0" aria-disabled={isBusy} onClick={sendAgain}>
              {isBusy ? 'Sending…' : 'Send it again'}
            </Button>
            <ButtonLink to="/settings?change=email" look="line" className="grow md:grow-0">
              Change e-mail
            </ButtonLink>
          </>
        ) : (
          <p className="text-sm font-medium text-phone">You can open the link when you’re back online.</p>
        )
      }
    >
      {user.unreachable_email === user.email && <UnreachableEmail address={user.email} />}
      <p className="text-sm text-muted">
        We sent a link to <b className="font-semibold break-words text-base-content">{user.email}</b>.{' '}
        {user.must_confirm_email
          ? 'Until you open it, only you see your profile. You can build it meanwhile.'
          : 'Open it, so that we can always let you back in.'}
      </p>
    </HomeCard>
  );
}
