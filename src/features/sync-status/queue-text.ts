import type { QueueSummary, WaitingItem } from '#db/views.ts';
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

/** Explains why a change is delayed; null if the user need not know. */
export function getDelayText(item: Pick<WaitingItem, 'isServerFull' | 'waitsForWifi'>): string | null {
  if (item.waitsForWifi) return 'Waiting for Wi-Fi. You can change this in Settings.';
  return item.isServerFull ? 'The server is full. We keep trying.' : null;
}

/** Returns the headline of the Waiting to send page. */
export function getQueueTitle(queue: QueueSummary, device: string): string {
  const open = queue.waiting + queue.sending + queue.needs;
  if (open === 0) return 'Everything is saved';
  return `${count(open, 'change')}${open > 1 ? ', all' : ','} safe on this ${device}`;
}

/**
 * Returns the line under the headline: what happens next, or '' if the list below says it.
 * @param isPortal a captive portal responded instead of the server
 * @param isWifiAwaited everything that waits is a large file for Wi-Fi
 */
export function getQueueOutlook(
  queue: QueueSummary,
  online: boolean,
  { isPortal = false, isWifiAwaited = false } = {},
): string {
  const moving = queue.waiting + queue.sending;
  if (moving + queue.needs === 0) return 'Nothing is waiting.';
  if (queue.signInNeeded) return 'It will send when you sign in again.';
  if (queue.isSuspended) return 'It will send when you can write again.';
  if (moving === 0) return '';
  if (queue.sending > 0) return 'On the way now.';
  if (!online) return 'No signal. It will send when you’re back online.';
  if (isWifiAwaited) return 'It will send when you’re on Wi-Fi.';
  if (isPortal) return 'This Wi-Fi wants you to sign in. Open its sign-in page, then try again.';
  return 'No connection. We keep trying.';
}
