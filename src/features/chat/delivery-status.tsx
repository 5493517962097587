import { Check, CheckCheck, Clock, Hand, type LucideIcon } from 'lucide-react';
import type { SaveState } from '#db/views.ts';
import { deviceWord } from '#ui/device.ts';

interface DeliveryStatus {
  icon: LucideIcon;
  word: string;
  tone: string;
}

/** Returns how far an own message has got: on this device, sending, sent, delivered or read. */
export function getDeliveryStatus(
  state: SaveState,
  receipts: { isDelivered: boolean; isRead: boolean },
): DeliveryStatus {
  if (state === 'phone') return { icon: Clock, word: `On this ${deviceWord()}`, tone: 'text-phone' };
  if (state === 'sending') return { icon: Clock, word: 'Sending', tone: 'text-send' };
  if (state === 'needs') return { icon: Hand, word: 'Needs you', tone: 'text-needs' };
  if (receipts.isRead) return { icon: CheckCheck, word: 'Read', tone: 'text-saved' };
  return receipts.isDelivered
    ? { icon: CheckCheck, word: 'Delivered', tone: '' }
    : { icon: Check, word: 'Sent', tone: '' };
}

/** The icon and word of a delivery status. With `hidesWord`, only screen readers get the word. */
export function DeliveryMark({
  status: { icon: Icon, word, tone },
  hidesWord,
}: {
  status: DeliveryStatus;
  hidesWord?: boolean;
}) {
  return (
    <span className={`inline-flex shrink-0 items-center gap-1 ${tone}`}>
      <Icon className="ic size-3.5" aria-hidden />
      <span className={hidesWord ? 'sr-only' : 'text-muted'}>{word}</span>
    </span>
  );
}
