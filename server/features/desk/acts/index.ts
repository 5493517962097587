import { endSessions, makeModerator, removeAccount, sendReset, unmakeModerator } from './account.ts';
import { declineAge, grantAge } from './ages.ts';
import { hide } from './hide.ts';
import type { ActRegistry } from './kind.ts';
import { revokeVerification, verify } from './offices.ts';
import { answerAppeal, closeReport } from './reports.ts';
import { suspend } from './suspend.ts';

/** How each act is done and undone. Who may do it, and when, is in `contract/desk-acts.ts`. */
export const ACTS: ActRegistry = {
  hide,
  suspend,
  'report.close': closeReport,
  'appeal.answer': answerAppeal,
  'sessions.end': endSessions,
  'reset.send': sendReset,
  'account.remove': removeAccount,
  'moderator.make': makeModerator,
  'moderator.unmake': unmakeModerator,
  'office.verify': verify,
  'office.revoke': revokeVerification,
  'age.grant': grantAge,
  'age.decline': declineAge,
};
