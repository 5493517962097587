/** The SHA-256 of a file that is read part by part. */
export interface Digest {
  /** Adds a part. Its buffer cannot be used afterwards. */
  add(bytes: ArrayBuffer): Promise<void>;
  /** Lower-case hex. */
  end(): Promise<string>;
  /** Frees what it holds, finished or not. */
  close(): void;
}

/** What the worker is told: bytes to add, or null to end. Its answer to null is the digest. */
export type DigestMessage = ArrayBuffer | null;

/** Up to here, a file is read as one part, and the browser's own digest is the fastest. */
const WHOLE_BYTES = 8 * 1024 * 1024;

export const toHex = (bytes: Uint8Array): string =>
  Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('');

/** Begins the digest of a file of this size. */
export const openDigest = (fileBytes: number): Digest => (fileBytes <= WHOLE_BYTES ? ofOnePart() : inWorker());

function ofOnePart(): Digest {
  let whole: ArrayBuffer | null = null;
  return {
    async add(bytes) {
      if (whole !== null) throw new Error('A small file has one part');
      whole = bytes;
    },
    end: async () => toHex(new Uint8Array(await crypto.subtle.digest('SHA-256', whole ?? new ArrayBuffer(0)))),
    close: () => undefined,
  };
}

/** The browser's own digest needs all bytes at once. Computed in the page, the digest of a film would make it stutter for seconds. */
function inWorker(): Digest {
  const worker = new Worker(new URL('./digest-worker.ts', import.meta.url), { type: 'module' });
  const ask = (message: DigestMessage) =>
    new Promise<string>((resolve, reject) => {
      worker.onmessage = ({ data }: MessageEvent<string>) => resolve(data);
      worker.onerror = () => reject(new Error('The worker that computes digests failed'));
      worker.postMessage(message, message === null ? [] : [message]);
    });
  return {
    async add(bytes) {
      await ask(bytes);
    },
    end: () => ask(null),
    close: () => worker.terminate(),
  };
}
