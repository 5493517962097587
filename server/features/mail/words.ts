/** A number with its noun: '1 request', '2 requests'. */
export const toCountText = (count: number, [one, more]: readonly [string, string]): string =>
  `${count} ${count === 1 ? one : more}`;

const LIST = new Intl.ListFormat('en-GB');

/** A list in words: 'a, b and c'. */
export const joinWords = (words: readonly string[]): string => LIST.format(words);
