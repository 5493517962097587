import type { Breach } from './rules/check.ts';

/**
 * Why a request was refused, where the person can help. `verify`: confirm the e-mail address first. `reauth`: prove who they are, then
 * repeat the call. `suspended`: the desk has suspended the account; what waits is accepted once that has ended.
 */
export const REFUSAL_REASONS = ['verify', 'reauth', 'suspended'] as const;
export type RefusalReason = (typeof REFUSAL_REASONS)[number];

/** The body of every error response. With 422, `errors` maps each field, named exactly as sent, to its messages. */
export interface ErrorBody {
  message: string;
  errors?: Record<string, string[]>;
  /** With 403: what the person can do about it. */
  reason?: RefusalReason;
  /** With the reason `suspended`: when it ends; null if not by itself. */
  until?: string | null;
  /** With 5xx: the id of this request in the server's log. */
  request_id?: string;
  /** With 412, and with 409 where the record stands in the way: the current record. */
  data?: unknown;
  /** With 422: the rules that a request to audition breaks without a waiver. */
  breaches?: Breach[];
}

/** Whether a 422 says that the server lacks the bytes of a file. They are sent again, and then the same request. */
export const isAboutUpload = (errors: ErrorBody['errors']): boolean =>
  errors !== undefined && ('upload_ids' in errors || 'upload_id' in errors);
