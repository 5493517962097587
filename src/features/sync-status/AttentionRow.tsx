import { useState } from 'react';
import type { WaitingItem } from '#db/views.ts';
import { useUploadLimit } from '#shared/queries/use-upload-limit.ts';
import { Button } from '#ui/Button.tsx';
import { resolutionsFor, type ResolutionAction } from './resolutions.ts';
import { RowFrame } from './RowFrame.tsx';
import { useResolutions } from './use-resolutions.ts';

interface AttentionRowProps {
  item: WaitingItem;
  onFix: () => void;
  onChoose: () => void;
  onLater: () => void;
}

/** One change that needs the person: what happened, and every way out as a button. */
export function AttentionRow({ item, onFix, onChoose, onLater }: AttentionRowProps) {
  const cures = useResolutions();
  const [now] = useState(Date.now);
  const maxBytes = useUploadLimit();
  const { message, resolutions: ways } = resolutionsFor(item, now, maxBytes);
  const acts: Record<ResolutionAction, () => unknown> = {
    fix: onFix,
    choose: onChoose,
    later: onLater,
    recreate: () => cures.recreate(item),
    discard: () => cures.discard(item),
    keep: () => cures.keepTheirs(item),
    delete: () => cures.deleteAnyway(item),
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
