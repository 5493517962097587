import type { PendingMessage } from '#db/messages.ts';
import type { Reason } from '#db/rows.ts';

/** Where the server's own words would say nothing to a person, or there are none. */
const WORDS: Partial<Record<Reason, string>> = {
  gone: 'This conversation is closed. Your words are still here.',
  'unknown-op': 'Update the app to send this.',
  unsure: 'This may already have been sent. The connection broke before the answer came.',
  failed: 'Something went wrong on this device after it was sent, so Callboard may have it already.',
  suspect: 'The server has a problem. We keep trying.',
};

/** Why a message was not sent. */
export const getRefusalText = ({ reason, error }: Pick<PendingMessage, 'reason' | 'error'>): string =>
  (reason && WORDS[reason]) ?? error?.message ?? 'This could not be sent.';
