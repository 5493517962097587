import type { ErrorBody } from '#contract/errors.ts';
import type { Breach } from '#contract/rules/check.ts';

/** An error with a defined response. Anything else that a handler throws is a bug and becomes a 500. */
export class HttpError extends Error {
  readonly status: number;
  readonly body: ErrorBody;
  readonly headers: Record<string, string>;

  constructor(status: number, body: ErrorBody, headers: Record<string, string> = {}) {
    super(body.message);
    this.status = status;
    this.body = body;
    this.headers = headers;
  }
}

export const badRequest = (message = 'The request could not be read') => new HttpError(400, { message });
export const unauthorized = () => new HttpError(401, { message: 'Sign in to go on' }, { 'www-authenticate': 'Bearer' });
export const forbidden = (message = 'You can’t change this') => new HttpError(403, { message });
const notYet = (message: string) => new HttpError(403, { message, reason: 'verify' });
/** The app keeps the change and sends it again once the address is confirmed. The same holds for the next two. */
export const needsConfirmedEmail = () => notYet('Confirm your e-mail address first');
export const needsBornOn = () => notYet('Tell us your date of birth first');
export const needsGuardian = () => notYet('Your parent or guardian has to agree first');
/** The app keeps what waits and sends it once the suspension has ended. @param until null: it does not end by itself */
export const suspended = (until: Date | null) =>
  new HttpError(403, {
    message: 'Your account is suspended. You can read, but not write',
    reason: 'suspended',
    until: until?.toISOString() ?? null,
  });
/** @param what in the user's words: 'profile', 'credit' */
export const notFound = (what: string) =>
  new HttpError(404, { message: `This ${what} no longer exists, or you can’t see it` });
export const conflict = (message: string, retryAfterS?: number) =>
  new HttpError(409, { message }, retryAfterS === undefined ? {} : { 'retry-after': String(retryAfterS) });
/** @param data the record that stands in the way, as the caller sees it */
export const conflictWith = (message: string, data: unknown) => new HttpError(409, { message, data });
export const cursorGone = () => new HttpError(410, { message: 'The cursor is unknown or too old; pull everything' });
/** @param data the current record */
export const preconditionFailed = (data: unknown) =>
  new HttpError(412, { message: 'It has been changed on another device', data });
export const tooLarge = (message = 'The request is too large') => new HttpError(413, { message });
export const unsupportedMediaType = (message = 'Send JSON') => new HttpError(415, { message });
export const pageExpired = () => new HttpError(419, { message: 'This page has expired. Reload it' });
/** @param errors messages by field name, exactly as the client sent it */
export const invalid = (errors: Record<string, string[]>) =>
  new HttpError(422, { message: Object.values(errors)[0]?.[0] ?? 'Check what you entered', errors });
/** A request to audition that breaks rules which its sender has not waived. */
export const brokenRules = (breaches: Breach[]) =>
  new HttpError(422, { ...invalid({ rules: breaches.map(({ text }) => text) }).body, breaches });
export const unprocessable = (message: string) => new HttpError(422, { message });

const MINUTE_S = 60;
const HOUR_S = 60 * MINUTE_S;

/** When to try again, in words: after a moment, some minutes or hours, or the next day. */
function getRetryText(waitS: number): string {
  if (waitS <= 2 * MINUTE_S) return 'Wait a moment and try again';
  if (waitS <= 2 * HOUR_S) return `Try again in about ${Math.ceil(waitS / MINUTE_S)} minutes`;
  return waitS <= 18 * HOUR_S ? `Try again in about ${Math.ceil(waitS / HOUR_S)} hours` : 'Try again tomorrow';
}

/** @param waitS how long the limit remains used up; the client may try again after `retryAfterS`, which can be sooner */
export const tooManyRequests = (
  retryAfterS: number,
  { waitS = retryAfterS, message = `Too many requests. ${getRetryText(waitS)}` } = {},
) => new HttpError(429, { message }, { 'retry-after': String(Math.max(1, Math.ceil(retryAfterS))) });
/** The client keeps the file and retries automatically. */
export const insufficientStorage = () =>
  new HttpError(
    507,
    { message: 'The server is full at the moment. Your file stays on your device' },
    { 'retry-after': '300' },
  );
export const unavailable = () =>
  new HttpError(503, { message: 'The server is not ready. Try again in a moment' }, { 'retry-after': '1' });
