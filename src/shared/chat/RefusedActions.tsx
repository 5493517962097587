import { Copy, RefreshCw, Search, Trash2 } from 'lucide-react';
import { Button } from '#ui/Button.tsx';
import { copyText } from '#ui/copy-text.ts';

interface RefusedProps {
  text: string;
  /** Why the message was not sent. */
  reason: string;
  /** Later messages wait for this one. */
  isBlockingOthers: boolean;
  /** Checks whether the message has already arrived; undefined if that is known. */
  onCheck: (() => void) | undefined;
  /** Undefined if the message can no longer arrive. */
  onRetry: (() => void) | undefined;
  onDiscard: () => void;
}

/** Explains why a message was not sent and offers every resolution. */
export function RefusedActions({ text, reason, isBlockingOthers, onCheck, onRetry, onDiscard }: RefusedProps) {
  return (
    <div className="mt-1.5 max-w-[78%] rounded-box bg-needs-tint p-3 text-sm text-needs">
      <p className="break-words">{reason}</p>
      {isBlockingOthers && <p>The messages after it are waiting. Discard it to send the rest.</p>}
      <div className="mt-2 flex flex-wrap gap-2">
        {onCheck && (
          <Button look="line" icon={Search} onClick={onCheck}>
            Check
          </Button>
        )}
        {onRetry && (
          <Button look="line" icon={RefreshCw} onClick={onRetry}>
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
