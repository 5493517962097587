import { ShieldAlert } from 'lucide-react';
import { findNudeRequest } from '#contract/rules/delicate-words.ts';
import { detectScamSign } from '#contract/scam-words.ts';

const TEXTS = {
  money: 'This message asks for money or payment details. No honest casting office charges for an audition or a role.',
  elsewhere: 'This message asks you to move to another app. You can report messages here, but not there.',
  nude: 'This message asks for nude photos or tapes. Nobody may ask for them in an audition. Don’t send any, and report it.',
};

export type WarningSign = keyof typeof TEXTS;

/** What a message about an audition warns the performer of; null if nothing. */
export const detectAuditionSign = (text: string): WarningSign | null =>
  findNudeRequest(text) === null ? detectScamSign(text) : 'nude';

/** Warns about a message that looks like a scam, or that asks for what nobody may ask. It does not block anything. */
export function ScamWarning({ sign, className = 'max-w-[78%]' }: { sign: WarningSign; className?: string }) {
  return (
    <div role="note" className={`mt-1.5 flex gap-2 rounded-box bg-phone-tint p-3 text-sm text-phone ${className}`}>
      <ShieldAlert className="ic size-5" aria-hidden />
      <span>{TEXTS[sign]}</span>
    </div>
  );
}
