import { useNavigate } from 'react-router-dom';
import { setKept, visitedPage } from '#db/visited.ts';
import { tellKeeping } from '#session/keeping-words.ts';
import { useAccount } from '#session/session.tsx';
import { tellTrouble } from '#session/trouble.ts';
import { keepPageMedia, letPageMediaGo, useKeptMedia } from '#session/use-kept-media.ts';
import { useQuery } from '#session/use-query.ts';
import { deviceWord } from '#ui/device.ts';
import { ProgressBar } from '#ui/ProgressBar.tsx';
import { Toggle } from '#ui/Toggle.tsx';

/** Keeps a page with its media for good, where those opened once make room for others in time. */
export function KeepToggle({ address }: { address: string }) {
  const { db } = useAccount();
  const page = useQuery((store) => visitedPage(store, address), [address]);
  const { progressOf } = useKeptMedia();
  const navigate = useNavigate();
  if (!page) return null;
  const media = [{ path: page.profile.profile_photo }, ...(page.rows.media ?? [])];
  const progress = progressOf(media);
  const change = async (kept: boolean) => {
    await setKept(db, address, kept);
    if (!kept) return letPageMediaGo(media);
    tellKeeping(await keepPageMedia(media), () => void navigate('/settings'));
  };
  return (
    <div>
      <Toggle label="Keep offline" checked={page.kept} onChange={(kept) => void tellTrouble(change(kept))} />
      <p className="text-sm text-muted">
        {page.kept
          ? `Stays on this ${deviceWord()} with its media until you switch this off.`
          : `Pages you open stay on this ${deviceWord()} for a while. Switch this on to keep this one.`}
      </p>
      {page.kept && progress && (
        <div className="mt-2">
          <ProgressBar label="Downloading media" done={progress.done} of={progress.of} />
        </div>
      )}
    </div>
  );
}
