import type { ErrorBody } from '#contract/errors.ts';

/** Every way a call can fail, as a value. Bugs throw; these do not. */
export interface AppError {
  reason:
    'network' | 'timeout' | 'unauthorized' | 'forbidden' | 'missing' | 'conflict' | 'invalid' | 'too many' | 'server';
  /** HTTP status, 0 when no answer came. */
  status: number;
  /** In the server's words where it had some. */
  message: string;
  /** Field → messages (422). */
  errors?: Record<string, string[]>;
  retryAfterMs?: number;
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

/** No answer came. */
export function toNetworkError(reason: 'network' | 'timeout'): AppError {
  return { reason, status: 0, message: MESSAGES[reason]! };
}

/** A refusal, in the server's words where it had some. */
export function toAppError(status: number, body: unknown, retryAfter: string | null): AppError {
  const reason = REASONS[status] ?? 'server';
  const said = (typeof body === 'object' && body !== null ? body : {}) as Partial<ErrorBody>;
  const error: AppError = {
    reason,
    status,
    message: said.message ?? MESSAGES[reason] ?? `Something went wrong (error ${status}). Try again in a moment.`,
  };
  if (said.errors) error.errors = said.errors;
  const seconds = Number(retryAfter ?? NaN);
  if (Number.isFinite(seconds)) error.retryAfterMs = seconds * 1000;
  return error;
}
