import { beforeEach, describe, expect, it, vi } from 'vitest';
import { tellThrows } from '#app/tell-throws.ts';
import { StorageTrouble } from '#sync/trouble.ts';

const rejected = (reason: unknown) => Object.assign(new Event('unhandledrejection'), { reason });

describe('an action that throws', () => {
  const tell = vi.fn<(text: string) => void>();
  let target: EventTarget;
  beforeEach(() => {
    tell.mockReset();
    target = new EventTarget();
    tellThrows(target, tell);
  });

  it('is told in words when nothing else catches it', () => {
    target.dispatchEvent(rejected(new TypeError('x is not a function')));
    expect(tell.mock.calls).toEqual([['An unexpected error occurred. Try again.']]);
  });

  it('names the reason when the device could not keep the change', () => {
    target.dispatchEvent(rejected(new StorageTrouble('refused')));
    expect(tell.mock.calls[0]?.[0]).toMatch(/does not let the app store/);
  });

  it('stays silent when the person closed a picker', () => {
    target.dispatchEvent(rejected(new DOMException('The person closed it', 'AbortError')));
    expect(tell).not.toHaveBeenCalled();
  });
});
