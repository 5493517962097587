/** The body of every error response. With 422, `errors` maps each field, named exactly as sent, to its messages. */
export interface ErrorBody {
  message: string;
  errors?: Record<string, string[]>;
  /** With 403: what the person can do about it. `reauth`: prove who they are, then repeat the call. */
  reason?: 'reauth';
  /** With 5xx: the id of this request in the server's log. */
  request_id?: string;
  /** With 412: the current row. */
  data?: unknown;
}
