/** Computes the digest of a file part by part, beside the page. */
import { sha256 } from '@noble/hashes/sha2.js';
import { type DigestMessage, toHex } from './file-digest.ts';

const hash = sha256.create();

addEventListener('message', ({ data }: MessageEvent<DigestMessage>) => {
  if (data !== null) hash.update(new Uint8Array(data));
  postMessage(data === null ? toHex(hash.digest()) : '');
});
