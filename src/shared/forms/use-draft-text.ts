import { useState } from 'react';
import { useDraft } from './use-draft.ts';

/**
 * One text of a sheet that has no form of its own: what is typed survives a reload, until the sheet is closed.
 * @param key where it is kept
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
