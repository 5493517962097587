import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { troubleWords } from '#shared/storage-error-text.ts';
import { StorageTrouble } from '#sync/storage-error.ts';

describe('the words for a save that threw', () => {
  const reported = vi.fn();
  beforeEach(() => vi.stubGlobal('reportError', reported));
  afterEach(() => {
    vi.unstubAllGlobals();
    reported.mockReset();
  });

  it('say why the device could not keep it, which is nobody’s mistake', () => {
    expect(troubleWords(new StorageTrouble('refused'), 'Upload failed')).toMatch(/does not let the app store/);
    expect(troubleWords(new StorageTrouble('lost'))).toMatch(/lost its storage/);
    expect(reported).not.toHaveBeenCalled();
  });

  it('stand in for a bug, which is reported', () => {
    const bug = new TypeError('x is not a function');
    expect(troubleWords(bug)).toBe('An unexpected error occurred.');
    expect(troubleWords(bug, 'Upload failed')).toBe('Upload failed');
    expect(reported.mock.calls).toEqual([[bug], [bug]]);
  });
});
