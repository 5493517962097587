import type { WaitingItem } from '#db/views.ts';
import { useAccount } from '#session/session.tsx';
import { toastOnError } from '#shared/error-text.ts';
import { Button } from '#ui/Button.tsx';
import { ProgressBar } from '#ui/ProgressBar.tsx';
import { StatePill } from '#ui/StatePill.tsx';
import { useTransferRate } from '#ui/use-transfer-rate.ts';
import { getDelayText } from './waiting-text.ts';
import { getSummary } from './row-text.ts';
import { RowFrame } from './RowFrame.tsx';

/** A change that is sent without the user's help. An upload shows its progress and the remaining time. */
export function PendingRow({ item }: { item: WaitingItem }) {
  const { engine } = useAccount();
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
      {upload && item.waitsForWifi && (
        <Button
          look="line"
          className="mt-3"
          aria-label={`Send now anyway: ${item.title}`}
          onClick={() => void toastOnError(engine.sendOnAnyNetwork(upload.mediaId))}
        >
          Send now anyway
        </Button>
      )}
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
