import { setKept, visitedPage } from '#db/visited.ts';
import { useAccount } from '#session/session.tsx';
import { tellTrouble } from '#session/trouble.ts';
import { useQuery } from '#session/use-query.ts';
import { deviceWord } from '#ui/device.ts';
import { Toggle } from '#ui/Toggle.tsx';

/** The small pictures too: each one asked for stays with the others that were seen. */
function fetchPictures(addresses: readonly unknown[]): void {
  for (const address of addresses) if (typeof address === 'string') new Image().src = address;
}

/** Keeps a page for good, where those opened once make room for others in time. */
export function KeepToggle({ address }: { address: string }) {
  const { db } = useAccount();
  const page = useQuery((store) => visitedPage(store, address), [address]);
  if (!page) return null;
  const handleChange = (kept: boolean) => {
    if (kept) fetchPictures([page.profile.profile_photo, ...(page.rows.media ?? []).map((row) => row.thumb_path)]);
    void tellTrouble(setKept(db, address, kept));
  };
  return (
    <div>
      <Toggle label="Keep offline" checked={page.kept} onChange={handleChange} />
      <p className="text-sm text-muted">
        {page.kept
          ? `Stays on this ${deviceWord()} until you let it go.`
          : `Opened pages stay on this ${deviceWord()} for a while; this one can stay for good.`}
      </p>
    </div>
  );
}
