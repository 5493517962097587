/** The version that a write expects: a number, `any`, or `none` for a header that can match no version. */
export type ExpectedVersion = number | 'any' | 'none';

/** Reads If-Match: "<version>". An asterisk or a missing header accepts any version. */
export function readIfMatch(header: string | undefined): ExpectedVersion {
  if (header === undefined || header.trim() === '*') return 'any';
  const version = /^\s*"(\d{1,15})"\s*$/.exec(header)?.[1];
  return version === undefined ? 'none' : Number(version);
}

/** Whether If-None-Match is an asterisk: the write must not replace a record. Entity tags only apply to reads. */
export const isIfNoneMatchAny = (header: string | undefined): boolean => header?.trim() === '*';
