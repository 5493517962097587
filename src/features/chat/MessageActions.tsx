import { Copy } from 'lucide-react';
import type { ReactNode } from 'react';
import { Button } from '#ui/Button.tsx';
import { copyText } from '#ui/copy-text.ts';

/** The actions for the selected message. @param children further buttons, before Copy */
export function MessageActions({ text, children }: { text: string; children?: ReactNode }) {
  return (
    <div className="mt-1 flex gap-1">
      {children}
      {text !== '' && (
        <Button look="tonal" icon={Copy} onClick={() => void copyText(text, 'Copied')}>
          Copy
        </Button>
      )}
    </div>
  );
}
