import type { ReactNode } from 'react';

/** What reads like an address, as far as it may be meant. Nothing but http and https is ever a link. */
const URL_PATTERN = /https?:\/\/[^\s<>"']+|www\.[^\s<>"'.]+\.[^\s<>"']+/gi;
/** The end of a sentence is not part of the address in it. */
const SENTENCE_END = /[.,;:!?…)\]}’”'"]+$/u;

function splitUrl(found: string): [address: string, rest: string] {
  const rest = SENTENCE_END.exec(found)?.[0] ?? '';
  let address = found.slice(0, found.length - rest.length);
  // A bracket that was opened within the address is its own.
  const isOpen = rest.startsWith(')') && address.includes('(') && !address.includes(')');
  if (isOpen) address += ')';
  return [address, found.slice(address.length)];
}

/** A text with its addresses as links, which lead out of the app in a page of their own that knows nothing of this one. */
export function linkify(text: string): ReactNode[] {
  const parts: ReactNode[] = [];
  let end = 0;
  for (const match of text.matchAll(URL_PATTERN)) {
    const [address, rest] = splitUrl(match[0]);
    const href = /^https?:/i.test(address) ? address : `https://${address}`;
    if (!URL.canParse(href)) continue;
    parts.push(
      text.slice(end, match.index),
      <a key={match.index} href={href} target="_blank" rel="noopener noreferrer nofollow" className="underline">
        {address}
      </a>,
    );
    end = match.index + match[0].length - rest.length;
  }
  parts.push(text.slice(end));
  return parts;
}
