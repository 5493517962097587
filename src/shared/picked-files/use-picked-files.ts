import { useEffect, useEffectEvent, useRef, useState } from 'react';
import type { MediaKind } from '#contract/media-kinds.ts';
import type { Take } from '#db/rows.ts';
import { useAccount } from '#session/session.tsx';
import { toErrorText } from '#shared/error-text.ts';
import { StorageError } from '#sync/storage-error.ts';
import { useOnline } from '#shared/queries/use-online.ts';
import { shrinkPhoto } from '#ui/photo-file.ts';
import { type FileMetadata, inspectFile } from '#shared/picked-files/inspect-file.ts';
import { useConversions } from './use-conversions.ts';
import { validateFile, capacityFor, toPickedTake, toTitle, type PickedFile } from './picked-files.ts';

type ChosenTake = NonNullable<PickedFile['take']>;

export interface FilePicks {
  files: readonly PickedFile[];
  /** Adds the files that still fit into one submission. Returns how many did not fit. */
  add: (picked: readonly File[]) => number;
  remove: (file: PickedFile) => void;
  rename: (file: PickedFile, title: string) => void;
  /** Converts a photo that is too big, or of an unsupported type, to an accepted JPEG. */
  shrink: (file: PickedFile) => Promise<void>;
  /** Stores a file for which there was no room before, or tries once more to make the MP4 of a take. */
  retry: (file: PickedFile) => void;
  /** Adds takes of the booth, of which an MP4 is made first. Returns how many did not fit. */
  addTakes: (takes: readonly Take[]) => number;
  /** Pauses what makes a video smaller, or lets it go on. */
  togglePause: (file: PickedFile) => void;
  /** Makes a video smaller that was left as it is because it is long. */
  convert: (file: PickedFile) => void;
  /** Deletes originals whose smaller copies are stored. Call it when the draft names the copies. */
  dropReplaced: () => void;
  /** Sends the recording of a take as it is, or a video without waiting for its smaller copy. */
  useOriginal: (file: PickedFile) => void;
  /** Moves a file up (-1) or down (1) in the list. */
  move: (file: PickedFile, by: number) => void;
  /** Removes files that are queued for upload from the list. */
  removeAll: (queued: readonly PickedFile[]) => void;
}

/**
 * Manages the files of an open sheet. Each is copied into the store as soon as it is picked, one after the other. While one is
 * being written, the next is decoded, and never more than one: a decoded photo takes 50 MB.
 * @param maxBytes maximum size of one file
 * @param hasStrips also make a strip of each video
 */
export function usePicks(
  kind: MediaKind,
  maxBytes: number,
  start: readonly PickedFile[],
  hasStrips = false,
): FilePicks {
  const { db, engine } = useAccount();
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

  const conversions = useConversions({ maxBytes, hasStrips, patch });

  const isUnwanted = ({ aborted }: AbortSignal) => isClosed.current || aborted;
  const inspect = async (key: string, file: File, signal: AbortSignal): Promise<FileMetadata> => {
    if (isUnwanted(signal)) return {};
    const metadata = await inspectFile(kind.key, file, hasStrips);
    if (metadata.thumb) patch(key, { picture: metadata.thumb });
    return metadata;
  };
  /** Videos are made smaller, but for takes: those are small already. */
  const canConvert = (key: string) =>
    kind.key === 'video' && !latest.current.some((file) => file.key === key && file.take !== undefined);
  /** Resolves to whether the file is on this device now. */
  const store = async (key: string, file: File, inspection: Promise<FileMetadata>, signal: AbortSignal) => {
    if (isUnwanted(signal)) return false;
    try {
      const metadata = await inspection;
      const onProgress = (storedBytes: number) => patch(key, { storedBytes });
      const { id } = await engine.importFile(file, { ...metadata, onProgress, signal });
      if (!isUnwanted(signal)) {
        patch(key, { state: 'stored', mediaId: id });
        if (canConvert(key)) conversions.begin({ key, name: file.name, mediaId: id }, file);
        return true;
      }
      await engine.dropFile(id);
    } catch (error) {
      if (isUnwanted(signal)) return false;
      const problem = toErrorText(error, 'This file could not be read. Choose it again or remove it', {
        noun: `the ${kind.noun}`,
      });
      patch(key, { state: 'error', problem, canRetry: error instanceof StorageError && error.reason === 'full' });
    }
    return false;
  };
  /** Makes the MP4 of a take and stores it. */
  const storeTake = async (key: string, { id, isOriginal = false }: ChosenTake, signal: AbortSignal) => {
    if (isUnwanted(signal)) return;
    try {
      const { makeTakeFile, dropTakeFile } = await import('#shared/takes/take-file.ts');
      const onProgress = (done: number, total: number) => patch(key, { made: { done, total } });
      const made = await makeTakeFile(db, id, { signal, onProgress, maxBytes, isOriginal, hasStrip: hasStrips });
      if (isUnwanted(signal)) return;
      if (!made.ok) {
        const { ok: _, problem, ...can } = made;
        patch(key, { ...can, state: 'error', ...(problem !== null && { problem }) });
        return;
      }
      const { file, metadata, range } = made;
      const picture = metadata.thumb && { picture: metadata.thumb };
      patch(key, {
        state: 'storing',
        name: file.name,
        sizeBytes: file.size,
        storedBytes: 0,
        take: { id, range, isOriginal },
        ...picture,
      });
      // One that could not be stored is used again when the person retries.
      if (await store(key, file, Promise.resolve(metadata), signal)) await dropTakeFile(db, id);
    } catch (error) {
      if (isUnwanted(signal)) return;
      patch(key, { state: 'error', problem: toErrorText(error, 'The MP4 could not be made.'), canRetry: true });
    }
  };
  const enqueueTake = (key: string, take: ChosenTake) => {
    const control = new AbortController();
    copying.current.set(key, control);
    copies.current = copies.current.then(() => storeTake(key, take, control.signal));
  };
  const makeAgain = ({ key, take }: PickedFile) => {
    if (!take) return;
    patch(key, { state: 'making', needsSignal: false });
    enqueueTake(key, take);
  };
  const isOnline = useOnline();
  const makeWithSignal = useEffectEvent(() => files.filter(({ needsSignal }) => needsSignal).forEach(makeAgain));
  useEffect(() => {
    if (isOnline) makeWithSignal();
  }, [isOnline]);
  const resume = useEffectEvent(() => {
    for (const file of start) {
      if (file.state === 'making' && file.take) enqueueTake(file.key, file.take);
      // Its smaller copy was not finished when the page ended.
      else if (file.state === 'stored' && !file.isSettled && canConvert(file.key)) conversions.begin(file);
    }
  });
  useEffect(() => resume(), []);
  const enqueue = (key: string, file: File) => {
    const control = new AbortController();
    copying.current.set(key, control);
    const inspection = inspections.current.then(() => inspect(key, file, control.signal));
    // A failure is reported by `store`, and the next file is inspected all the same.
    inspections.current = inspection.catch(() => undefined);
    copies.current = copies.current.then(async () => void (await store(key, file, inspection, control.signal)));
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
          picked: file,
        };
      });
      update((before) => [...before, ...added]);
      for (const each of added) {
        if (each.state === 'storing' && each.file) enqueue(each.key, each.file);
        // Too large for the server, but its smaller copy may not be.
        else if (each.state === 'toobig' && canConvert(each.key)) conversions.begin(each, each.file);
      }
      return rejected;
    },
    remove: (file) => {
      copying.current.get(file.key)?.abort();
      conversions.end(file.key);
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
    addTakes: (takes) => {
      const { accepted, rejected } = capacityFor(kind, latest.current.length, takes.length);
      const added = takes.slice(0, accepted).map((take) => toPickedTake(take, crypto.randomUUID()));
      update((before) => [...before, ...added]);
      for (const { key, take } of added) enqueueTake(key, take);
      return rejected;
    },
    useOriginal: ({ key, take }) => {
      if (!take) {
        conversions.end(key);
        return patch(key, { state: 'stored', isPaused: false, isSettled: true });
      }
      // Kept with the file: the sheet may be closed before it is stored, and opened again.
      const chosen = { ...take, isOriginal: true };
      patch(key, { state: 'making', take: chosen, canSendOriginal: false, needsSignal: false });
      enqueueTake(key, chosen);
    },
    togglePause: ({ key }) => conversions.togglePause(key),
    convert: (file) => conversions.begin(file, undefined, true),
    dropReplaced: conversions.dropReplaced,
    move: ({ key }, by) =>
      update((before) => {
        const at = before.findIndex((file) => file.key === key);
        const to = at + by;
        if (at < 0 || to < 0 || to >= before.length) return before;
        return before.with(at, before[to]!).with(to, before[at]!);
      }),
    retry: (file) => {
      makeAgain(file);
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
