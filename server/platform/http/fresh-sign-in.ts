import type { Caller } from './caller.ts';
import { HttpError } from './errors.ts';

/** How long a person counts as present after they proved who they are. */
export const FRESH_MS = 5 * 60_000;

/** Until when calls of a session are accepted that need a fresh sign-in. */
export const getFreshUntil = (reauthAt: Date): Date => new Date(reauthAt.getTime() + FRESH_MS);

/**
 * Refuses what a stolen token or a phone left on a table must not do: locking the owner out, or taking all their data. The app asks the
 * person to prove who they are and repeats the call. Older apps show the message, which says how to get there with them.
 * @throws 403 with the reason `reauth`
 */
export function requireFreshSignIn({ reauthAt }: Pick<Caller, 'reauthAt'>, now: Date): void {
  if (reauthAt !== null && now < getFreshUntil(reauthAt)) return;
  const message = 'We have to make sure it’s you. Reload the app and try again, or sign out and in again first.';
  throw new HttpError(403, { message, reason: 'reauth' });
}
