import { isWaiting } from '#db/casting-acts.ts';
import { hasLeft, type RequestView } from '#db/casting-role.ts';

/**
 * Whether a tape is still due: who was answered in any way, or asked again in a later round, waits for casting instead. Reminders follow
 * the same rule (decision 044).
 */
export const owesTape = ({ state, serverId, isReplaced, body }: RequestView): boolean =>
  isWaiting(body) &&
  body.answers.length === 0 &&
  body.announced_at === null &&
  !isReplaced &&
  !hasLeft({ serverId, body }) &&
  !(state === 'needs' && serverId === null);
