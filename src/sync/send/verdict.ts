import type { FieldValues, OpError, OutboxRow, Reason } from '#db/rows.ts';

/** What an answer means for the row it answers. Only `done` and the person's own act ever take a row away. */
export type Verdict =
  | { do: 'done'; record: FieldValues; existed: boolean; serverMessage?: string }
  /** Passes by itself: same key again. `trouble`: the server answered, badly. `unknown`: it may have acted. */
  | { do: 'again'; error: OpError; trouble: boolean; unknown: boolean; afterMs?: number }
  /** The server limits the whole account: nothing leaves for `ms`. */
  | { do: 'quiet'; ms: number; error: OpError }
  | { do: 'sign-in'; error: OpError }
  /** Another device was first: merge with the record as it is now, null where it must be fetched. */
  | { do: 'merge'; theirs: FieldValues | null; error: OpError }
  /** The server lost the bytes: send them again, then this. */
  | { do: 'bytes-gone'; error: OpError }
  | { do: 'needs'; reason: Reason; error: OpError };

/** The change that an answer belongs to. */
export type Sent = Pick<OutboxRow, 'kind' | 'type' | 'patch'>;

/** Nothing has left: the same row goes another time. */
export const NOT_SENT = {
  do: 'again',
  error: { status: 0, message: 'Paused' },
  trouble: false,
  unknown: false,
  afterMs: 0,
} as const;

/** Code that is fetched when it is needed could not be fetched. */
export const NOT_REACHED = {
  do: 'again',
  error: { status: 0, message: 'No connection' },
  trouble: false,
  unknown: true,
} as const;
