import { useEffect, useRef, useState } from 'react';
import { useAccount } from '#session/session.tsx';
import { toErrorText } from '#shared/error-text.ts';
import type { PickedFile } from '#shared/picked-files/picked-files.ts';
import { inspectFile } from '#shared/picked-files/inspect-file.ts';
import type { UploadLimits } from '#sync/server/upload-limits.ts';
import { useBusyWhile } from '#ui/busy.ts';
import { getFileProblem, toGalleryFile, type GalleryFile } from './gallery.ts';

interface GalleryFiles {
  files: readonly GalleryFile[];
  /** The file that is being copied, and how much of it is; null if none is. */
  copy: { name: string; done: number; of: number } | null;
  /** Copies the files into the store of this device, one after the other. */
  add: (picked: readonly File[]) => void;
  /** Takes a file from the list and from this device. */
  remove: (file: GalleryFile) => void;
  /** Takes a file from the list because it is queued. */
  release: (file: GalleryFile) => void;
}

const fromDraft = ({ key, name, type = '', sizeBytes, picture, mediaId = key }: PickedFile): GalleryFile => ({
  ...toGalleryFile({ name, type, size: sizeBytes }),
  key,
  picture,
  mediaId,
});

/**
 * The files of the gallery page. Each is stored on this device as soon as it is picked.
 * @param start the stored files of an earlier visit
 * @param limits maximum bytes of one file, by kind
 * @param keep writes the ids of the stored files into the draft
 */
export function useGalleryFiles(
  start: readonly PickedFile[],
  limits: UploadLimits,
  keep: (ids: readonly string[]) => void,
): GalleryFiles {
  const { engine } = useAccount();
  const [files, setFiles] = useState(() => start.map(fromDraft));
  const [copy, setCopy] = useState<GalleryFiles['copy']>(null);
  // Changes in one task must build on each other. `files` is the list of the last render.
  const latest = useRef(files);
  const copies = useRef(Promise.resolve());
  const copying = useRef(new Map<string, AbortController>());
  useBusyWhile(copy !== null);
  useEffect(() => {
    const all = copying.current;
    return () => all.forEach((control) => control.abort());
  }, []);

  const update = (next: GalleryFile[]) => {
    const toIds = (list: readonly GalleryFile[]) => list.flatMap(({ mediaId }) => mediaId ?? []);
    const ids = toIds(next);
    const isChanged = ids.join() !== toIds(latest.current).join();
    latest.current = next;
    setFiles(next);
    if (isChanged) keep(ids);
  };
  const patch = (key: string, change: Partial<GalleryFile>) =>
    update(latest.current.map((each) => (each.key === key ? { ...each, ...change } : each)));
  const without = ({ key }: GalleryFile) => latest.current.filter((each) => each.key !== key);

  const store = async ({ key, kind }: GalleryFile, file: File, signal: AbortSignal) => {
    if (!kind || signal.aborted) return;
    const onProgress = (done: number) => setCopy({ name: file.name, done, of: file.size });
    onProgress(0);
    try {
      const metadata = await inspectFile(kind.key, file);
      if (metadata.thumb) patch(key, { picture: metadata.thumb });
      const { id } = await engine.importFile(file, { ...metadata, onProgress, signal });
      if (signal.aborted) await engine.dropFile(id);
      else patch(key, { mediaId: id });
    } catch (error) {
      if (signal.aborted) return;
      const unread = 'This file could not be read. Choose it again or remove it';
      patch(key, { problem: toErrorText(error, unread, { noun: 'the file' }) });
    } finally {
      copying.current.delete(key);
      setCopy(null);
    }
  };
  return {
    files,
    copy,
    add: (picked) => {
      const added = picked.map((file) => [toGalleryFile(file), file] as const);
      update([...latest.current, ...added.map(([each]) => each)]);
      for (const [each, file] of added) {
        if (getFileProblem(each, limits) !== null) continue;
        const control = new AbortController();
        copying.current.set(each.key, control);
        copies.current = copies.current.then(() => store(each, file, control.signal));
      }
    },
    remove: (file) => {
      copying.current.get(file.key)?.abort();
      update(without(file));
      if (file.mediaId) engine.dropFile(file.mediaId).catch(reportError);
    },
    release: (file) => update(without(file)),
  };
}
