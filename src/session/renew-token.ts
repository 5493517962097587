import { exclusively } from '#lib/exclusively.ts';
import { currentSender } from '#net/client.ts';
import { changeStoredSession, TOKEN } from './stored-session.ts';

/**
 * Stores a new token of the session, for the other tabs, the worker and the next start, before this page uses it: its first use ends the
 * old one. The session goes on, so nothing else changes.
 */
export async function storeRenewedToken(token: string): Promise<void> {
  const sender = currentSender();
  if (sender === null) return;
  try {
    const change = (session: { token: string }) => ({ token, previousToken: session.token });
    // The person has signed out in another tab, which also ends the session of the new token.
    if (!(await changeStoredSession(sender.userId, change))) return;
  } catch (error) {
    // The store refuses. Local storage is enough for the next start, which then repairs the store.
    reportError(error);
  }
  localStorage.setItem(TOKEN, token);
  sender.token = token;
}

/** Runs one renewal of the token at a time, in all tabs: of two at once, the later answer would not have the token that works. */
export const renewExclusively = <T>(renew: () => Promise<T>): Promise<T> => exclusively('renew-token', renew);
