import type { QueueSummary } from '#db/views.ts';
import { count } from '#lib/text.ts';

export interface PillText {
  look: 'phone' | 'sending' | 'needs';
  /** Text in the app bar. */
  short: string;
  /** Text for screen readers. */
  spoken: string;
}

/** Returns the text of the sync pill, or null if everything is saved. Changes that need attention come first. */
export function getPillText(queue: QueueSummary): PillText | null {
  const open = queue.waiting + queue.sending + queue.needs;
  if (open === 0) return null;
  if (queue.signInNeeded) {
    return { look: 'needs', short: 'Sign in to send', spoken: `Sign in again to send ${count(open, 'change')}` };
  }
  if (queue.needs > 0) {
    return {
      look: 'needs',
      short: `${queue.needs} ${queue.needs === 1 ? 'needs' : 'need'} you`,
      spoken: `${count(queue.needs, 'change')} ${queue.needs === 1 ? 'needs' : 'need'} you`,
    };
  }
  if (queue.sending > 0) {
    const moving = queue.sending + queue.waiting;
    return { look: 'sending', short: `Sending ${moving}`, spoken: `Sending ${count(moving, 'change')}` };
  }
  return {
    look: 'phone',
    short: `${queue.waiting} waiting`,
    spoken: `${count(queue.waiting, 'change')} waiting to send`,
  };
}

/**
 * Returns the sentence that announces a change of the queue to screen readers, or null if the change does not matter to the user.
 * @param device 'phone', 'tablet' or 'computer'
 */
export function getAnnouncement(before: QueueSummary, after: QueueSummary, device: string): string | null {
  const openBefore = before.waiting + before.sending + before.needs;
  const openAfter = after.waiting + after.sending + after.needs;
  if (after.signInNeeded && !before.signInNeeded && openAfter > 0) {
    return `Sign in again to send ${count(openAfter, 'change')}.`;
  }
  if (after.needs > before.needs) {
    return `${count(after.needs, 'change')} ${after.needs === 1 ? 'needs' : 'need'} you.`;
  }
  if (openAfter === 0 && openBefore > 0) return 'All changes saved.';
  if (openAfter > openBefore) return `${count(openAfter, 'change')} safe on this ${device}.`;
  if (after.sending > 0 && before.sending === 0) return `Sending ${count(openAfter - after.needs, 'change')}.`;
  return null;
}
