import { Check, CheckCheck, Clock, Hand, type LucideIcon } from 'lucide-react';
import type { SaveState } from '#db/views.ts';
import { deviceWord } from '#ui/device.ts';

interface DeliveryStatus {
  icon: LucideIcon;
  word: string;
  tone: string;
}

/** Where a message of one's own is: on this device, on its way, with the server, on the other's devices, before their eyes. */
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

/** A mark with its word; in a list the word is for readers alone. */
export function DeliveryMark({
  mark: { icon: Icon, word, tone },
  hidesWord,
}: {
  mark: DeliveryStatus;
  hidesWord?: boolean;
}) {
  return (
    <span className={`inline-flex shrink-0 items-center gap-1 ${tone}`}>
      <Icon className="ic size-3.5" aria-hidden />
      <span className={hidesWord ? 'sr-only' : 'text-muted'}>{word}</span>
    </span>
  );
}
