import { useState } from 'react';
import type { WaitingItem } from '#db/views.ts';
import { useUploadLimits } from '#shared/queries/use-upload-limits.ts';
import { Button } from '#ui/Button.tsx';
import { useNavigate } from '#ui/router.tsx';
import { resolutionsFor, type ResolutionAction } from './resolutions.ts';
import { RowFrame } from './RowFrame.tsx';
import { useResolutions } from './use-resolutions.ts';

interface AttentionRowProps {
  item: WaitingItem;
  onFix: () => void;
  onChoose: () => void;
  onLater: () => void;
}

/** A change that needs the user's attention: what happened, and a button for each resolution. */
export function AttentionRow({ item, onFix, onChoose, onLater }: AttentionRowProps) {
  const actions = useResolutions();
  const navigate = useNavigate();
  const [now] = useState(Date.now);
  const limits = useUploadLimits();
  const { message, resolutions } = resolutionsFor(item, now, limits);
  const handlers: Record<ResolutionAction, () => unknown> = {
    fix: onFix,
    choose: onChoose,
    later: onLater,
    recreate: () => actions.recreate(item),
    discard: () => actions.discard(item),
    keep: () => actions.keepTheirs(item),
    delete: () => actions.deleteAnyway(item),
    copy: () => actions.copy(item),
    shrink: () => actions.shrink(item),
    send: () => actions.send(item),
    check: () => actions.check(item),
    update: () => location.reload(),
    // Home asks for whatever is missing: the address, a date of birth, or a guardian.
    confirm: () => navigate('/'),
  };
  return (
    <RowFrame item={item} text={<div className="text-sm leading-snug text-muted">{message}</div>}>
      <div className="mt-3 flex flex-wrap gap-2">
        {resolutions.map((resolution, index) => (
          <Button
            key={resolution.action}
            look={index === 0 ? 'primary' : 'line'}
            aria-label={`${resolution.label}: ${item.title}`}
            onClick={() => void handlers[resolution.action]()}
          >
            {resolution.label}
          </Button>
        ))}
      </div>
    </RowFrame>
  );
}
