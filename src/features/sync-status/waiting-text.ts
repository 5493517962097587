import type { QueueSummary, WaitingItem } from '#db/views.ts';
import { count } from '#lib/text.ts';

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
