import type { User } from '#contract/records/account.ts';
import { readSession, writeSession } from '#db/device.ts';
import { useSession } from '#session/session.tsx';

/** Returns a function that shows and stores what the server says about the signed-in person. */
export function useUpdateUser(): (user: User) => Promise<void> {
  const { account, showUser } = useSession();
  return async (user) => {
    const session = await readSession();
    // Meanwhile somebody else may have signed in in another tab.
    if (session?.userId !== user.id) return;
    await writeSession({ ...session, user });
    showUser(user);
    // What waited for the confirmation can be sent now.
    if (account?.user.must_confirm_email && !user.must_confirm_email) await account.engine.tryNow();
  };
}
