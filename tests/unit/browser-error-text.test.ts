import { expect, it } from 'vitest';
import { toErrorText } from '../e2e/support/browser-errors.ts';

it('names an uncaught error that has no stack, as errors of the store have none', () => {
  const error = Object.assign(new Error('t'), { name: 'PrematureCommitError', stack: '' });
  expect(toErrorText(error)).toBe('PrematureCommitError: t');
  expect(toErrorText(Object.assign(new Error('x'), { stack: 'Error: x\n    at y' }))).toContain('at y');
});
