import type { PendingMessage } from '#db/conversations.ts';
import type { Reason } from '#db/rows.ts';

/** Texts for reasons whose server message is missing or would not help a user. */
const TEXTS: Partial<Record<Reason, string>> = {
  gone: 'This conversation is closed. Your words are still here.',
  'unknown-op': 'Update the app to send this.',
  unsure: 'This may already have been sent. The connection broke before the answer came.',
  failed: 'Something went wrong on this device after it was sent, so Callboard may have it already.',
  suspect: 'The server has a problem. We keep trying.',
};

/** Explains why a message was not sent. */
export const getRefusalText = ({ reason, error }: Pick<PendingMessage, 'reason' | 'error'>): string =>
  (reason && TEXTS[reason]) ?? error?.message ?? 'This could not be sent.';
