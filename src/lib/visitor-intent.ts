import type { ProfileCard } from '#contract/records/people.ts';

/** The action that a visitor chose on a profile page before signing in; the app carries it out after the sign-in. */
export interface VisitorIntent {
  kind: 'connect' | 'save';
  /** The owner of the page. */
  userId: string;
  profile: ProfileCard;
}

/**
 * The state that the sign-in pages pass on in the history entry, so that it survives a reload and stays with this
 * sign-in.
 */
export interface SignInState {
  /** Path to open after the sign-in. */
  from?: string;
  intent?: VisitorIntent;
}
