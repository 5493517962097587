import type { SignInState } from '#lib/visitor-intent.ts';

const KEPT = 'sign-in-state';

/** The state of a location as the sign-in pages read it; without one, what this tab took to another site. */
export function signInState(state: unknown): SignInState {
  if (typeof state === 'object' && state !== null) return state;
  try {
    return (JSON.parse(sessionStorage.getItem(KEPT) ?? '{}') as SignInState | null) ?? {};
  } catch {
    return {};
  }
}

/** Keeps the state for the sign-in that follows in this tab: on another site the history's state is lost. */
export function keepSignInState(state: unknown): void {
  try {
    if (state) sessionStorage.setItem(KEPT, JSON.stringify(state));
  } catch (error) {
    console.warn('The browser keeps nothing for this tab', error);
  }
}

/** Somebody signed in: what the tab kept is not done again. */
export function forgetSignInState(): void {
  try {
    sessionStorage.removeItem(KEPT);
  } catch {
    // Where nothing can be kept there is nothing to forget.
  }
}

/** Where 'Sign up' leads: our own page, or another site's set at build time. */
const ADDRESS: string = import.meta.env['VITE_REGISTER_URL'] ?? '/register';

/**
 * The props of a link to signing up.
 * @param state what the visitor asked for, as the sign-in pages hand it on
 */
export function registerLink(state: unknown = null, address = ADDRESS) {
  if (address.startsWith('/')) return { to: address, state };
  return { to: address, onClick: () => keepSignInState(signInState(state)) };
}
