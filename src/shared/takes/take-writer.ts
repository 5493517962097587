import type { WriteFailure, WriterAnswer, WriterRequest } from '#lib/take-messages.ts';
import type { TakeLength } from '#lib/take-log.ts';

/** A slice of a take could not be written. What was written before it is safe. */
export class TakeWriteError extends Error {
  override name = 'TakeWriteError';
  readonly reason: WriteFailure;
  constructor(reason: WriteFailure, message: string) {
    super(message);
    this.reason = reason;
  }
}

export interface TakeWriter {
  /** Requests are carried out one after the other. Rejects with a TakeWriteError. */
  ask(request: WriterRequest): Promise<TakeLength | null>;
  /** Ends the worker, which gives its files free. */
  end(): void;
}

interface Waiting {
  resolve(length: TakeLength | null): void;
  reject(error: TakeWriteError): void;
}

/** Starts the worker that writes takes into the origin private file system. */
export function startTakeWriter(): TakeWriter {
  const worker = new Worker(new URL('../../workers/take-writer.ts', import.meta.url), { type: 'module' });
  const waiting = new Map<number, Waiting>();
  let n = 0;
  worker.addEventListener('message', ({ data }: MessageEvent<WriterAnswer>) => {
    const asked = waiting.get(data.n);
    waiting.delete(data.n);
    if (data.ok) asked?.resolve(data.length);
    else asked?.reject(new TakeWriteError(data.reason, data.message));
  });
  // The script could not be loaded, or failed outside of a request.
  worker.addEventListener('error', (event) => {
    for (const asked of waiting.values()) asked.reject(new TakeWriteError('failed', event.message));
    waiting.clear();
  });
  return {
    ask: (request) =>
      new Promise((resolve, reject) => {
        n += 1;
        waiting.set(n, { resolve, reject });
        worker.postMessage({ n, request }, request.type === 'append' ? [request.bytes] : []);
      }),
    end: () => worker.terminate(),
  };
}
