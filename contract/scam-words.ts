/**
 * Detects first messages that ask for money or lead off the platform, from patterns that performers report. The result is a
 * hint: the message is always shown.
 */

/** The reader is asked to pay or to reveal payment details. */
const PAYMENT_PATTERNS: readonly RegExp[] = [
  /\b(registration|processing|audition|casting|portfolio|joining|security|booking|artist card|membership|refundable|advance|upfront|up-front|visa|training|workshop)\s+(fee|fees|charge|charges|deposit|amount|payment)\b/,
  /(?<!\b(?:we|they|i|will|to) )\b(pay|send|transfer|deposit|submit|remit|wire)\b[^.?!]{0,40}(₹|\brs\.?\s?\d|\binr\b|\$\s?\d|\busd\b|€\s?\d|£\s?\d|\brupees\b|\bdollars\b|\bmoney\b|\bamount\b|\bfees?\b|\bdeposit\b)/,
  /\b(pay|send|transfer|deposit)\b[^.?!]{0,30}\b(first|now|today|immediately|before)\b[^.?!]{0,40}\b(confirm|book|lock|reserve|guarantee)/,
  /\b(google ?pay|g ?pay|phone ?pe|paytm|upi( id)?|western union|money ?gram|gift ?cards?|bitcoin|btc|usdt|crypto(currency)?|wire transfer|bank transfer)\b/,
  /\b(bank (account|details)|account number|card (number|details)|cvv|otp|pin code of your card|ifsc|aadhaar (number|card)|pan card)\b/,
  /\b(refundable|refunded|get it back)\b[^.?!]{0,40}\b(after|once|when)\b/,
  /\b(guaranteed|confirmed|100 ?%)\s+(role|selection|lead|part|job)\b/,
];

/** The reader is asked to continue on another platform, out of the operators' sight. */
const OFF_PLATFORM_PATTERNS: readonly RegExp[] = [
  /\b(whats ?app|watsapp|telegram|signal app|snap ?chat|we ?chat|line app|kik|viber|google (chat|hangouts)|hangouts|skype)\b/,
  /\b(wa|t)\.me\/|\bchat\.whatsapp\.com\b|\bbit\.ly\/|\btinyurl\.com\/|\bforms\.gle\//,
  /\b(text|call|message|ping|dm|contact|reach|add|write)\s+(?:to\s+)?(me|us|my|our)\b[^?!\n]{0,40}(\+?\d[\d\s()-]{7,}\d|\b(on|at|via)\s+(insta(gram)?|facebook|messenger|mail|e-?mail|gmail)\b|\S+@\S+\.\w{2,})/,
  /\b(continue|talk|chat|speak|move|discuss)\b[^.?!]{0,30}\b(outside|off (this|the) (app|site|platform)|elsewhere|another app|private(ly)? on)\b/,
];

const matchesAny = (patterns: readonly RegExp[], text: string): boolean =>
  patterns.some((pattern) => pattern.test(text));

const normalize = (text: string): string => text.normalize('NFKC').toLowerCase();

/** Returns the warning to show with a first message, or null when no pattern matches. */
export function detectScamSign(message: string): 'money' | 'elsewhere' | null {
  const text = normalize(message);
  if (matchesAny(PAYMENT_PATTERNS, text)) return 'money';
  return matchesAny(OFF_PLATFORM_PATTERNS, text) ? 'elsewhere' : null;
}

/** 'There is no registration fee' asks for nothing. */
const NOTHING_TO_PAY = /\b(no|not any|never any|without( a| any)?)\s+$/;

/** Finds words that ask for money; null if there are none. Unlike a hint, a refusal must spare those who say that there is nothing to pay. */
export function findPaymentWords(text: string): string | null {
  const normalized = normalize(text);
  for (const pattern of PAYMENT_PATTERNS) {
    const match = pattern.exec(normalized);
    if (match !== null && !NOTHING_TO_PAY.test(normalized.slice(0, match.index))) return match[0];
  }
  return null;
}
