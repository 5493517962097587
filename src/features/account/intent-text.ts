import { getSignInState } from '#shared/sign-in-state.ts';

/**
 * Returns the sentence that tells a visitor what happens after signing in: 'Sign in and we’ll save Meera Kulkarni for you.'
 * @returns null if the visitor did not ask for anything
 */
export function getIntentText(state: unknown, doing: 'Sign in' | 'Sign up'): string | null {
  const { intent } = getSignInState(state);
  if (!intent) return null;
  const name = intent.profile.stage_name;
  return intent.kind === 'connect'
    ? `${doing} and we’ll ask ${name} to connect with you.`
    : `${doing} and we’ll save ${name} for you.`;
}
