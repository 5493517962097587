import { type ErrorBody, isAboutUpload } from '#contract/errors.ts';
import type { Endpoint } from '#contract/section.ts';
import { bodyOf } from '#db/media-body.ts';
import type { OpError } from '#db/rows.ts';
import { CAPTIVE_PORTAL_MESSAGE } from '#lib/captive-portal.ts';
import type { WireAnswer } from '#net/wire.ts';
import type { ServerAdapter } from '../engine-ports.ts';
import { getOperation } from '../operations/index.ts';
import { isOwnRefusal } from '../server/own-answer.ts';
import type { Sent, Verdict } from './verdict.ts';

/** Delay after a refusal that takes longer than seconds to end: the server's disk was full, or the account is suspended. */
const LONG_REST_MS = 5 * 60_000;
/** Maximum delay that a response can request. Shorter than the delay that the planner takes for a clock jump. */
const LONGEST_REST_MS = 9 * 60_000;

/** Maps a response to the verdict for its change. Pure; the table is in docs/decisions/002-outbox.md. */
export function classify(sent: Sent, answer: WireAnswer, server: Pick<ServerAdapter, 'hasCall'>): Verdict {
  if ('reason' in answer) {
    const error = { status: 0, message: answer.reason === 'timeout' ? 'No answer in time' : 'No connection' };
    if (answer.reason === 'signed out') return { do: 'sign-in', error };
    return { do: 'again', error, isServerError: false, unknown: true };
  }
  const { status, body } = answer;
  const error = errorOf(status, body);
  const reason = (body as ErrorBody | null)?.reason;
  const operation = getOperation(sent);
  const isJson = isObject(body);
  if (answer.redirected || (status >= 300 && status < 400)) {
    return { do: 'again', error: { status, message: CAPTIVE_PORTAL_MESSAGE }, isServerError: true, unknown: true };
  }
  if (status >= 200 && status < 300) {
    const record = isJson ? operation.parseAnswer(body as Record<string, unknown>, sent.type) : null;
    if (record === null)
      return { do: 'again', error: { status, message: CAPTIVE_PORTAL_MESSAGE }, isServerError: true, unknown: true };
    const { message } = body as { message?: unknown };
    const words = operation.showsServerMessage && typeof message === 'string' && { serverMessage: message };
    return { do: 'done', record, existed: status === 200, ...words };
  }
  if (status === 408 || status === 425) return { do: 'again', error, isServerError: false, unknown: true };
  // A proxy or captive portal sent this response. It must not pause the queue, drop the row or count as a refusal.
  if (!isOwnRefusal(answer)) {
    return {
      do: 'again',
      error: { status, message: CAPTIVE_PORTAL_MESSAGE },
      isServerError: true,
      unknown: status >= 500,
    };
  }
  const retryAfter = retryAfterMs(answer.header('retry-after'));
  const rules = operation.refusals(sent);
  switch (status) {
    case 401:
    case 419:
      return { do: 'sign-in', error };
    case 429:
      if (rules.rateLimit === 'operation') {
        const afterMs = Math.min(retryAfter ?? 30_000, LONGEST_REST_MS);
        return { do: 'again', error, isServerError: false, unknown: false, afterMs };
      }
      return { do: 'rate-limited', ms: retryAfter ?? 30_000, error };
    case 413:
      return { do: 'needs', reason: 'toobig', error };
    case 415:
      return { do: 'needs', reason: 'wrongtype', error };
  }
  // The server's disk is full. Neither the file nor the rest of the server is at fault.
  if (status === 507) return { do: 'again', error, isServerError: false, unknown: false, afterMs: LONG_REST_MS };
  if (status === 503 && retryAfter !== null) return { do: 'rate-limited', ms: retryAfter, error };
  if (status >= 500) return { do: 'again', error, isServerError: true, unknown: true };
  switch (status) {
    case 403:
      // Nothing is wrong with the change. Then it asks again, because the suspension may have ended.
      if (reason === 'suspended') return { do: 'rate-limited', ms: LONG_REST_MS, error, isSuspended: true };
      // Once the person has confirmed their e-mail address, the server will accept it.
      return { do: 'needs', reason: reason === 'verify' ? 'unconfirmed' : 'forbidden', error };
    case 404:
    case 410:
      // A 404 for an endpoint that the server does not have says nothing about the record.
      if (!isCallOf(server, operation.endpoint(sent))) return { do: 'needs', reason: 'unknown-op', error };
      if (rules.missing === 'done') return { do: 'done', record: {}, existed: true };
      return { do: 'needs', reason: rules.missing, error };
    case 409:
    case 412:
      if (status === 409 && retryAfter !== null)
        return { do: 'again', error, isServerError: false, unknown: false, afterMs: Math.min(retryAfter, 2000) };
      if (rules.conflict === 'invalid') return { do: 'needs', reason: 'invalid', error };
      return { do: 'merge', theirs: dataOf(sent.type, body), error };
    case 422:
      if (isAboutUpload(error.errors)) return { do: 'bytes-gone', error };
      return { do: 'needs', reason: 'invalid', error };
    default:
      return { do: 'needs', reason: 'unknown-op', error };
  }
}

const isCallOf = (server: Pick<ServerAdapter, 'hasCall'>, endpoint: Endpoint | null) =>
  endpoint === null || server.hasCall(endpoint);

const isObject = (value: unknown): value is object => typeof value === 'object' && value !== null;

function dataOf(type: string, body: unknown): Record<string, unknown> | null {
  const data = (body as { data?: unknown } | null)?.data;
  const isRecord = isObject(data) && !Array.isArray(data);
  return isRecord ? bodyOf(type, data as Record<string, unknown>) : null;
}

function errorOf(status: number, body: unknown): OpError {
  const json = (isObject(body) ? body : {}) as {
    message?: unknown;
    errors?: unknown;
    breaches?: unknown;
  };
  const error: OpError = { status, message: typeof json.message === 'string' ? json.message : `Answer ${status}` };
  if (isObject(json.errors)) {
    const entries = Object.entries(json.errors).map(([field, texts]) => [field, [texts].flat().map(String)]);
    error.errors = Object.fromEntries(entries) as Record<string, string[]>;
  }
  if (json.breaches) error.breaches = json.breaches;
  return error;
}

/** The rate limit that a response requests for the account, ms; null when it requests none. */
export function getRequestedWaitMs(answer: WireAnswer): number | null {
  if ('reason' in answer || answer.redirected || !isOwnRefusal(answer)) return null;
  const ms = retryAfterMs(answer.header('retry-after'));
  if (answer.status === 429) return ms ?? 30_000;
  return answer.status === 503 ? ms : null;
}

/**
 * Parses `Retry-After`, in ms. It may hold seconds or an HTTP date; a date gives 30 s, because phones' clocks are
 * wrong.
 */
function retryAfterMs(header: string | null): number | null {
  if (header === null) return null;
  const seconds = Number(header);
  if (!Number.isFinite(seconds)) return 30_000;
  return Math.min(Math.max(seconds, 1), 3600) * 1000;
}
