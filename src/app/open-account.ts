'fetched first by members';

import type { User } from '#contract/records/account.ts';
import { type Account, openAccount as openInSession } from '#session/account.ts';

/** Opens an account together with what `src/shared` adds to it: drafts and background tasks. */
export const openAccount = (user: User): Promise<Account> =>
  openInSession(user, {
    restoreDrafts: async (db) => (await import('#shared/forms/drafts.ts')).restoreDrafts(db, Date.now()),
    loadBackgroundTasks: () => import('#shared/background-tasks/start.ts'),
  });
