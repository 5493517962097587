/** The body of every refusal. `errors` maps the field, named exactly as sent, to its messages (422). */
export interface ErrorBody {
  message: string;
  errors?: Record<string, string[]>;
  /** With 5xx: what the log calls this request. */
  request_id?: string;
  /** With 412: the row as it stands now. */
  data?: unknown;
}
