import { expect, it } from 'vitest';
import { errorText } from '../e2e/support/browser-errors.ts';

it('names an uncaught error that has no stack, as errors of the store have none', () => {
  const error = Object.assign(new Error('t'), { name: 'PrematureCommitError', stack: '' });
  expect(errorText(error)).toBe('PrematureCommitError: t');
  expect(errorText(Object.assign(new Error('x'), { stack: 'Error: x\n    at y' }))).toContain('at y');
});
