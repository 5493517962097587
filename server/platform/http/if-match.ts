/** Which version a write was meant for: a number, none asked, or one that can match nothing. */
export type ExpectedVersion = number | 'any' | 'none';

/** Reads If-Match: "<version>". An asterisk, like no header, takes any version. */
export function readIfMatch(header: string | undefined): ExpectedVersion {
  if (header === undefined || header.trim() === '*') return 'any';
  const version = /^\s*"(\d{1,15})"\s*$/.exec(header)?.[1];
  return version === undefined ? 'none' : Number(version);
}

/** Whether If-None-Match says that the writer knows of no record: an asterisk. Tags are for reading. */
export const isIfNoneMatchAny = (header: string | undefined): boolean => header?.trim() === '*';
