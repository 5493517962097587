import type { ErrorBody } from '#contract/errors.ts';

/** A failed call as a value, never thrown. Only bugs throw. */
export interface AppError {
  reason:
    'network' | 'timeout' | 'unauthorized' | 'forbidden' | 'missing' | 'conflict' | 'invalid' | 'too many' | 'server';
  /** HTTP status; 0 if there was no response. */
  status: number;
  /** The server's message, if it sent one. */
  message: string;
  /** Field → messages (422). */
  errors?: Record<string, string[]>;
  retryAfterMs?: number;
  /** What the person has to do before the call can be repeated: 'reauth', prove who they are. */
  requires?: ErrorBody['reason'];
}

const REASONS: Record<number, AppError['reason']> = {
  401: 'unauthorized',
  419: 'unauthorized',
  403: 'forbidden',
  404: 'missing',
  410: 'missing',
  409: 'conflict',
  412: 'conflict',
  422: 'invalid',
  400: 'invalid',
  413: 'invalid',
  415: 'invalid',
  429: 'too many',
};

const MESSAGES: Partial<Record<AppError['reason'], string>> = {
  network: 'No connection. Try again when you’re back online.',
  timeout: 'The server took too long. Try again.',
  server: 'Something went wrong on our side. Try again in a moment.',
};

/** The error of a request without a response. */
export function toNetworkError(reason: 'network' | 'timeout'): AppError {
  return { reason, status: 0, message: MESSAGES[reason]! };
}

/** The error of a response with an error status, with the server's message if there is one. */
export function toAppError(status: number, body: unknown, retryAfter: string | null): AppError {
  const reason = REASONS[status] ?? 'server';
  const sent = (typeof body === 'object' && body !== null ? body : {}) as Partial<ErrorBody>;
  const error: AppError = {
    reason,
    status,
    message: sent.message ?? MESSAGES[reason] ?? `Something went wrong (error ${status}). Try again in a moment.`,
  };
  if (sent.errors) error.errors = sent.errors;
  if (sent.reason) error.requires = sent.reason;
  const seconds = Number(retryAfter ?? NaN);
  if (Number.isFinite(seconds)) error.retryAfterMs = seconds * 1000;
  return error;
}
