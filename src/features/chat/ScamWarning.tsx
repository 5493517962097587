import { ShieldAlert } from 'lucide-react';
import type { detectScamSign } from '#contract/scam-words.ts';

const TEXTS: Record<NonNullable<ReturnType<typeof detectScamSign>>, string> = {
  money: 'This message asks for money or payment details. No honest casting office charges for an audition or a role.',
  elsewhere: 'This message asks you to move to another app. You can report messages here, but not there.',
};

/** Warns about a first message that looks like a scam. It does not block anything. */
export function ScamWarning({ sign }: { sign: keyof typeof TEXTS }) {
  return (
    <div role="note" className="mt-1.5 flex max-w-[78%] gap-2 rounded-box bg-phone-tint p-3 text-sm text-phone">
      <ShieldAlert className="ic size-5" aria-hidden />
      <span>{TEXTS[sign]}</span>
    </div>
  );
}
