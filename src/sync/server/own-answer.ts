import type { WireAnswer } from '#net/wire.ts';

/** Whether our own server refused the request: it has our error format, unlike a captive portal, proxy or gateway. */
export function isOwnRefusal(answer: WireAnswer): boolean {
  return 'body' in answer && !answer.redirected && answer.status >= 400 && hasMessage(answer.body);
}

export const hasMessage = (body: unknown): boolean =>
  typeof (body as { message?: unknown } | null | undefined)?.message === 'string';

/** Whether our own server says that this device is signed out. */
export const isSignedOut = (answer: WireAnswer): boolean =>
  (answer.status === 401 || answer.status === 419) && isOwnRefusal(answer);
