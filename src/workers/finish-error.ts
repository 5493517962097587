import type { FinishFailure } from '#lib/take-messages.ts';

/** A recording that cannot be finished here. The original stays as it is. */
export class FinishError extends Error {
  override name = 'FinishError';
  readonly reason: FinishFailure;
  constructor(reason: FinishFailure, message: string) {
    super(message);
    this.reason = reason;
  }
}
