import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { clearSignInState, registerLink, getSignInState } from '#shared/sign-in-state.ts';
import { fakeStorage } from './support/local-storage.ts';

const wanted = { from: '/profile/meera/actor', intent: { kind: 'connect', userId: '3', profile: {} } };

beforeEach(() => vi.stubGlobal('sessionStorage', fakeStorage()));
afterEach(() => vi.unstubAllGlobals());

describe('the intent of a visitor', () => {
  it('goes with the history to the app’s own page for signing up', () => {
    expect(registerLink(wanted, '/register')).toEqual({ to: '/register', state: wanted });
    expect(getSignInState(null)).toEqual({});
  });

  it('is kept for the sign-in that follows a visit to another site, once', () => {
    const link = registerLink(wanted, 'https://join.example/sign-up');
    expect(link.to).toBe('https://join.example/sign-up');
    expect(getSignInState(null)).toEqual({});
    link.onClick?.();
    expect(getSignInState(null)).toEqual(wanted);
    clearSignInState();
    expect(getSignInState(null)).toEqual({});
  });

  it('makes way for what is asked for later', () => {
    registerLink(wanted, 'https://join.example/').onClick?.();
    expect(getSignInState({ from: '/search' })).toEqual({ from: '/search' });
  });

  it('is empty when the browser has no storage', () => {
    vi.stubGlobal('sessionStorage', undefined);
    vi.spyOn(console, 'warn').mockImplementation(() => undefined);
    registerLink(wanted, 'https://join.example/').onClick?.();
    expect(getSignInState(null)).toEqual({});
    expect(clearSignInState).not.toThrow();
  });
});
