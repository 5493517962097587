import type { FieldValues, OpError, OutboxRow, Reason } from '#db/rows.ts';

/** What a response means for its row. Only `done` or the user's own action deletes a row. */
export type Verdict =
  | { do: 'done'; record: FieldValues; existed: boolean; serverMessage?: string }
  /** A temporary failure: retry under the same key. `isServerError`: the server failed, which counts. `unknown`: the server may have acted. `forPage`: only a page can go on. */
  | { do: 'again'; error: OpError; isServerError: boolean; unknown: boolean; afterMs?: number; forPage?: true }
  /** A rate limit of the whole account: send nothing for `ms`. `isSuspended`: reading goes on. */
  | { do: 'rate-limited'; ms: number; error: OpError; isSuspended?: true }
  | { do: 'sign-in'; error: OpError }
  /** Another device changed the record first: merge with `theirs`, its current copy; null when it must be fetched. */
  | { do: 'merge'; theirs: FieldValues | null; error: OpError }
  /** The server lost the uploaded bytes: send them again, then this row. */
  | { do: 'bytes-gone'; error: OpError }
  | { do: 'needs'; reason: Reason; error: OpError };

/** The change that a response belongs to. */
export type Sent = Pick<OutboxRow, 'kind' | 'type' | 'patch'>;

/** The row was not sent: send it later. */
export const NOT_SENT = {
  do: 'again',
  error: { status: 0, message: 'Paused' },
  isServerError: false,
  unknown: false,
  afterMs: 0,
} as const;

/** A worker lacks the code for this. A page that is open, or opens next, sends the row at once. */
export const FOR_PAGE = {
  do: 'again',
  error: { status: 0, message: 'Waiting for the app to be opened' },
  isServerError: false,
  unknown: false,
  afterMs: 0,
  forPage: true,
} as const;

/** Lazily loaded code could not be fetched. */
export const NOT_REACHED = {
  do: 'again',
  error: { status: 0, message: 'No connection' },
  isServerError: false,
  unknown: false,
} as const;
