import { toHex } from '#lib/file-digest.ts';

const TOKEN_BYTES = 16;
/** At the end of an address: whoever opens it has to enter a code, too. */
const ASKS_FOR_CODE = '-code';

/** A new token of 128 random bits. */
export const makeToken = (): string => toHex(crypto.getRandomValues(new Uint8Array(TOKEN_BYTES)));

export const digestText = async (text: string): Promise<string> =>
  toHex(new Uint8Array(await crypto.subtle.digest('SHA-256', new TextEncoder().encode(text))));

/** The address of a link. What stands behind the # never leaves the browsers of those who have it. */
export const toLinkAddress = (origin: string, name: string, token: string, hasCode: boolean): string =>
  `${origin}/watch/${name}#${token}${hasCode ? ASKS_FOR_CODE : ''}`;
