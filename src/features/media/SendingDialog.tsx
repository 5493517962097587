import { Check, Hand } from 'lucide-react';
import { useState } from 'react';
import { Link } from '#ui/router.tsx';
import type { MediaKind } from '#contract/media-kinds.ts';
import { mediaItems, type MediaItem } from '#db/queries.ts';
import { percent } from '#lib/amounts.ts';
import { count } from '#lib/text.ts';
import { useOnline } from '#shared/queries/use-online.ts';
import { useQuery } from '#shared/queries/use-query.ts';
import { Button } from '#ui/Button.tsx';
import { useEngaged } from '#ui/busy.ts';
import { deviceWord } from '#ui/device.ts';
import { ProgressBar } from '#ui/ProgressBar.tsx';
import { Sheet } from '#ui/Sheet.tsx';
import { Arc, DeviceIcon } from '#ui/StatePill.tsx';
import { useTransferRate } from '#ui/use-transfer-rate.ts';
import { EditMediaSheet } from './EditMediaSheet.tsx';
import { getUploadedBytes } from './uploaded-bytes.ts';
import { isFixable } from './is-fixable.ts';

interface SendingDialogProps {
  kind: MediaKind;
  profileId: string;
  /** Ids of the media that were just queued. */
  ids: readonly string[];
  onDone: () => void;
}

const CIRCLE = 'mx-auto grid size-14 place-items-center rounded-full';

interface ProgressProps {
  kind: MediaKind;
  items: readonly MediaItem[];
  total: number;
}

function Progress({ kind, items, total }: ProgressProps) {
  const isOnline = useOnline();
  const saved = items.filter((item) => item.state === 'saved').length;
  if (items.some((item) => item.state === 'needs')) {
    return (
      <>
        <span className={`${CIRCLE} bg-needs-tint text-needs`}>
          <Hand className="ic size-6" aria-hidden />
        </span>
        <p className="text-lg font-bold">One of them needs you</p>
        <p className="text-sm">
          <Link to="/waiting" className="inline-flex min-h-11 items-center font-semibold text-primary underline">
            See what happened
          </Link>
        </p>
      </>
    );
  }
  if (saved === total) {
    return (
      <>
        <span className={`${CIRCLE} bg-saved-tint text-saved`}>
          <Check className="ic size-6" aria-hidden />
        </span>
        <p className="text-lg font-bold">Saved Successfully!</p>
      </>
    );
  }
  if (!isOnline) {
    return (
      <>
        <span className={`${CIRCLE} bg-phone-tint text-phone`}>
          <DeviceIcon className="ic size-6" />
        </span>
        <p className="text-lg font-bold">Saved on this {deviceWord()}. It will send when you’re back online.</p>
      </>
    );
  }
  return (
    <>
      <span className={`${CIRCLE} bg-send-tint text-send`}>
        <Arc className="size-6" />
      </span>
      <p className="text-lg font-bold">Please wait…</p>
      <p className="text-sm text-muted">
        {total > 1 ? `${saved} of ${count(total, kind.noun, kind.plural)} saved. ` : ''}You can leave. The upload
        continues.
      </p>
    </>
  );
}

/**
 * The upload progress of all items together. Hidden before the first bytes are sent and while nothing is being sent.
 */
function TransferRate({ kind, items }: Pick<ProgressProps, 'kind' | 'items'>) {
  const { sent, size } = getUploadedBytes(items);
  const isMoving = items.some((item) => item.state === 'sending');
  const rateText = useTransferRate(sent, size, isMoving);
  if (sent === 0 || items.every((item) => item.state !== 'sending')) return null;
  return (
    <div className="pt-2 text-left">
      <ProgressBar label={`Sending your ${kind.plural}`} done={sent} of={size} />
      <p className="num mt-1.5 text-xs text-muted">
        {percent(sent, size)}%, {rateText}
      </p>
    </div>
  );
}

/** The progress after Save. It can be closed at any time. If the server refuses details, their form opens here. */
export function SendingDialog({ kind, profileId, ids, onDone }: SendingDialogProps) {
  const items = useQuery((db) => mediaItems(db, profileId), [profileId]);
  useEngaged();
  const [dismissed, setDismissed] = useState<readonly string[]>([]);
  const ours = items?.filter((item) => ids.includes(item.id));
  const refused = ours?.find((item) => isFixable(item) && !dismissed.includes(item.op!));
  if (refused) {
    return <EditMediaSheet key={refused.op} item={refused} onClose={() => setDismissed([...dismissed, refused.op!])} />;
  }
  return (
    <Sheet
      title={`Your ${kind.plural}`}
      onClose={onDone}
      foot={
        <Button className="flex-1" onClick={onDone}>
          Got it!
        </Button>
      }
    >
      <div className="space-y-3 py-3 text-center" aria-live="polite">
        {ours && <Progress kind={kind} items={ours} total={ids.length} />}
      </div>
      {/* Outside the live region: it changes many times a second. */}
      {ours && <TransferRate kind={kind} items={ours} />}
    </Sheet>
  );
}
