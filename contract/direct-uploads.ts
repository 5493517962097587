const MIB = 1024 * 1024;

/** Rules for files that a device sends to the bucket itself. Sizes are in bytes. */
export const DIRECT_UPLOADS = {
  /** Smaller files go through the server: for them, the extra requests cost more than they spare. */
  minFileBytes: 16 * MIB,
  /** The size of a part on a fast connection. */
  partBytes: 8 * MIB,
  /** The size of a part on a slow connection, and the least that a bucket takes for any part but the last. */
  minPartBytes: 5 * MIB,
  maxPartBytes: 64 * MIB,
  /** A bucket takes no more parts for one file. */
  maxParts: 10_000,
  /** Addresses of parts in one response. */
  addressesPerCall: 8,
} as const;
