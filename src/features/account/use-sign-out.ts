import { useAccount, useSession } from '#session/session.tsx';

/** Returns a function that signs out and first asks about unsent changes. The routes redirect to the sign-in page. */
export function useSignOut(): () => Promise<void> {
  const { signOut } = useSession();
  const account = useAccount();
  return async () => (await import('./confirm-sign-out.ts')).confirmSignOut(account, signOut);
}
