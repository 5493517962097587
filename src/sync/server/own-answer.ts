import type { WireAnswer } from '#net/wire.ts';

/** The server's own refusal: our error envelope. A Wi-Fi sign-in page, a proxy or a gateway answers with something else. */
export function isOwnRefusal(answer: WireAnswer): boolean {
  return 'body' in answer && !answer.redirected && answer.status >= 400 && hasMessage(answer.body);
}

export const hasMessage = (body: unknown): boolean =>
  typeof (body as { message?: unknown } | null | undefined)?.message === 'string';

/** The server's own word that this device is signed out. */
export const isSignedOut = (answer: WireAnswer): boolean =>
  (answer.status === 401 || answer.status === 419) && isOwnRefusal(answer);
