import { beforeEach, describe, expect, it, vi } from 'vitest';
import { notifyUnhandledRejection } from '#app/unhandled-rejection.ts';
import { StorageError } from '#sync/storage-error.ts';

const toast = vi.hoisted(() => vi.fn<(content: { text: string }) => void>());
vi.mock('#ui/Toast.tsx', () => ({ toast }));

describe('an unhandled rejection', () => {
  beforeEach(() => toast.mockReset());

  it('shows a general message for an unexpected error', () => {
    notifyUnhandledRejection(new TypeError('x is not a function'));
    expect(toast.mock.calls).toEqual([[{ text: 'An unexpected error occurred. Try again.' }]]);
  });

  it('names the reason when the device could not store the change', () => {
    notifyUnhandledRejection(new StorageError('refused'));
    expect(toast.mock.calls[0]?.[0].text).toMatch(/does not let the app store/);
  });

  it('shows nothing when the person closed a picker', () => {
    notifyUnhandledRejection(new DOMException('The person closed it', 'AbortError'));
    expect(toast).not.toHaveBeenCalled();
  });
});
