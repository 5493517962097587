/**
 * The advisory locks of the database: any numbers, but the same on every node and each with a single use. They stand together because
 * two uses of one number would keep each other out. Locks with a second key have a space of numbers of their own.
 */
export const LOCK = {
  migrations: 7_061_948_211,
  /** Shared while terms of the search are added, exclusive while unused ones are deleted. */
  searchTerms: 7_061_948_212,
  /** A backup holds it alone, and whatever removes files shares it. */
  backup: 70_619_483,
  /** The node that counts the database for the metrics. */
  counts: 70_619_484,
  /** Keeps a second server from making the same demo people. */
  demo: 640_017,
} as const;

/** First keys. The second one is the number of a node, 1, or the hash of a person's id. */
export const LOCK_PAIR = {
  node: 70_619_482,
  /** Of a backup: another one is refused at once. */
  backup: 70_619_483,
  /** Of a person whose news is being gathered for a mail. */
  news: 70_619_485,
} as const;
