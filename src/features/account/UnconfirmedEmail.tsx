import { Mail } from 'lucide-react';
import { Button } from '#ui/Button.tsx';
import { OnlineOnly } from './OnlineOnly.tsx';
import { UnreachableEmail } from './UnreachableEmail.tsx';
import { useConfirmation } from './use-confirmation.ts';

/**
 * Says in Settings that the e-mail address is not confirmed yet, and sends the link again.
 * @param address the address if mail could not be delivered to it
 */
export function UnconfirmedEmail({ address }: { address: string | null }) {
  const { isBusy, sendAgain } = useConfirmation();
  return (
    <div className="mt-1">
      {address === null ? (
        <p className="text-sm font-medium text-phone">
          Not confirmed yet. Open the link in the e-mail that we sent you.
        </p>
      ) : (
        <UnreachableEmail address={address} />
      )}
      <OnlineOnly doing="Sending it again">
        <Button look="line" icon={Mail} className="mt-3" aria-disabled={isBusy} onClick={sendAgain}>
          {isBusy ? 'Sending…' : 'Send the link again'}
        </Button>
      </OnlineOnly>
    </div>
  );
}
