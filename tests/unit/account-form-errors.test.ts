import { describe, expect, it } from 'vitest';
import { registerBody } from '#contract/records/account.ts';
import { toErrorMap } from '#contract/schema.ts';
import {
  appErrorToFormErrors,
  getSummary,
  toFormErrors,
  withoutField,
} from '../../src/features/account/form-errors.ts';

const KNOWN = ['name', 'email'];

describe('the errors of an account form', () => {
  it('assigns each message to its field and counts them in the summary', () => {
    const errors = toFormErrors({ email: ['Check the e-mail address'], name: ['Enter your name'] }, KNOWN);
    expect(errors.fields).toEqual({ email: 'Check the e-mail address', name: 'Enter your name' });
    expect(getSummary(errors)).toBe('Two things to fix.');
  });

  it('count down as fields are changed, and keep what is about the whole form', () => {
    const found = toFormErrors(
      { email: ['Check the e-mail address'], name: ['Enter your name'], body: ['Old'] },
      KNOWN,
    );
    const one = withoutField(found, 'email');
    expect([one.fields, getSummary(one)]).toEqual([{ name: 'Enter your name' }, 'One thing to fix. Old']);
    expect(getSummary(withoutField(one, 'name'))).toBe('Old');
  });

  it.each([
    ['', 'Enter your e-mail'],
    ['nobody', 'Check the e-mail address'],
    [`${'a'.repeat(300)}@`, 'Check the e-mail address'],
  ])('shows one message for the e-mail %j', (email, message) => {
    const checked = registerBody.safeParse({ name: 'Asha', email, password: 'a long enough one' });
    expect(toErrorMap(checked.error?.issues ?? [])).toEqual({ email: [message] });
  });

  it('shows messages of unknown fields in the summary', () => {
    const errors = toFormErrors({ body: ['Send JSON'] }, KNOWN, 'Check the form');
    expect([errors.fields, getSummary(errors)]).toEqual([{}, 'Check the form Send JSON']);
  });

  it('shows the message of the server when it refuses the whole call', () => {
    const error = { reason: 'too many', status: 429, message: 'Too many tries. Wait 3 minutes.' } as const;
    expect(getSummary(appErrorToFormErrors(error, KNOWN, 'Signing in'))).toBe('Too many tries. Wait 3 minutes.');
  });

  it('says that signing in only works online, without marking a field', () => {
    const error = { reason: 'network', status: 0, message: 'x' } as const;
    const errors = appErrorToFormErrors(error, KNOWN, 'Signing in');
    expect(errors.fields).toEqual({});
    expect(getSummary(errors)).toBe('No connection. Signing in only works online. What you typed is still here.');
  });

  it('hides internal messages of a server error', () => {
    const error = { reason: 'server', status: 500, message: 'relation "users" does not exist' } as const;
    expect(getSummary(appErrorToFormErrors(error, KNOWN, 'Signing in'))).toBe('An unexpected error occurred.');
  });
});
