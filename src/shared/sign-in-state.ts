import type { SignInState } from '#lib/visitor-intent.ts';

const STORAGE_KEY = 'sign-in-state';

/** Returns the state of a location as the sign-in pages read it; without one, the state this tab saved before leaving the site. */
export function getSignInState(state: unknown): SignInState {
  if (typeof state === 'object' && state !== null) return state;
  try {
    return (JSON.parse(sessionStorage.getItem(STORAGE_KEY) ?? '{}') as SignInState | null) ?? {};
  } catch {
    return {};
  }
}

/** Saves the state for a later sign-in in this tab: history state is lost on another site. */
function saveSignInState(state: unknown): void {
  try {
    if (state) sessionStorage.setItem(STORAGE_KEY, JSON.stringify(state));
  } catch (error) {
    console.warn('The sign-in state could not be saved', error);
  }
}

/** Removes the saved state after a sign-in, so that it is not acted on twice. */
export function clearSignInState(): void {
  try {
    sessionStorage.removeItem(STORAGE_KEY);
  } catch {
    // A browser that refuses storage has saved nothing.
  }
}

/** Where 'Sign up' leads: to this app's page, or to another site set at build time. */
const REGISTER_URL: string = import.meta.env['VITE_REGISTER_URL'] ?? '/register';

/**
 * Returns the props of a link to the registration page.
 * @param state what the visitor asked for, as the sign-in pages pass it on
 */
export function registerLink(state: unknown = null, address = REGISTER_URL) {
  if (address.startsWith('/')) return { to: address, state };
  return { to: address, onClick: () => saveSignInState(getSignInState(state)) };
}
