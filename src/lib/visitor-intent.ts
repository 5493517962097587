import type { ProfileCard } from '#contract/records/people.ts';

/** What a visitor tapped on somebody's page before signing in, to be done once they have. */
export interface VisitorIntent {
  kind: 'connect' | 'save';
  /** The owner of the page. */
  userId: string;
  profile: ProfileCard;
}

/** What the sign-in pages hand on in the history's state, so that it survives a reload and belongs to this one way in. */
export interface SignInState {
  /** Where to go once signed in. */
  from?: string;
  intent?: VisitorIntent;
}
