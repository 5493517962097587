import { useEffect, useState } from 'react';
import * as z from 'zod/mini';
import type { AccountDb } from '#db/database.ts';
import type { MediaFile } from '#db/rows.ts';
import { isSameRange } from '#db/takes.ts';
import { useAccount } from '#session/session.tsx';
import { toPickedTake, toTitle, type PickedFile } from './picked-files.ts';

/** What a draft says about its files. One of an older version may have other things. */
const draftFiles = z.object({
  files: z.catch(z.array(z.string()), []),
  settled: z.catch(z.array(z.string()), []),
  titles: z.catch(z.record(z.string(), z.string()), {}),
  takes: z.catch(
    z.record(
      z.string(),
      z.object({
        id: z.string(),
        range: z.nullable(z.object({ from: z.number(), to: z.number() })),
        isOriginal: z.optional(z.boolean()),
      }),
    ),
    {},
  ),
});

export async function readDraftFiles(
  db: AccountDb,
  draft: Record<string, unknown>,
  withSent = false,
): Promise<PickedFile[]> {
  const { files: ids, titles, takes, settled } = z.parse(draftFiles, draft);
  const stored = await db.media.bulkGet(ids);
  // The page ended after these were queued and before its draft said so. They must not be queued again.
  const queued = withSent ? [] : await db.outbox.where('deps').anyOf(ids).toArray();
  const isQueued = (id: string) => queued.some(({ deps }) => deps.includes(id));
  const read = async (id: string, at: number): Promise<PickedFile | null> => {
    const from = takes[id];
    const take = from && (await db.takes.get(from.id));
    const file = stored[at];
    // A take that was trimmed since is made once more, unless all of its recording is sent.
    const isCurrent = !take || from.isOriginal || isSameRange(take.range, from.range);
    if (isQueued(id)) return null;
    const isHere = file?.state === 'ready' || (withSent && file?.state === 'sent');
    if (isHere && isCurrent) {
      return { ...toStoredFile(file, titles[id], from), ...(settled.includes(id) && { isSettled: true }) };
    }
    if (take?.state !== 'sealed') return null;
    const again = toPickedTake(take, `${id}:made`);
    const chosen = { ...again.take, isOriginal: from?.isOriginal };
    return { ...again, take: chosen, ...(titles[id] !== undefined && { title: titles[id] }) };
  };
  return (await Promise.all(ids.map(read))).filter((file) => file !== null);
}

const toStoredFile = (
  { id, name, type, size, thumb }: MediaFile,
  title: string | undefined,
  take: PickedFile['take'],
): PickedFile => ({
  key: id,
  mediaId: id,
  name,
  type,
  title: title ?? toTitle(name),
  sizeBytes: size,
  storedBytes: size,
  state: 'stored',
  picture: thumb,
  ...(take && { take }),
});

/**
 * Returns the stored files of an abandoned sheet; undefined while they are being loaded. A draft is best effort: if the
 * store cannot read it, the sheet is empty.
 * @param draft undefined while it is being loaded
 * @param withSent includes files that have been uploaded, for a form whose files may be sent again
 */
export function useDraftFiles(
  draft: Record<string, unknown> | undefined,
  withSent = false,
): readonly PickedFile[] | undefined {
  const { db } = useAccount();
  const [files, setFiles] = useState<readonly PickedFile[]>();
  useEffect(() => {
    if (draft === undefined) return;
    let isCurrent = true;
    const settle = (found: readonly PickedFile[]) => {
      if (isCurrent) setFiles(found);
    };
    readDraftFiles(db, draft, withSent).then(settle, (error: unknown) => {
      reportError(error);
      settle([]);
    });
    return () => {
      isCurrent = false;
    };
  }, [db, draft, withSent]);
  return files;
}
