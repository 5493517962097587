import { useEffect, useRef } from 'react';
import type { AccountDb } from '#db/database.ts';
import { fileBytes } from '#db/media-bytes.ts';
import { useAccount } from '#session/session.tsx';
import type { PauseSwitch } from '#shared/takes/finish-take.ts';
import { inspectFile } from './inspect-file.ts';
import { toTitle, type PickedFile } from './picked-files.ts';

/** Longer videos are made smaller only if the person asks for it: it would take long, and much of the battery. */
const MAX_SECONDS = 20 * 60;

interface ConversionsOptions {
  maxBytes: number;
  /** Whether a strip of each video is made, too. */
  hasStrips: boolean;
  patch: (key: string, change: Partial<PickedFile>) => void;
}

export interface Conversions {
  /**
   * Makes a smaller copy of a video, after those that were begun before.
   * @param original the picked file; absent: the stored one is read
   * @param isWanted also if it is long
   */
  begin: (file: Pick<PickedFile, 'key' | 'name' | 'mediaId'>, original?: File, isWanted?: boolean) => void;
  /** Ends it. The original stays. */
  end: (key: string) => void;
  togglePause: (key: string) => void;
  /** Deletes originals whose smaller copies are stored. Call it when the draft names the copies. */
  dropReplaced: () => void;
}

interface Running {
  control: AbortController;
  pause?: PauseSwitch;
}

async function readStored(db: AccountDb, mediaId: string | undefined): Promise<Blob | null> {
  const file = mediaId === undefined ? undefined : await db.media.get(mediaId);
  return file ? fileBytes(db, file) : null;
}

/** Adds an estimate to the progress, from how long it took so far. Time spent in a pause counts as none. */
function createEstimate(pause: PauseSwitch): (done: number, total: number) => PickedFile['made'] {
  let workedMs = 0;
  let last = performance.now();
  pause.addEventListener('change', () => {
    const now = performance.now();
    if (pause.isPaused) workedMs += now - last;
    last = now;
  });
  return (done, total) => {
    const now = performance.now();
    if (!pause.isPaused) workedMs += now - last;
    last = now;
    const seconds = ((workedMs / 1000) * (total - done)) / Math.max(1, done);
    return { done, total, ...(workedMs > 2000 && { secondsLeft: seconds }) };
  };
}

/** Makes videos of the camera roll smaller before they are sent, one at a time. The originals stay stored until their copies are proven and stored. */
export function useConversions({ maxBytes, hasStrips, patch }: ConversionsOptions): Conversions {
  const { db, engine } = useAccount();
  const running = useRef(new Map<string, Running>());
  const replaced = useRef<string[]>([]);
  const last = useRef<Promise<void>>(Promise.resolve());
  useEffect(() => {
    const all = running.current;
    return () => {
      for (const { control } of all.values()) control.abort();
    };
  }, []);

  const convert = async (
    { key, name, mediaId }: Pick<PickedFile, 'key' | 'name' | 'mediaId'>,
    original: File | undefined,
    maxSeconds: number,
    { signal }: AbortController,
  ) => {
    if (signal.aborted) return;
    const { convertVideo, MP4, PauseSwitch: Switch } = await import('#shared/takes/convert-video.ts');
    const pause = new Switch();
    running.current.set(key, { control: running.current.get(key)!.control, pause });
    const settle = (change: Partial<PickedFile>) => patch(key, { isPaused: false, isSettled: true, ...change });
    const giveUp = (kept: PickedFile['kept']) =>
      settle({ state: mediaId === undefined ? 'toobig' : 'stored', ...(kept && { kept }) });
    const file = original ?? (await readStored(db, mediaId));
    if (file === null) return giveUp('failed');
    const estimate = createEstimate(pause);
    const onProgress = (done: number, total: number) => {
      const made = estimate(done, total);
      if (!signal.aborted && made) patch(key, { made });
    };
    const made = await convertVideo(db, file, { signal, pause, maxSeconds, onProgress });
    if (made.state === 'made') {
      try {
        if (signal.aborted) return;
        if (made.file.size > maxBytes) return giveUp('failed');
        const small = new File([made.file], `${toTitle(name)}.mp4`, { type: MP4 });
        const metadata = await inspectFile('video', small, hasStrips);
        const { id } = await engine.importFile(small, { ...metadata, signal });
        if (signal.aborted) return await engine.dropFile(id);
        if (mediaId !== undefined) replaced.current.push(mediaId);
        settle({ state: 'stored', mediaId: id, name: small.name, sizeBytes: small.size });
      } catch (error) {
        if (signal.aborted) return;
        console.warn(error);
        giveUp('full');
      } finally {
        await made.drop().catch(console.warn);
      }
    } else if (made.state === 'kept' && !signal.aborted) giveUp(made.reason);
  };

  return {
    begin: (file, original, isWanted = false) => {
      const control = new AbortController();
      running.current.get(file.key)?.control.abort();
      running.current.set(file.key, { control });
      patch(file.key, { state: 'making' });
      const work = () => convert(file, original, isWanted ? Infinity : MAX_SECONDS, control);
      last.current = last.current.then(work).catch((error: unknown) => {
        reportError(error);
        if (control.signal.aborted) return;
        patch(file.key, { state: file.mediaId === undefined ? 'toobig' : 'stored', kept: 'failed', isSettled: true });
      });
    },
    end: (key) => running.current.get(key)?.control.abort(),
    togglePause: (key) => {
      const pause = running.current.get(key)?.pause;
      pause?.toggle();
      if (pause) patch(key, { isPaused: pause.isPaused });
    },
    dropReplaced: () => {
      for (const id of replaced.current.splice(0)) engine.dropFile(id).catch(reportError);
    },
  };
}
