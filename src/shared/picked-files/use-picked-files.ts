import { useEffect, useRef, useState } from 'react';
import type { MediaKind } from '#contract/media-kinds.ts';
import { useAccount } from '#session/session.tsx';
import { toErrorText } from '#shared/error-text.ts';
import { shrinkPhoto } from '#ui/photo-file.ts';
import { type FileMetadata, inspectFile } from './inspect-file.ts';
import { validateFile, capacityFor, toTitle, type PickedFile } from './picked-files.ts';

interface FilePicks {
  files: readonly PickedFile[];
  /** Adds the files that still fit into one submission. Returns how many did not fit. */
  add: (picked: readonly File[]) => number;
  remove: (file: PickedFile) => void;
  rename: (file: PickedFile, title: string) => void;
  /** Converts a photo that is too big, or of an unsupported type, to an accepted JPEG. */
  shrink: (file: PickedFile) => Promise<void>;
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
  const unwanted = useRef(new Set<string>());
  const isClosed = useRef(false);
  const inspections = useRef<Promise<unknown>>(Promise.resolve());
  const copies = useRef<Promise<void>>(Promise.resolve());
  useEffect(() => {
    isClosed.current = false;
    return () => {
      isClosed.current = true;
    };
  }, []);

  const update = (change: (before: readonly PickedFile[]) => readonly PickedFile[]) => {
    latest.current = change(latest.current);
    setFiles(latest.current);
  };
  const patch = (key: string, change: Partial<PickedFile>) =>
    update((before) => before.map((each) => (each.key === key ? { ...each, ...change } : each)));

  const isUnwanted = (key: string) => isClosed.current || unwanted.current.has(key);
  const inspect = async (key: string, file: File): Promise<FileMetadata> => {
    if (isUnwanted(key)) return {};
    const metadata = await inspectFile(kind.key, file);
    if (metadata.thumb) patch(key, { picture: metadata.thumb });
    return metadata;
  };
  const store = async (key: string, file: File, inspection: Promise<FileMetadata>) => {
    if (isUnwanted(key)) return;
    try {
      const metadata = await inspection;
      const onProgress = (storedBytes: number) => patch(key, { storedBytes });
      const { id } = await engine.importFile(file, { ...metadata, onProgress });
      if (isUnwanted(key)) await engine.dropFile(id);
      else patch(key, { state: 'stored', mediaId: id });
    } catch (error) {
      const problem = toErrorText(error, 'This file could not be read. Choose it again or remove it', {
        noun: `the ${kind.noun}`,
      });
      patch(key, { state: 'error', problem });
    }
  };
  const enqueue = (key: string, file: File) => {
    const inspection = inspections.current.then(() => inspect(key, file));
    // A failure is reported by `store`, and the next file is inspected all the same.
    inspections.current = inspection.catch(() => undefined);
    copies.current = copies.current.then(() => store(key, file, inspection));
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
      unwanted.current.add(file.key);
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
    removeAll: (queued) => {
      const keys = new Set(queued.map((file) => file.key));
      update((before) => before.filter((each) => !keys.has(each.key)));
    },
  };
}
