import { describe, expect, it } from 'vitest';
import { registerBody } from '#contract/records/account.ts';
import { errorMap } from '#contract/schema.ts';
import { appErrorToFormErrors, toFormErrors } from '../../src/features/account/form-errors.ts';

const KNOWN = ['name', 'email'];

describe('what stands under the fields of an account form', () => {
  it('puts each message under its field and counts them on top', () => {
    expect(toFormErrors({ email: ['Check the e-mail address'], name: ['Enter your name'] }, KNOWN)).toEqual({
      fields: { email: 'Check the e-mail address', name: 'Enter your name' },
      summary: 'Two things to fix.',
    });
  });

  it.each([
    ['', 'Enter your e-mail'],
    ['nobody', 'Check the e-mail address'],
    [`${'a'.repeat(300)}@`, 'Check the e-mail address'],
  ])('asks one thing of the e-mail %j', (email, message) => {
    const checked = registerBody.safeParse({ name: 'Asha', email, password: 'a long enough one' });
    expect(errorMap(checked.error?.issues ?? [])).toEqual({ email: [message] });
  });

  it('shows what belongs to no field on top, so that nothing is swallowed', () => {
    expect(toFormErrors({ body: ['Send JSON'] }, KNOWN, 'Check the form')).toEqual({
      fields: {},
      summary: 'Check the form Send JSON',
    });
  });

  it('keeps the words of the server where it refuses the whole call', () => {
    const error = { reason: 'too many', status: 429, message: 'Too many tries. Wait 3 minutes.' } as const;
    expect(appErrorToFormErrors(error, KNOWN, 'Signing in').summary).toBe('Too many tries. Wait 3 minutes.');
  });

  it('says plainly that signing in needs signal, and blames no field', () => {
    const error = { reason: 'network', status: 0, message: 'x' } as const;
    expect(appErrorToFormErrors(error, KNOWN, 'Signing in')).toEqual({
      fields: {},
      summary: 'No connection. Signing in only works online. What you typed is still here.',
    });
  });

  it('says nothing of the insides of a server in trouble', () => {
    const error = { reason: 'server', status: 500, message: 'relation "users" does not exist' } as const;
    expect(appErrorToFormErrors(error, KNOWN, 'Signing in').summary).toBe('An unexpected error occurred.');
  });
});
