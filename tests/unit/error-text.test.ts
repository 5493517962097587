import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { toErrorText } from '#shared/error-text.ts';
import { StorageError } from '#sync/storage-error.ts';

describe('the words for a save that threw', () => {
  const reported = vi.fn();
  beforeEach(() => vi.stubGlobal('reportError', reported));
  afterEach(() => {
    vi.unstubAllGlobals();
    reported.mockReset();
  });

  it('say why the device could not keep it, which is nobody’s mistake', () => {
    expect(toErrorText(new StorageError('refused'), 'Upload failed')).toMatch(/does not let the app store/);
    expect(toErrorText(new StorageError('lost'))).toMatch(/lost its storage/);
    expect(reported).not.toHaveBeenCalled();
  });

  it('say how large a file is that does not fit, how much would, and what helps', () => {
    vi.stubGlobal('matchMedia', () => ({ matches: true }));
    vi.stubGlobal('screen', { width: 390, height: 844 });
    const MB = 1024 * 1024;
    const error = new StorageError('full', undefined, { neededBytes: 480 * MB, freeBytes: 212 * MB });
    expect(toErrorText(error, undefined, { noun: 'the video' })).toBe(
      'There is no room for the video on this phone. It needs 480.00 MB, and there are 212.00 MB left for Callboard. ' +
        'Free some space, or remove offline media in Settings, and try again.',
    );
  });

  it('replace the message of a bug, which is reported', () => {
    const bug = new TypeError('x is not a function');
    expect(toErrorText(bug)).toBe('An unexpected error occurred.');
    expect(toErrorText(bug, 'Upload failed')).toBe('Upload failed');
    expect(reported.mock.calls).toEqual([[bug], [bug]]);
  });
});
