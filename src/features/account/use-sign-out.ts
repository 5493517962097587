import { useAccount, useSession } from '#session/session.tsx';

/** Signs out; with unsent changes it asks first what becomes of them. The routes lead to the sign-in page. */
export function useSignOut(): () => Promise<void> {
  const { signOut } = useSession();
  const { db } = useAccount();
  return async () => (await import('./confirm-sign-out.ts')).confirmSignOut(db, signOut);
}
