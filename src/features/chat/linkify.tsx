import type { ReactNode } from 'react';

/** Matches text that looks like a URL. Only http and https URLs become links. */
const URL_PATTERN = /https?:\/\/[^\s<>"']+|www\.[^\s<>"'.]+\.[^\s<>"']+/gi;
/** Punctuation that ends a sentence and does not belong to the URL before it. */
const TRAILING_PUNCTUATION = /[.,;:!?…)\]}’”'"]+$/u;

function splitUrl(match: string): [url: string, rest: string] {
  const rest = TRAILING_PUNCTUATION.exec(match)?.[0] ?? '';
  let url = match.slice(0, match.length - rest.length);
  // A closing bracket belongs to the URL if the URL contains the opening one.
  const hasOpenBracket = rest.startsWith(')') && url.includes('(') && !url.includes(')');
  if (hasOpenBracket) url += ')';
  return [url, match.slice(url.length)];
}

/** Returns the text with its URLs as links. They open in a new tab that has no access to this page and gets no referrer. */
export function linkify(text: string): ReactNode[] {
  const parts: ReactNode[] = [];
  let end = 0;
  for (const match of text.matchAll(URL_PATTERN)) {
    const [url, rest] = splitUrl(match[0]);
    const href = /^https?:/i.test(url) ? url : `https://${url}`;
    if (!URL.canParse(href)) continue;
    parts.push(
      text.slice(end, match.index),
      <a key={match.index} href={href} target="_blank" rel="noopener noreferrer nofollow" className="underline">
        {url}
      </a>,
    );
    end = match.index + match[0].length - rest.length;
  }
  parts.push(text.slice(end));
  return parts;
}
