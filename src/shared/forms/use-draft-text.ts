import { useState } from 'react';
import { useDraft } from './use-draft.ts';

/**
 * The draft of a single text, for sheets without a form. It survives a reload, until `drop` is called.
 * @param key under which the draft is stored
 */
export function useDraftText(key: string): { text: string; change: (text: string) => void; drop: () => void } {
  const draft = useDraft(key);
  const [typed, setTyped] = useState<string | null>(null);
  const kept = draft.kept?.text;
  return {
    text: typed ?? (typeof kept === 'string' ? kept : ''),
    change: (text) => {
      setTyped(text);
      draft.keep({ text });
    },
    drop: () => void draft.drop().catch(console.warn),
  };
}
