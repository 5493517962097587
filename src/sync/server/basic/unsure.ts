import type { Verdict } from '../../send/verdict.ts';

/** How far a server's clock may be behind ours before a record counts as older than the change, ms. */
export const SLACK_MS = 5 * 60_000;

/** The person decides whether it is sent again. */
export const unsure = (why = ''): Verdict => ({
  do: 'needs',
  reason: 'unsure',
  error: { status: 0, message: `May already be sent${why}` },
});
