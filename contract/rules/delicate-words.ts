/**
 * Words about nudity, intimacy and stunts, and requests for nude material. Like the words of scams they are hints, but for the last: nobody may ask for
 * a nude photo or tape, in any words.
 */
import type { Notice } from './pack.ts';

const WORDS: Record<Notice, RegExp> = {
  nudity:
    /\b(nud(e|es|ity)|naked|topless|bare[- ]chested|undress(es|ed|ing)?|strips?|stripping|lingerie|underwear|swim ?suits?|swimwear|bikinis?)\b/,
  intimacy: /\b(kiss(es|ed|ing)?|make out|making out|sex|sexual|intimate|intimacy|love scenes?|in bed)\b/,
  stunts: /\b(stunts?|fights?|fighting|fight scenes?|wire ?work|falls? (down|from|off)|sword fights?|horse ?riding)\b/,
};

const MATERIAL =
  '(?:photos?|photographs?|pictures?|pics?|selfies?|images?|videos?|tapes?|clips?|takes?|shots?|recordings?)';
const BARE = '(?:nude|naked|topless|undressed|semi[- ]nude|lingerie|underwear)';

const NUDE_REQUESTS: readonly RegExp[] = [
  new RegExp(`\\b${BARE}\\s+${MATERIAL}\\b`),
  new RegExp(
    `\\b(?:send|share|submit|upload|record|film|shoot|take|include|attach|need|want)\\b[^.?!\\n]{0,60}\\b${MATERIAL}\\b[^.?!\\n]{0,30}\\b(?:${BARE}|without (?:your |any )?clothes)\\b`,
  ),
  new RegExp(
    `\\b(?:record|film|tape|shoot|do|play|perform)\\b[^.?!\\n]{0,40}\\b(?:nude|naked|topless|undressed|without (?:your |any )?clothes)\\b`,
  ),
  /\b(?:take|taking) off (?:your |all )?(?:clothes|top|shirt|dress|everything)\b/,
  /\b(?:undress|strip)\b[^.?!\n]{0,30}\b(?:camera|tape|video|take|us|me)\b/,
];

/** 'Please do not send nude photos' asks for none. A comma ends what it reaches: 'don’t be shy, send nude photos' asks. */
const FORBIDS = /\b(no|not|never|nobody|don['’]?t|won['’]?t|must ?n['’]?t)\b[^.,;:?!\n]{0,60}$/;

const normalize = (text: string): string => text.normalize('NFKC').toLowerCase();

/** Finds the first words that hint at something of this kind; null if there are none. */
export const findDelicateWords = (kind: Notice, text: string): string | null =>
  WORDS[kind].exec(normalize(text))?.[0] ?? null;

/** Finds words that ask for nude material; null if there are none. */
export function findNudeRequest(text: string): string | null {
  const normalized = normalize(text);
  for (const pattern of NUDE_REQUESTS) {
    const match = pattern.exec(normalized);
    if (match !== null && !FORBIDS.test(normalized.slice(0, match.index + match[0].length))) return match[0];
  }
  return null;
}
