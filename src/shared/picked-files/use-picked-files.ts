import { useEffect, useRef, useState } from 'react';
import type { MediaKind } from '#contract/media-kinds.ts';
import { useAccount } from '#session/session.tsx';
import { toErrorText } from '#shared/error-text.ts';
import { StorageError } from '#sync/storage-error.ts';
import { shrinkPhoto } from '#ui/photo-file.ts';
import { type FileMetadata, inspectFile } from '#shared/picked-files/inspect-file.ts';
import { validateFile, capacityFor, toTitle, type PickedFile } from './picked-files.ts';

interface FilePicks {
  files: readonly PickedFile[];
  /** Adds the files that still fit into one submission. Returns how many did not fit. */
  add: (picked: readonly File[]) => number;
  remove: (file: PickedFile) => void;
  rename: (file: PickedFile, title: string) => void;
  /** Converts a photo that is too big, or of an unsupported type, to an accepted JPEG. */
  shrink: (file: PickedFile) => Promise<void>;
  /** Stores a file for which there was no room before. */
  retry: (file: PickedFile) => void;
  /** Removes files that are queued for upload from the list. */
  removeAll: (queued: readonly PickedFile[]) => void;
}

/**
 * Manages the files of an open sheet. Each is copied into the store as soon as it is picked, one after the other. While one is
 * being written, the next is decoded, and never more than one: a decoded photo takes 50 MB.
 * @param maxBytes maximum size of one file
 */
export function usePicks(kind: MediaKind, maxBytes: number, start: readonly PickedFile[]): FilePicks {
  const { engine } = useAccount();
  const [files, setFiles] = useState<readonly PickedFile[]>(start);
  // Changes in one task, such as two drops in a row, must build on each other. `files` is the list of the last render.
  const latest = useRef(start);
  /** Ends the copy of a file that was removed. */
  const copying = useRef(new Map<string, AbortController>());
  const isClosed = useRef(false);
  const inspections = useRef<Promise<unknown>>(Promise.resolve());
  const copies = useRef<Promise<void>>(Promise.resolve());
  useEffect(() => {
    const all = copying.current;
    isClosed.current = false;
    return () => {
      isClosed.current = true;
      for (const control of all.values()) control.abort();
    };
  }, []);

  const update = (change: (before: readonly PickedFile[]) => readonly PickedFile[]) => {
    latest.current = change(latest.current);
    setFiles(latest.current);
  };
  const patch = (key: string, change: Partial<PickedFile>) =>
    update((before) => before.map((each) => (each.key === key ? { ...each, ...change } : each)));

  const isUnwanted = ({ aborted }: AbortSignal) => isClosed.current || aborted;
  const inspect = async (key: string, file: File, signal: AbortSignal): Promise<FileMetadata> => {
    if (isUnwanted(signal)) return {};
    const metadata = await inspectFile(kind.key, file);
    if (metadata.thumb) patch(key, { picture: metadata.thumb });
    return metadata;
  };
  const store = async (key: string, file: File, inspection: Promise<FileMetadata>, signal: AbortSignal) => {
    if (isUnwanted(signal)) return;
    try {
      const metadata = await inspection;
      const onProgress = (storedBytes: number) => patch(key, { storedBytes });
      const { id } = await engine.importFile(file, { ...metadata, onProgress, signal });
      if (isUnwanted(signal)) await engine.dropFile(id);
      else patch(key, { state: 'stored', mediaId: id });
    } catch (error) {
      if (isUnwanted(signal)) return;
      const problem = toErrorText(error, 'This file could not be read. Choose it again or remove it', {
        noun: `the ${kind.noun}`,
      });
      patch(key, { state: 'error', problem, canRetry: error instanceof StorageError && error.reason === 'full' });
    }
  };
  const enqueue = (key: string, file: File) => {
    const control = new AbortController();
    copying.current.set(key, control);
    const inspection = inspections.current.then(() => inspect(key, file, control.signal));
    // A failure is reported by `store`, and the next file is inspected all the same.
    inspections.current = inspection.catch(() => undefined);
    copies.current = copies.current.then(() => store(key, file, inspection, control.signal));
  };

  return {
    files,
    add: (picked) => {
      const { accepted, rejected } = capacityFor(kind, latest.current.length, picked.length);
      const added = picked.slice(0, accepted).map((file): PickedFile => {
        const validity = validateFile(kind, file, maxBytes);
        return {
          key: crypto.randomUUID(),
          name: file.name,
          title: toTitle(file.name),
          sizeBytes: file.size,
          ...validity,
          storedBytes: 0,
          // A file that is being stored shows its thumbnail, so that the browser does not decode the whole photo once more.
          ...(validity.state !== 'storing' && file.type.startsWith('image/') && { picture: file }),
          file,
        };
      });
      update((before) => [...before, ...added]);
      for (const each of added) if (each.state === 'storing' && each.file) enqueue(each.key, each.file);
      return rejected;
    },
    remove: (file) => {
      copying.current.get(file.key)?.abort();
      update((before) => before.filter((each) => each.key !== file.key));
      if (file.mediaId) engine.dropFile(file.mediaId).catch(reportError);
    },
    rename: (file, title) => patch(file.key, { title }),
    shrink: async (file) => {
      if (!file.file) return;
      const smaller = await shrinkPhoto(file.file, maxBytes, file.name);
      if (!smaller) {
        patch(file.key, { state: 'error', problem: 'This picture can’t be made smaller here. Remove it' });
        return;
      }
      const { name, size: sizeBytes } = smaller;
      patch(file.key, { name, sizeBytes, state: 'storing', storedBytes: 0, file: smaller, picture: undefined });
      enqueue(file.key, smaller);
    },
    retry: (file) => {
      if (!file.file) return;
      patch(file.key, { state: 'storing', storedBytes: 0 });
      enqueue(file.key, file.file);
    },
    removeAll: (queued) => {
      const keys = new Set(queued.map((file) => file.key));
      update((before) => before.filter((each) => !keys.has(each.key)));
    },
  };
}
