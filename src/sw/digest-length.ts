/**
 * Characters of a file's SHA-256, in base64, that the precache list carries: 60 bits, which no page of a portal meets by
 * chance. Each file of the list costs the worker this many bytes, for digests do not compress.
 */
export const DIGEST_LENGTH = 10;
