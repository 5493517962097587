import type { User } from '#contract/records/account.ts';
import { useSession } from '#session/session.tsx';

/** Returns a function that shows and stores what the server says about the signed-in person. */
export function useUpdateUser(): (user: User) => Promise<void> {
  const { account, showUser } = useSession();
  return async (user) => {
    const { storeUser } = await import('#session/stored-session.ts');
    // Meanwhile somebody else may have signed in in another tab.
    if (!(await storeUser(user))) return;
    showUser(user);
    // What waited for the confirmation, or for an answer, can be sent now.
    if (account?.user.asks !== user.asks) await account?.engine.tryNow();
  };
}
