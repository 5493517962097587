/**
 * Base64 characters of each file's SHA-256 in the precache list. 36 bits are enough: no captive portal's page and no other version
 * of a file matches them by chance. Each file in the list adds this many bytes to the worker, because digests do not compress.
 */
export const DIGEST_LENGTH = 6;
