import { toNetworkError } from '#net/app-error.ts';
import type { Result } from '#net/client.ts';

/**
 * Makes a call that needs a fresh sign-in. If the last one is too long ago, asks the person to prove who they are, and repeats the call.
 * @param send makes the call; it gets the same idempotency key both times
 * @returns null if the person closed the question: nothing was done, and there is nothing to say
 */
export async function withFreshSignIn<T>(send: (key: string) => Promise<Result<T>>): Promise<Result<T> | null> {
  const key = crypto.randomUUID();
  const answer = await send(key);
  if (answer.ok || answer.error.requires !== 'reauth') return answer;
  const dialog = await import('./ask-who-it-is.tsx').catch(() => null);
  if (dialog === null) return { ok: false, error: toNetworkError('network') };
  return (await dialog.askWhoItIs()) ? send(key) : null;
}
