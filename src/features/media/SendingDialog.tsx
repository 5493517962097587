import { Check, Hand } from 'lucide-react';
import { Link } from 'react-router-dom';
import { mediaItems } from '#db/queries.ts';
import { count } from '#lib/text.ts';
import { useOnline } from '#session/use-online.ts';
import { useQuery } from '#session/use-query.ts';
import { Button } from '#ui/Button.tsx';
import { deviceWord } from '#ui/device.ts';
import { Sheet } from '#ui/Sheet.tsx';
import { Arc, DeviceIcon } from '#ui/StatePill.tsx';
import type { Photo } from './photo.ts';

interface SendingDialogProps {
  profileId: string;
  /** The photos that were just queued. */
  ids: readonly string[];
  onDone: () => void;
}

const CIRCLE = 'mx-auto grid size-14 place-items-center rounded-full';

function Progress({ photos, total }: { photos: readonly Photo[]; total: number }) {
  const isOnline = useOnline();
  const saved = photos.filter((photo) => photo.state === 'saved').length;
  if (photos.some((photo) => photo.state === 'needs')) {
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
        <p className="text-lg font-bold">Safe on this {deviceWord()}. It sends by itself.</p>
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
        {total > 1 ? `${saved} of ${count(total, 'photo')} saved. ` : ''}You can leave this, it goes on by itself.
      </p>
    </>
  );
}

/** After Save: how far the photos are. It can be left at any moment. */
export function SendingDialog({ profileId, ids, onDone }: SendingDialogProps) {
  const photos = useQuery((db) => mediaItems(db, profileId), [profileId]);
  const ours = photos?.filter((photo) => ids.includes(photo.id));
  return (
    <Sheet
      title="Your photos"
      onClose={onDone}
      foot={
        <Button className="flex-1" onClick={onDone}>
          Got it!
        </Button>
      }
    >
      <div className="space-y-3 py-3 text-center" aria-live="polite">
        {ours && <Progress photos={ours} total={ids.length} />}
      </div>
    </Sheet>
  );
}
