import { createHash } from 'node:crypto';
import type { Digest } from '#lib/file-digest.ts';

/** The engine's port for digests, computed by Node. */
export function openDigest(): Promise<Digest> {
  const hash = createHash('sha256');
  return Promise.resolve({
    async add(bytes) {
      hash.update(new Uint8Array(bytes));
    },
    end: async () => hash.digest('hex'),
    close: () => undefined,
  });
}
