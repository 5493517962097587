import { signInState } from '#session/sign-in-state.ts';

/** What a visitor asked for, as the two forms promise it: 'Sign in and we'll ask Meera Kulkarni to connect.' Null for nothing. */
export function getIntentText(state: unknown, doing: 'Sign in' | 'Sign up'): string | null {
  const { intent } = signInState(state);
  if (!intent) return null;
  const name = intent.profile.stage_name;
  return intent.kind === 'connect'
    ? `${doing} and we’ll ask ${name} to connect with you.`
    : `${doing} and we’ll save ${name} for you.`;
}
