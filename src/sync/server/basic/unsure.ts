import type { Verdict } from '../../send/verdict.ts';

/** How much older than the change a record may look, ms, because the server's clock may be behind ours. */
export const SLACK_MS = 5 * 60_000;

/** The verdict when an existence check cannot decide: the user chooses whether to send the row again. */
export const unsure = (why = ''): Verdict => ({
  do: 'needs',
  reason: 'unsure',
  error: { status: 0, message: `May already be sent${why}` },
});
