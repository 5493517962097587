import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { waitForOtherTabs } from '#open-store/store-loss.ts';
import { ask, closeQuestion } from '#ui/confirm.tsx';

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  closeQuestion();
  vi.useRealTimers();
});

const askSomethingElse = () => {
  const answered = vi.fn();
  void ask({ title: 'Discard?', choices: [{ value: 'yes', label: 'Yes' }] }).then(answered);
  return answered;
};

test('nobody is asked about other tabs that close within a moment', async () => {
  const stop = waitForOtherTabs('They hold the store.');
  const other = askSomethingElse();
  await vi.advanceTimersByTimeAsync(1000);
  stop();
  await vi.advanceTimersByTimeAsync(5000);
  expect(other).not.toHaveBeenCalled();
});

test('a question that came after a dismissed one about other tabs stays open when those close', async () => {
  const stop = waitForOtherTabs('They hold the store.');
  await vi.advanceTimersByTimeAsync(5000);
  closeQuestion();
  const other = askSomethingElse();
  await vi.advanceTimersByTimeAsync(0);
  stop();
  await vi.advanceTimersByTimeAsync(0);
  expect(other).not.toHaveBeenCalled();
});
