import { useEffect, useState } from 'react';
import type { AccountDb } from '#db/database.ts';
import { useAccount } from '#session/session.tsx';
import { toTitle, type PickedFile } from './picked-files.ts';

async function readDraftFiles(db: AccountDb, draft: Record<string, unknown>): Promise<PickedFile[]> {
  const ids = Array.isArray(draft['files']) ? draft['files'].filter((id) => typeof id === 'string') : [];
  const titles = (draft['titles'] ?? {}) as Record<string, unknown>;
  return (await db.media.bulkGet(ids)).flatMap((file): PickedFile[] => {
    if (file?.state !== 'ready') return [];
    const { id, name, size, thumb } = file;
    const typed = titles[id];
    const title = typeof typed === 'string' ? typed : toTitle(name);
    return [{ key: id, mediaId: id, name, title, sizeBytes: size, storedBytes: size, state: 'stored', picture: thumb }];
  });
}

/**
 * Returns the stored files of an abandoned sheet; undefined while they are being loaded. A draft is best effort: if the
 * store cannot read it, the sheet is empty.
 * @param draft undefined while it is being loaded
 */
export function useDraftFiles(draft: Record<string, unknown> | undefined): readonly PickedFile[] | undefined {
  const { db } = useAccount();
  const [files, setFiles] = useState<readonly PickedFile[]>();
  useEffect(() => {
    if (draft === undefined) return;
    let isCurrent = true;
    const settle = (found: readonly PickedFile[]) => {
      if (isCurrent) setFiles(found);
    };
    readDraftFiles(db, draft).then(settle, (error: unknown) => {
      reportError(error);
      settle([]);
    });
    return () => {
      isCurrent = false;
    };
  }, [db, draft]);
  return files;
}
