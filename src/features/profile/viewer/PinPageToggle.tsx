import { useNavigate } from '#ui/router.tsx';
import { setPinned, readCachedPage } from '#db/cached-pages.ts';
import { showPinResult } from '#shared/offline-media/pin-result-text.ts';
import { useAccount } from '#session/session.tsx';
import { toastOnError } from '#shared/error-text.ts';
import { pinPageMedia, unpinPageMedia, useOfflineMedia } from '#shared/offline-media/use-offline-media.ts';
import { useQuery } from '#shared/queries/use-query.ts';
import { Button } from '#ui/Button.tsx';
import { deviceWord } from '#ui/device.ts';
import { ProgressBar } from '#ui/ProgressBar.tsx';
import { Toggle } from '#ui/Toggle.tsx';

/** Pins a page with its media for offline use. Pages that are not pinned are evicted from the cache in time. */
export function PinPageToggle({ address }: { address: string }) {
  const { db } = useAccount();
  const page = useQuery((store) => readCachedPage(store, address), [address]);
  const { kept, progressOf, getStatus } = useOfflineMedia();
  const navigate = useNavigate();
  if (!page) return null;
  const media = [{ path: page.profile.profile_photo }, ...(page.rows.media ?? [])];
  const progress = progressOf(media);
  const isIncomplete = media.map(getStatus).includes('away');
  const pinMedia = async () => showPinResult(await pinPageMedia(media), () => navigate('/settings'));
  const change = async (isPinned: boolean) => {
    await setPinned(db, address, isPinned);
    return isPinned ? pinMedia() : unpinPageMedia(media);
  };
  const getText = () => {
    const device = deviceWord();
    if (!page.kept) return `Pages you open stay on this ${device} for a while. Switch this on to keep this one.`;
    if (progress) return `Downloading its media to this ${device}. Leave Callboard open until it’s here.`;
    if (kept === null) return `Stays on this ${device} until you switch this off.`;
    return isIncomplete
      ? `Stays on this ${device} until you switch this off. Not all of its media is here.`
      : `Stays on this ${device} with its media until you switch this off.`;
  };
  return (
    <div>
      <Toggle label="Keep offline" checked={page.kept} onChange={(isPinned) => void toastOnError(change(isPinned))} />
      <p className="text-sm text-muted">{getText()}</p>
      {page.kept && !progress && isIncomplete && (
        <Button look="tonal" className="mt-2" onClick={() => void toastOnError(pinMedia())}>
          Download the rest
        </Button>
      )}
      {page.kept && progress && (
        <div className="mt-2">
          <ProgressBar label="Downloading media" done={progress.done} of={progress.of} />
        </div>
      )}
    </div>
  );
}
