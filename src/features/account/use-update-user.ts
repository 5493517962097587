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
    // What waited for the confirmation, for an answer, or for the end of a suspension, can be sent now.
    const before = account?.user;
    if (before?.asks !== user.asks || before?.is_suspended !== user.is_suspended) await account?.engine.tryNow();
  };
}
