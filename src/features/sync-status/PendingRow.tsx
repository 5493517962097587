import type { WaitingItem } from '#db/views.ts';
import { ProgressBar } from '#ui/ProgressBar.tsx';
import { StatePill } from '#ui/StatePill.tsx';
import { useTransferRate } from '#ui/use-transfer-rate.ts';
import { getDelayText } from './queue-text.ts';
import { getSummary } from './row-text.ts';
import { RowFrame } from './RowFrame.tsx';

/** A change that is sent without the user's help. An upload shows its progress and the remaining time. */
export function PendingRow({ item }: { item: WaitingItem }) {
  const { upload } = item;
  const pace = useTransferRate(upload?.sent ?? 0, upload?.size ?? 0, item.state === 'sending');
  const text = item.blocked ? 'Waiting for the item above' : (getDelayText(item) ?? getSummary(item));
  return (
    <RowFrame
      item={item}
      text={text && <div className="line-clamp-2 text-sm leading-snug break-words text-muted">{text}</div>}
    >
      <div className="mt-1.5">
        <StatePill state={item.state} />
      </div>
      {upload && (upload.sent > 0 || item.state === 'sending') && (
        <>
          <div className="mt-2.5">
            <ProgressBar label={item.title} done={upload.sent} of={upload.size} />
          </div>
          <div className="num mt-1.5 text-xs text-muted">{pace}</div>
        </>
      )}
    </RowFrame>
  );
}
