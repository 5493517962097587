import { Copy, RefreshCw, Search, Trash2 } from 'lucide-react';
import { Button } from '#ui/Button.tsx';
import { copyText } from '#ui/copy-text.ts';

/** What can be done with the message that was picked. */
export function MessageActions({ text }: { text: string }) {
  return (
    <div className="mt-1 flex gap-1">
      <Button look="tonal" icon={Copy} onClick={() => void copyText(text, 'Copied')}>
        Copy
      </Button>
    </div>
  );
}

interface RefusedProps {
  text: string;
  /** Why it was refused. */
  reason: string;
  /** Others wait behind it. */
  isFirstOfMany: boolean;
  /** Looks whether it was said already, where that is not known. */
  onCheck: (() => void) | undefined;
  /** Absent where it could never arrive. */
  onAgain: (() => void) | undefined;
  onDiscard: () => void;
}

/** A message that was refused, with every way out of it. */
export function RefusedActions({ text, reason, isFirstOfMany, onCheck, onAgain, onDiscard }: RefusedProps) {
  return (
    <div className="mt-1.5 max-w-[78%] rounded-box bg-needs-tint p-3 text-sm text-needs">
      <p className="break-words">{reason}</p>
      {isFirstOfMany && <p>The messages after it are waiting. Discard it to send the rest.</p>}
      <div className="mt-2 flex flex-wrap gap-2">
        {onCheck && (
          <Button look="line" icon={Search} onClick={onCheck}>
            Check
          </Button>
        )}
        {onAgain && (
          <Button look="line" icon={RefreshCw} onClick={onAgain}>
            {onCheck ? 'Send again' : 'Try again'}
          </Button>
        )}
        {text !== '' && (
          <Button look="line" icon={Copy} onClick={() => void copyText(text, 'Copied')}>
            Copy
          </Button>
        )}
        <Button look="line" icon={Trash2} onClick={onDiscard}>
          Discard
        </Button>
      </div>
    </div>
  );
}
