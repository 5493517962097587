import { useEffect, useState } from 'react';
import { useLocation, useNavigate } from '#ui/router.tsx';
import { MEDIA_KINDS, type MediaKind } from '#contract/media-kinds.ts';
import { youtubeId } from '#contract/youtube.ts';
import { readShared, SHARE_CUT, type Shared } from '#lib/shared-files.ts';
import { deviceWord } from '#ui/device.ts';
import { toast } from '#ui/Toast.tsx';
import { AddMediaSheet } from './AddMediaSheet.tsx';
import { validateFile } from '#shared/picked-files/picked-files.ts';

/**
 * Passes an installed app the files that it was opened with. Only in Chromium, and missing from TypeScript's library.
 */
interface LaunchQueue {
  setConsumer(take: (launch: { files?: readonly { getFile(): Promise<File> }[] }) => void): void;
}

interface SharedBatch {
  kind: MediaKind;
  files: File[];
  links: string[];
}

/** Groups shared files and links by media kind. `others` are the files that no kind accepts. */
export function groupShared({ files, text }: Pick<Shared, 'files' | 'text'>): {
  batches: SharedBatch[];
  others: File[];
} {
  const links = text.split(/\s+/).filter((word) => youtubeId(word) !== null);
  const batches = MEDIA_KINDS.map((kind) => ({
    kind,
    files: files.filter((file) => validateFile(kind, file, Infinity).state !== 'wrongtype'),
    links: kind.key === 'video' ? [...new Set(links)] : [],
  })).filter((batch) => batch.files.length + batch.links.length > 0);
  const others = files.filter((file) => !batches.some((batch) => batch.files.includes(file)));
  return { batches, others };
}

const NOTHING_TO_DROP: Shared['drop'] = () => Promise.resolve();

/** Opens sheets for files that were shared with the app or that it was opened with, one kind after the other. */
export function SharedFiles({ profileId }: { profileId: string }) {
  const { search, pathname } = useLocation();
  const navigate = useNavigate();
  const [note] = useState(() =>
    search === SHARE_CUT
      ? `Not everything you shared could be stored. Make room on this ${deviceWord()} and share the rest again.`
      : undefined,
  );
  useEffect(() => {
    if (search === SHARE_CUT) void navigate(pathname, { replace: true });
  }, [search, pathname, navigate]);
  const [batches, setBatches] = useState<readonly (SharedBatch & Pick<Shared, 'drop'>)[]>([]);
  useEffect(() => {
    let isMounted = true;
    const take = (shared: Shared) => {
      if (!isMounted) return;
      const { batches: found, others } = groupShared(shared);
      setBatches((before) => [...before, ...found.map((batch) => ({ ...batch, drop: shared.drop }))]);
      const hasLinks = found.some(({ links }) => links.length > 0);
      shared.drop(others, !hasLinks).catch(reportError);
      const [first] = others;
      if (first) toast({ text: `${first.name} can’t be added. Choose a photo, video, recording or document.` });
      else if (found.length === 0) toast({ text: note ?? 'This is not a YouTube link.' });
    };
    readShared().then((shared) => {
      if (shared) take(shared);
      else if (note !== undefined) toast({ text: note });
    }, reportError);
    const queue = (globalThis as { launchQueue?: LaunchQueue }).launchQueue;
    queue?.setConsumer(({ files = [] }) => {
      if (files.length === 0) return;
      Promise.all(files.map((handle) => handle.getFile())).then(
        (opened) => take({ files: opened, text: '', drop: NOTHING_TO_DROP }),
        reportError,
      );
    });
    return () => {
      isMounted = false;
    };
  }, [note]);
  const [batch] = batches;
  if (!batch) return null;
  const { kind, files, links, drop } = batch;
  // What was too many for one time comes again with the next visit.
  const handleTaken = (taken: readonly File[]) => {
    drop(taken, links.length > 0).catch(reportError);
  };
  return (
    <AddMediaSheet
      key={kind.key}
      kind={kind}
      profileId={profileId}
      given={{ files, links, note, onTaken: handleTaken }}
      onClose={() => setBatches(batches.slice(1))}
    />
  );
}
