import type { Readable } from 'node:stream';

/** How the body ended: complete, the connection broke or timed out, or there were more bytes than announced. */
type Ending = 'whole' | 'cut' | 'too many';

const HIGH_WATER = 512 * 1024;

/**
 * Reads a request body as it arrives. A broken connection is an ending, not an error: every byte received before it can still be
 * read, whereas a plain stream discards its buffer. Pauses the sender while 512 KiB are buffered.
 */
export interface BodyReader {
  /** Returns the next bytes, at most `maxBytes`, or null once everything received has been read. */
  read(maxBytes: number): Promise<Uint8Array | null>;
  /** Waits for bytes and returns whether there are any, without consuming them. */
  hasMore(): Promise<boolean>;
  /** Time since the last bytes arrived; 0 while the sender is paused. */
  idleMs(): number;
  /** Stops reading, as if the connection broke now. */
  stop(): void;
  /** Set once `read` has returned null. */
  readonly ending: Ending | null;
}

/**
 * @param limits.limitBytes more bytes end the body as 'too many'
 * @param limits.idleTimeoutMs a sender that is silent for this long counts as disconnected
 */
export function readRequestBody(body: Readable, limits: { limitBytes: number; idleTimeoutMs: number }): BodyReader {
  let queue: Uint8Array[] = [];
  let queuedBytes = 0;
  let receivedBytes = 0;
  let ending: Ending | null = null;
  let wake: (() => void) | null = null;
  let idleTimer: NodeJS.Timeout | undefined;
  let lastByteAt = performance.now();

  function setIdleTimer(on: boolean) {
    clearTimeout(idleTimer);
    if (on) idleTimer = setTimeout(() => end('cut'), limits.idleTimeoutMs);
  }
  const wakeReader = () => {
    wake?.();
    wake = null;
  };
  const end = (how: Ending) => {
    if (ending !== null) return;
    if (how === 'cut') takeBuffered();
    if (ending !== null) return;
    ending = how;
    setIdleTimer(false);
    body.off('data', take);
    // Discard whatever still arrives, so that the response can be sent.
    body.resume();
    wakeReader();
  };
  // While the sender was paused, bytes in transit have accumulated in the stream.
  const takeBuffered = () => {
    body.off('data', take);
    for (let rest = read(); rest !== null && ending === null; rest = read()) take(rest);
  };
  const read = () => body.read() as Uint8Array | null;
  const take = (chunk: Uint8Array) => {
    lastByteAt = performance.now();
    setIdleTimer(true);
    receivedBytes += chunk.byteLength;
    if (receivedBytes > limits.limitBytes) {
      queue = [];
      queuedBytes = 0;
      end('too many');
      return;
    }
    queue.push(chunk);
    queuedBytes += chunk.byteLength;
    if (queuedBytes >= HIGH_WATER) {
      body.pause();
      // The sender is not idle while the server itself pauses it.
      setIdleTimer(false);
    }
    wakeReader();
  };
  body.once('end', () => end('whole'));
  // A broken connection emits 'error'; 'close' without 'end' covers the remaining cases.
  body.once('error', () => end('cut'));
  body.once('close', () => end('cut'));
  if (body.destroyed) end('cut');
  else {
    setIdleTimer(true);
    body.on('data', take);
  }

  async function hasMore() {
    while (queue.length === 0 && ending === null) await new Promise<void>((resolve) => (wake = resolve));
    return queue.length > 0;
  }

  return {
    hasMore,
    async read(maxBytes) {
      if (!(await hasMore())) return null;
      const first = queue.shift() as Uint8Array;
      const taken = first.subarray(0, maxBytes);
      if (taken.byteLength < first.byteLength) queue.unshift(first.subarray(maxBytes));
      queuedBytes -= taken.byteLength;
      if (ending === null && body.isPaused() && queuedBytes < HIGH_WATER / 2) {
        setIdleTimer(true);
        body.resume();
      }
      return taken;
    },
    idleMs: () => (body.isPaused() ? 0 : performance.now() - lastByteAt),
    stop: () => end('cut'),
    get ending() {
      return ending;
    },
  };
}
