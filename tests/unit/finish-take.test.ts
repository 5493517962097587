import { afterEach, expect, test, vi } from 'vitest';
import { runWorker } from '#shared/takes/finish-take.ts';

afterEach(() => vi.unstubAllGlobals());

test('a job that was canceled before its worker starts is not begun', async () => {
  const start = vi.fn();
  vi.stubGlobal(
    'Worker',
    class extends EventTarget {
      constructor() {
        super();
        start();
      }
      postMessage(): void {
        // One that is begun all the same ends in failure.
        this.dispatchEvent(Object.assign(new Event('error'), { message: 'It was begun' }));
      }
      terminate(): void {}
    },
  );
  const job = { onProgress: () => undefined, signal: AbortSignal.abort() };
  expect(await runWorker({ type: 'prepare' }, job)).toEqual({ type: 'canceled' });
  expect(start).not.toHaveBeenCalled();
});
