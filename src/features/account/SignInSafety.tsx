import { PasskeysCard } from './PasskeysCard.tsx';
import { RecoveryCodesCard } from './RecoveryCodesCard.tsx';

/** The ways to sign in besides the password. In a part of its own, because of the code for passkeys. */
export function SignInSafety({ onChanged }: { onChanged: () => void }) {
  return (
    <>
      <PasskeysCard onChanged={onChanged} />
      <RecoveryCodesCard />
    </>
  );
}
