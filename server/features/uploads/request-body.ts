import type { Readable } from 'node:stream';

/** How the bytes ended: all came, the connection broke (or fell silent), or there were more than announced. */
type Ending = 'whole' | 'cut' | 'too many';

const HIGH_WATER = 512 * 1024;

/**
 * The body of a request as it arrives. A broken connection is an ending, not an error: what came before it can still be
 * read to the last byte (a plain stream throws away what it had buffered). Pauses the sender while 512 KiB wait to be read.
 */
export interface BodyReader {
  /** The next bytes, at most `most` of them; null once everything that came is read. */
  read(maxBytes: number): Promise<Uint8Array | null>;
  /** Waits for bytes and says whether there are any, without taking them. */
  hasMore(): Promise<boolean>;
  /** Since the last bytes came in; 0 while the sender was told to wait. */
  idleMs(): number;
  /** Takes no more bytes, as if the connection broke now. */
  stop(): void;
  /** Known once `read` answered null. */
  readonly ending: Ending | null;
}

/**
 * @param limitBytes more than these end the arrival as 'too many'
 * @param limits.idleTimeoutMs a sender that says nothing for so long counts as cut
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
    // Whatever still comes is let run past, so that the answer can go out.
    body.resume();
    wakeReader();
  };
  // While the sender was told to wait, bytes that were already on their way have gathered in the stream.
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
      // Our own slowness is not the sender's silence.
      setIdleTimer(false);
    }
    wakeReader();
  };
  body.once('end', () => end('whole'));
  // 'error' comes with a cut as well; 'close' without 'end' covers the rest.
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
