import type { RequestFacts } from '#contract/casting/state.ts';

/** A request to audition that was sent, and to which nothing has happened. */
export const NO_FACTS: RequestFacts = {
  asked_at: '2026-11-17T09:00:00.000Z',
  seen_at: null,
  confirmed_at: null,
  declined_at: null,
  announced_at: null,
  arrived_at: null,
  watched_at: null,
  answered_at: null,
  withdrawn_at: null,
};
