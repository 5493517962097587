import { useState } from 'react';
import type { WaitingItem } from '#db/views.ts';
import { useUploadLimit } from '#shared/queries/use-upload-limit.ts';
import { Button } from '#ui/Button.tsx';
import { cureOf, type CureAction } from './cures.ts';
import { RowFrame } from './RowFrame.tsx';
import { useCures } from './use-cures.ts';

interface NeedsRowProps {
  item: WaitingItem;
  onFix: () => void;
  onChoose: () => void;
  onLater: () => void;
}

/** One change that needs the person: what happened, and every way out as a button. */
export function NeedsRow({ item, onFix, onChoose, onLater }: NeedsRowProps) {
  const cures = useCures();
  const [now] = useState(Date.now);
  const maxBytes = useUploadLimit();
  const { message, ways } = cureOf(item, now, maxBytes);
  const acts: Record<CureAction, () => unknown> = {
    fix: onFix,
    choose: onChoose,
    later: onLater,
    recreate: () => cures.recreate(item),
    discard: () => cures.discard(item),
    keep: () => cures.keepTheirs(item),
    delete: () => cures.insistOnDelete(item),
    copy: () => cures.copy(item),
    shrink: () => cures.shrink(item),
    send: () => cures.send(item),
    check: () => cures.check(item),
    update: () => location.reload(),
  };
  return (
    <RowFrame item={item} text={<div className="text-sm leading-snug text-muted">{message}</div>}>
      <div className="mt-3 flex flex-wrap gap-2">
        {ways.map((way, at) => (
          <Button
            key={way.action}
            look={at === 0 ? 'primary' : 'line'}
            aria-label={`${way.label}: ${item.title}`}
            onClick={() => void acts[way.action]()}
          >
            {way.label}
          </Button>
        ))}
      </div>
    </RowFrame>
  );
}
